"""The command `rulerank refwalk`."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, get_args

import typer

from rulerank.commands.arguments import AsJson, AsOf, BundlePath, Depth, Question
from rulerank.commands.output import print_json, shortened, warn_if_none
from rulerank.console import say
from rulerank.refwalk.anchor import AnchorSource
from rulerank.settings import FusionName
from rulerank.text import require_question

if TYPE_CHECKING:
    from rulerank.refwalk.results import RefWalkResult

FUSIONS = ", ".join(get_args(FusionName))


def refwalk(
    bundle: BundlePath,
    question: Question,
    k: Depth = 10,
    fusion: Annotated[str | None, typer.Option(help=f"Fusion of the views: {FUSIONS}.")] = None,
    hops: Annotated[
        int | None, typer.Option(min=1, max=10, help="How many citations to follow in a row.")
    ] = None,
    scorer: Annotated[
        str | None, typer.Option(help="A cross-encoder, by hub name or folder; by default the ranker itself.")
    ] = None,
    anchor: Annotated[
        AnchorSource,
        typer.Option(help="auto: the language model of RULERANK_LLM_URL, or the rules if it is not set."),
    ] = AnchorSource.auto,
    as_of: AsOf = None,
    as_json: AsJson = False,
) -> None:
    """Rank by RefWalk: follow citations, score the passages under three views, fuse.

    A passage that has been voided by the day keeps its place; what voided it is named below. A passage that
    takes effect later is left out.

    By default, the settings are those of the section `refwalk` with which the ranker was exported.

    Example: rulerank refwalk outputs/bundle "Who must keep the register?" --fusion rrf
    """
    from rulerank.ranker import Ranker
    from rulerank.ranker.checks import require_day
    from rulerank.refwalk.build import (
        anchor_model,
        build_refwalk,
        cross_encoder,
        require_cross_encoder,
        settings_of,
    )
    from rulerank.refwalk.results import result_of

    require_question(question)
    if scorer is not None:
        require_cross_encoder(scorer)
    anchors = anchor_model(anchor)
    ranker = Ranker.load(bundle)
    settings = settings_of(ranker.bundle, fusion=fusion, hops=hops)
    scores = None if scorer is None else cross_encoder(scorer, ranker.bundle)
    walk = build_refwalk(ranker, anchors, settings, scores)
    day = require_day(as_of.date() if as_of else None)
    result = result_of(ranker.evidence, walk, walk.pool(question), k, day)
    warn_if_none(result.passages)
    if as_json:
        print_json(asdict(result))
    else:
        _print(result)


def _print(result: RefWalkResult) -> None:
    for slot, value in asdict(result.anchor).items():
        say(f"{slot}: {value or '-'}")
    for passage, ranks, by_citation in zip(
        result.passages, result.view_ranks, result.by_citation, strict=True
    ):
        views = ", ".join(f"{view} {rank}" for view, rank in ranks.items())
        cited = ", by citation" if by_citation else ""
        say(
            f"{passage.rank:>3}. {passage.place}  score {passage.score:.5f} ({views}{cited})"
            f"  [{passage.passage_id}]"
        )
        if passage.voided_by:
            say(f"     voided by {', '.join(passage.voided_by)}")
        say(f"     {shortened(passage.text)}")
