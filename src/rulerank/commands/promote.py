"""The command `rulerank promote`."""

from __future__ import annotations

from typing import Annotated

import typer

from rulerank.console import say
from rulerank.errors import InputError


def promote(
    candidate: Annotated[
        str, typer.Argument(metavar="VERSION", help="Alias or number of a registered version.")
    ] = "candidate",
    model: Annotated[str, typer.Option(help="The registered model; by default that of params.yaml.")] = "",
    store: Annotated[str, typer.Option(help="MLflow store; by default that of params.yaml.")] = "",
    split: Annotated[str, typer.Option(help="The split whose questions are compared.")] = "validation",
    measure: Annotated[str, typer.Option(help="The measure to compare.")] = "nDCG@10",
) -> None:
    """Make a tracked ranker the champion if it beats the champion on the same questions.

    The paired randomisation test decides. If the candidate passes, the alias `champion` moves to it. If it
    does not, the reason is printed and the exit code is 1. Run this in the folder of params.yaml, which sets
    the number of permutations.

    Example: rulerank promote candidate --store sqlite:///mlflow.db
    """
    try:
        from rulerank.evaluate.promotion import Gate
        from rulerank.evaluate.promotion import promote as decide
    except ModuleNotFoundError as error:
        raise InputError("promote", "expected mlflow, found none. Install rulerank[train].") from error
    from rulerank.settings import load_settings

    settings = load_settings()
    gate = Gate(split, measure, settings.evaluate.permutations, settings.seed)
    decision = decide(model or settings.track.model, candidate, store or settings.track.store, gate)
    say(f"{'promoted' if decision.promoted else 'not promoted'}: {decision.reason}")
    if not decision.promoted:
        raise typer.Exit(1)
