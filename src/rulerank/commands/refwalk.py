"""The command `rulerank refwalk`."""

from __future__ import annotations

import json
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, get_args

import typer

from rulerank.errors import InputError, SettingsError
from rulerank.retrieve.fusion import FusionName
from rulerank.text import require_question

if TYPE_CHECKING:
    from rulerank.ranker import Ranker
    from rulerank.retrieve.refwalk.anchor import AnchorModel
    from rulerank.retrieve.refwalk.walk import Scorer

FUSIONS = ", ".join(get_args(FusionName))


class Anchors(StrEnum):
    """What finds the anchor of a question."""

    auto = "auto"
    llm = "llm"
    rules = "rules"


def refwalk(
    bundle: Annotated[Path, typer.Argument(metavar="BUNDLE", help="Folder of an exported ranker.")],
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="A question in plain words.")],
    k: Annotated[int, typer.Option("--k", min=1, help="Passages to show.")] = 10,
    fusion: Annotated[str | None, typer.Option(help=f"Of the views: {FUSIONS}.")] = None,
    hops: Annotated[int | None, typer.Option(min=1, max=10, help="Citations to follow in a row.")] = None,
    scorer: Annotated[
        str | None, typer.Option(help="A cross-encoder, by hub name or folder; else the ranker itself.")
    ] = None,
    anchor: Annotated[
        Anchors, typer.Option(help="auto: the language model of RULERANK_LLM_URL, rules without one.")
    ] = Anchors.auto,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """Walk from a question along citations, score under three views, fuse.

    What is not said here is as in the section `refwalk` of the params that
    the ranker was exported with.

    Example: rulerank refwalk outputs/bundle "Who must keep the register?" --fusion rrf
    """
    from rulerank.ranker import Ranker
    from rulerank.walker import settings_of, walk_over, walked

    require_question(question)
    anchors = chosen_anchors(anchor)
    ranker = Ranker.load(bundle)
    settings = settings_of(ranker.bundle, fusion=fusion, hops=hops)
    walk = walk_over(ranker, anchors, settings, chosen_scorer(scorer, ranker))
    pool = walk.pool(question)
    found = walked(ranker.bundle, walk, pool, k)
    if as_json:
        said = {"anchor": asdict(pool.anchor), "passages": [asdict(passage) for passage in found]}
        typer.echo(json.dumps(said, indent=2, ensure_ascii=False))
        return
    for slot, value in asdict(pool.anchor).items():
        typer.echo(f"{slot}: {value or '-'}")
    for passage in found:
        ranks = ", ".join(f"{view} {rank}" for view, rank in passage.ranks.items())
        cited = ", by citation" if passage.cited else ""
        place = f"{passage.document} {passage.section}".strip()
        typer.echo(
            f"{passage.rank:>3}. {place}  score {passage.score:.5f} ({ranks}{cited})  [{passage.passage_id}]"
        )
        if passage.voided_by:
            typer.echo(f"     voided by {', '.join(passage.voided_by)}")
        typer.echo(f"     {' '.join(passage.text.split())[:300]}")


def chosen_anchors(choice: Anchors) -> AnchorModel:
    """Return what finds the anchors; `llm` without a configured model is an error, never the rules."""
    from rulerank import llm
    from rulerank.retrieve.refwalk.prompted import PromptedAnchors
    from rulerank.retrieve.refwalk.rules import rule_anchor

    model = None if choice is Anchors.rules else llm.configured()
    if model is not None:
        return PromptedAnchors(model)
    if choice is Anchors.llm:
        raise SettingsError(f"{llm.URL}: expected a language model, found none. Set it, and {llm.MODEL}.")
    return rule_anchor


def chosen_scorer(name: str | None, ranker: Ranker) -> Scorer | None:
    """Return the cross-encoder of a name, None for the ranker's own model."""
    if name is None:
        return None
    from rulerank.walker import shown_texts

    try:
        from rulerank.learn.cross_encoder import CrossEncoderScorer
    except ImportError as error:
        raise InputError(
            name, "expected the package sentence-transformers, found none. Install rulerank[train]."
        ) from error
    return CrossEncoderScorer(name, shown_texts(ranker.bundle))
