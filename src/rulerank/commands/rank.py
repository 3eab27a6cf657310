"""The command `rulerank rank`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from rulerank.commands.arguments import AsJson, AsOf, BundlePath, Depth, ModelName, Question
from rulerank.commands.output import print_json, shortened, warn_if_none
from rulerank.console import say
from rulerank.files import require_outputs


def rank(
    bundle: BundlePath,
    question: Question,
    k: Depth = 10,
    model: ModelName = "ranker",
    as_of: AsOf = None,
    features_log: Annotated[
        Path | None,
        typer.Option(
            "--features-log", help="Also add the features of all candidates to this file, as JSON Lines."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Print the passages that govern a question, best first, with the features that mattered most.

    A passage that has been voided by the day keeps its place; what voided it is named below. A passage that
    takes effect later is left out.

    Example: rulerank rank outputs/bundle "Who must keep the register?" --k 5
    """
    import rulerank

    require_outputs(extended=[features_log], sealed=bundle)
    if features_log is None:
        ranker = rulerank.load(bundle)
    else:
        from rulerank.bundle import load_bundle
        from rulerank.ranker.feature_log import FeatureLog, LoggedRanker

        ranker = LoggedRanker(load_bundle(bundle), FeatureLog(features_log))
    ranked = ranker.rank(question, k, model=model, as_of=as_of.date() if as_of else None)
    warn_if_none(ranked)
    if as_json:
        print_json([asdict(passage) for passage in ranked])
        return
    for passage in ranked:
        reasons = ", ".join(
            f"{reason.feature} {reason.value:.3g} ({reason.contribution:+.2f})" for reason in passage.reasons
        )
        say(
            f"{passage.rank:>3}. {passage.place}  "
            f"score {passage.score:.3f}, probability {passage.probability:.2f}  [{passage.passage_id}]"
        )
        if passage.voided_by:
            say(f"     voided by {', '.join(passage.voided_by)}")
        say(f"     {shortened(passage.text)}")
        say(f"     because {reasons}")
