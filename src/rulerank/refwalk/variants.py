"""RefWalk with every fusion of its views, and each view alone, as runs to measure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import get_args

import numpy as np
import polars as pl

from rulerank.arrays import FloatArray
from rulerank.refwalk.views import VIEWS
from rulerank.refwalk.walk import Pool, RefWalk
from rulerank.retrieve.fusion import Fusion, Run, fusion, reciprocal_rank_max
from rulerank.settings import FusionName, RefWalkSettings
from rulerank.tables import RUNS

WIDE_TWICE = (1.0, 1.0, 2.0)
"""The published weights of narrow, mid and wide."""


def variant_runs(walk: RefWalk, pools: Mapping[str, Pool], passage_ids: pl.Series) -> list[pl.DataFrame]:
    """Return a run for each fusion of the views, with and without tier decay, and for each view alone.

    Parameters
    ----------
    walk : RefWalk
        A walk over N passages.
    pools : mapping of str to Pool
        The pool of each question, by its id.
    passage_ids : polars.Series
        Ids of the N passages.

    """
    fusions = {f"refwalk {name}": _by_views(name, walk.settings) for name in get_args(FusionName)}
    twice = walk.settings.model_copy(update={"weights": WIDE_TWICE})
    fusions["refwalk wrrf, wide twice"] = _by_views("wrrf", twice)
    single = {f"refwalk only {view}": _single(place) for place, view in enumerate(VIEWS)}
    runs = [pool_run(name, walk, pools, passage_ids, fuse) for name, fuse in {**fusions, **single}.items()]
    runs += [
        pool_run(f"{name}, tiers alike", tiers_alike(walk), pools, passage_ids, fuse)
        for name, fuse in fusions.items()
    ]
    return runs


def tiers_alike(walk: RefWalk) -> RefWalk:
    """Return a walk that does not decay any score by its tier."""
    return replace(walk, settings=walk.settings.model_copy(update={"tier_decay": 1.0}))


def pool_run(
    name: str,
    walk: RefWalk,
    pools: Mapping[str, Pool],
    passage_ids: pl.Series,
    fuse: Fusion | None = None,
) -> pl.DataFrame:
    """Return the whole of each pool as a run, ordered by one fusion or by that of the walk's settings."""
    frames = [RUNS.empty()]
    for query, pool in pools.items():
        order, scores = walk.order(pool, fuse)
        frames.append(ranked(name, query, passage_ids.gather(pool.passages[order]), scores[order]))
    return pl.concat(frames)


def ranked(name: str, query_id: str, passage_ids: pl.Series, scores: FloatArray) -> pl.DataFrame:
    """Return the passages of one question, best first, as rows of the runs table."""
    return pl.DataFrame(
        {
            "run": pl.repeat(name, len(scores), eager=True),
            "query_id": pl.repeat(query_id, len(scores), eager=True),
            "passage_id": passage_ids,
            "rank": np.arange(1, len(scores) + 1, dtype=np.int32),
            "score": scores.astype(np.float64),
        },
        schema=dict(RUNS.columns),
    )


def _by_views(name: str, settings: RefWalkSettings) -> Fusion:
    def fuse(runs: Sequence[Run]) -> FloatArray:
        return fusion(name, settings.weights[: len(runs)], settings.rrf_k)(runs)

    return fuse


def _single(place: int) -> Fusion:
    def fuse(runs: Sequence[Run]) -> FloatArray:
        # A question without an anchor has the narrow view only.
        return reciprocal_rank_max([runs[min(place, len(runs) - 1)]])

    return fuse
