"""RefWalk beside the exported ranker and RRF on the validation questions, with every fusion of its views.

    python experiments/refwalk.py [--questions 100] [--scorer NAME] [--anchor rules]

Writes outputs/refwalk/metrics.json and report.md.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, get_args

import numpy as np
import polars as pl
import typer
from rich.progress import track

from rulerank.arrays import FloatArray
from rulerank.bundle import MANIFEST
from rulerank.commands.refwalk import Anchors, chosen_anchors, chosen_scorer
from rulerank.console import reported
from rulerank.errors import InputError
from rulerank.evaluate.measures import candidate_recall, per_query
from rulerank.evaluate.refwalk_page import BESIDE, write_refwalk
from rulerank.learn.workspace import Workspace
from rulerank.ranker import Ranker
from rulerank.retrieve.fusion import Fusion, FusionName, Run, fusion, reciprocal_rank_max
from rulerank.retrieve.refwalk.views import VIEWS
from rulerank.retrieve.refwalk.walk import Pool, Walk
from rulerank.settings import RefWalk, load_settings
from rulerank.tables import RUNS
from rulerank.timing import timed
from rulerank.walker import walk_over

BUNDLE, WRITTEN = Path("outputs/bundle"), Path("outputs/refwalk")


def main(
    questions: Annotated[int | None, typer.Option(min=1, help="Questions to draw; by default all.")] = None,
    scorer: Annotated[
        str | None, typer.Option(help="A cross-encoder, by hub name or folder; else the ranker itself.")
    ] = None,
    anchor: Annotated[Anchors, typer.Option(help="What finds the anchors.")] = Anchors.rules,
) -> None:
    """Measure RefWalk on the validation questions."""
    settings = load_settings()
    if not (BUNDLE / MANIFEST).is_file():
        raise InputError(BUNDLE, "expected an exported ranker, found none. Run `dvc repro export`.")
    with timed("refwalk") as measured:
        ranker = Ranker.load(BUNDLE, threads=settings.threads)
        workspace = Workspace()
        asked = _drawn(workspace.asked("validation"), questions, settings.seed)
        judged = workspace.judgements.filter(pl.col("query_id").is_in(asked["query_id"].implode()))
        walk = walk_over(ranker, chosen_anchors(anchor), settings.refwalk, chosen_scorer(scorer, ranker))
        rows = asked.select("query_id", "text").iter_rows()
        hidden, start = not sys.stderr.isatty(), time.perf_counter()
        pools = {
            query: walk.pool(text)
            for query, text in track(rows, "walking", total=asked.height, disable=hidden)
        }
        measured["seconds_a_question"] = round((time.perf_counter() - start) / asked.height, 4)
        beside, candidates = ranker.runs(asked.drop("row", "cluster", "fold"))
        ids = ranker.bundle.passages["passage_id"]
        runs = [beside.filter(pl.col("run").is_in(BESIDE)), *_runs(walk, pools, ids)]
        scores = per_query(judged, pl.concat(runs))
        found = {
            "candidates": candidate_recall(judged, candidates),
            "pool": candidate_recall(judged, _run("pool", walk, pools, ids, reciprocal_rank_max)),
        }
    about = {"anchors": anchor.value, "scorer": scorer or "the ranker", "questions": asked.height}
    write_refwalk(
        WRITTEN, settings, about, pools, found, scores.join(asked.select("query_id", "level"), on="query_id")
    )
    typer.echo(f"written: {WRITTEN}/metrics.json, {WRITTEN}/report.md")


def _drawn(asked: pl.DataFrame, number: int | None, seed: int) -> pl.DataFrame:
    """Return some of the questions, or all, in their own order."""
    if not asked.height:
        raise InputError("queries", "expected validation questions with a text, found none. Add some.")
    drawn = np.random.default_rng(seed).permutation(asked.height)[:number]
    return asked[np.sort(drawn)]


def _runs(walk: Walk, pools: Mapping[str, Pool], ids: pl.Series) -> list[pl.DataFrame]:
    """Return a run for each fusion of the views, with and without tier decay, and for each view alone."""
    fusions = {f"refwalk {name}": _fusing(name, walk.settings) for name in get_args(FusionName)}
    alone = {f"refwalk only {view}": _alone(place) for place, view in enumerate(VIEWS)}
    runs = [_run(name, walk, pools, ids, fuse) for name, fuse in {**fusions, **alone}.items()]
    alike = replace(walk, settings=walk.settings.model_copy(update={"tier_decay": 1.0}))
    for name, fuse in fusions.items():
        runs.append(_run(f"{name}, tiers alike", alike, pools, ids, fuse))
    return runs


def _fusing(name: str, settings: RefWalk) -> Fusion:
    def fuse(runs: Sequence[Run]) -> FloatArray:
        return fusion(name, settings.weights[: len(runs)], settings.rrf_k)(runs)

    return fuse


def _alone(place: int) -> Fusion:
    def fuse(runs: Sequence[Run]) -> FloatArray:
        # A question without an anchor has the narrow view only.
        return reciprocal_rank_max([runs[min(place, len(runs) - 1)]])

    return fuse


def _run(name: str, walk: Walk, pools: Mapping[str, Pool], ids: pl.Series, fuse: Fusion) -> pl.DataFrame:
    frames = [RUNS.empty()]
    for query, pool in pools.items():
        order, scores = walk.order(pool, fuse)
        frames.append(
            pl.DataFrame(
                {
                    "run": pl.repeat(name, len(order), eager=True),
                    "query_id": pl.repeat(query, len(order), eager=True),
                    "passage_id": ids.gather(pool.passages[order]),
                    "rank": np.arange(1, len(order) + 1, dtype=np.int32),
                    "score": scores[order].astype(np.float64),
                },
                schema=dict(RUNS.columns),
            )
        )
    return pl.concat(frames)


if __name__ == "__main__":
    with reported():
        typer.run(main)
