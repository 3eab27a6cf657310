"""The commands `rulerank bundle`: prove an exported ranker."""

from __future__ import annotations

import typer

from rulerank.commands.arguments import BundlePath
from rulerank.console import say

bundle = typer.Typer(no_args_is_help=True, help="Prove an exported ranker.")


@bundle.command()
def verify(folder: BundlePath) -> None:
    """Check all files of an exported ranker, the scores of its models and the values of its features.

    Loading checks less: large files by their size alone, and no features.

    Example: rulerank bundle verify outputs/bundle
    """
    from rulerank.bundle import verify_bundle

    verify_bundle(folder)
    say(f"{folder}: files, scores and features are those of the export")
