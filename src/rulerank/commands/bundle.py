"""The commands `rulerank bundle`: check an exported ranker, and describe what is in it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from rulerank.commands.arguments import AsJson, BundlePath
from rulerank.commands.output import print_json, warn_of_replaced
from rulerank.console import say

bundle = typer.Typer(no_args_is_help=True, help="Check an exported ranker, and describe what is in it.")

Evaluation = Annotated[
    Path | None,
    typer.Option("--evaluation", help="Folder of the run's evaluation, e.g. outputs/evaluation."),
]


@bundle.command()
def verify(folder: BundlePath) -> None:
    """Check all files of an exported ranker, the scores of its models and the values of its features.

    Loading checks less: large files only by their size, and one golden question instead of all.

    Matching hashes prove that the files are whole, not who wrote them: load only bundles that you trust.

    Example: rulerank bundle verify outputs/bundle
    """
    from rulerank.bundle import verify_bundle

    verify_bundle(folder)
    say(f"{folder}: files, scores and features are those of the export")


@bundle.command()
def describe(folder: BundlePath, evaluation: Evaluation = None, as_json: AsJson = False) -> None:
    """Print what is in an exported ranker: sizes, models, features, settings and measures.

    Example: rulerank bundle describe outputs/bundle --evaluation outputs/evaluation
    """
    from rulerank.bundle import describe_bundle

    said = describe_bundle(folder)
    if evaluation is not None:
        from rulerank.evaluate.held_out import held_out_figures

        said["held_out"] = held_out_figures(evaluation)
    _print(said, as_json=as_json)


@bundle.command()
def diff(
    first: BundlePath,
    second: Annotated[Path, typer.Argument(metavar="OTHER", help="Folder of another ranker.")],
    as_json: AsJson = False,
) -> None:
    """Print what differs between two exported rankers: files, settings, features, models, golden scores.

    Example: rulerank bundle diff outputs/bundle other/bundle
    """
    from rulerank.bundle import compare_bundles

    _print(compare_bundles(first, second), as_json=as_json)


@bundle.command()
def slim(
    folder: BundlePath,
    out: Annotated[Path, typer.Argument(metavar="OUT", help="Folder to write; a bundle there is replaced.")],
    model: Annotated[str, typer.Option("--model", help="The model to keep.")] = "ranker",
    as_json: AsJson = False,
) -> None:
    """Write a copy with one model and only what it needs; it must give golden questions the same scores.

    If the model uses no judgement features, the copy holds no judgements. Its table of words, if any, still
    has words that only training questions used.

    Example: rulerank bundle slim outputs/bundle slim --model ranker_without_judgement
    """
    from rulerank.bundle import known_as, slim_bundle

    replaced = known_as(out)
    said = slim_bundle(folder, out, model)
    warn_of_replaced(out, replaced)
    _print(said, as_json=as_json)


def _print(said: Mapping[str, Any], *, as_json: bool) -> None:
    if as_json:
        print_json(said)
        return
    for line in _lines(said):
        say(line)


def _lines(said: Mapping[str, Any], indent: str = "") -> list[str]:
    """Return a nested mapping as indented lines."""
    width = max((len(name) for name in said), default=0)
    lines = []
    for name, value in said.items():
        if isinstance(value, Mapping) and value:
            lines += [f"{indent}{name}", *_lines(value, indent + "  ")]
        else:
            lines.append(f"{indent}{name:<{width}}  {_short(value)}")
    return lines


def _short(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(_short, value)) or "none"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return "none" if value is None or value == {} else str(value)
