"""Fusion of several runs over the same questions and passages into one score per passage.

Every fusion is a function of the runs that returns an array of shape (queries, passages), 0 for a passage
that no run holds. The order of the runs does not matter, and a better rank or score in one run never lowers
the fused score. `fusion` returns one by its name, with its parameters bound.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import get_args

import numpy as np

from rulerank.arrays import FloatArray
from rulerank.errors import SettingsError
from rulerank.settings import FusionName

RRF_K = 60
"""Damps the weight of the first ranks (Cormack et al., section 2)."""


@dataclass(frozen=True, eq=False)
class Run:
    """The scores of one run for every passage.

    Parameters
    ----------
    scores : array of shape (queries, passages)
        NaN if the run does not hold a passage.

    """

    scores: FloatArray

    @cached_property
    def ranks(self) -> FloatArray:
        """Ranks from 1, NaN if the run does not hold a passage; ties are in column order."""
        rows, columns = np.nonzero(~np.isnan(self.scores))
        order = np.lexsort((columns, -self.scores[rows, columns], rows))
        ranks = np.full(self.scores.shape, np.nan, np.float32)
        # `rows` is sorted, so ordering by row first leaves each row's block in place.
        ranks[rows, columns[order]] = np.arange(len(rows)) - np.searchsorted(rows, rows) + 1
        return ranks


Fusion = Callable[[Sequence[Run]], FloatArray]


def reciprocal_rank_fusion(runs: Sequence[Run], k: int = RRF_K) -> FloatArray:
    """Fuse by the sum over runs of 1 / (k + rank).

    Source: Cormack, Clarke and Buettcher, "Reciprocal Rank Fusion outperforms Condorcet and individual
    Rank Learning Methods", SIGIR 2009.

    Parameters
    ----------
    runs : sequence of Run
        One or more runs.
    k : int, optional (default=60)
        Damps the weight of the first ranks.

    Returns
    -------
    array of shape (queries, passages)
        Fused scores, from 0 to runs / (k + 1).

    """
    return weighted_reciprocal_rank_fusion(runs, [1.0] * len(runs), k)


def weighted_reciprocal_rank_fusion(
    runs: Sequence[Run], weights: Sequence[float], k: int = RRF_K
) -> FloatArray:
    """Fuse by the sum over runs of weight / (k + rank) (SearchFireSafety: sparse to dense as 1 to 9).

    Parameters
    ----------
    runs, k
        As for `reciprocal_rank_fusion`.
    weights : sequence of float
        Weight of each run, 0 or more.

    """
    return reciprocal_ranks([run.ranks for run in runs], weights, k)


def reciprocal_rank_max(runs: Sequence[Run], k: int = RRF_K) -> FloatArray:
    """Fuse by the maximum over runs of 1 / (k + rank) (RefWalk): the first of any run is first.

    Parameters
    ----------
    runs, k
        As for `reciprocal_rank_fusion`.

    """
    highest: FloatArray = np.max([reciprocal_ranks([run.ranks], k=k) for run in runs], axis=0)
    return highest


def weighted_sum(runs: Sequence[Run], weights: Sequence[float]) -> FloatArray:
    """Fuse by the weighted sum of the scores, each min-max scaled within its question (ObliQA hybrid).

    Parameters
    ----------
    runs : sequence of Run
        One or more runs. If all scores of a run are equal, they count as 1.
    weights : sequence of float
        Weight of each run, 0 or more.

    Returns
    -------
    array of shape (queries, passages)
        Fused scores, from 0 to the sum of the weights.

    """
    fused = np.zeros(runs[0].scores.shape, np.float32)
    for run, weight in zip(runs, weights, strict=True):
        held = ~np.isnan(run.scores)
        low = np.min(run.scores, axis=1, keepdims=True, initial=np.inf, where=held)
        span = np.max(run.scores, axis=1, keepdims=True, initial=-np.inf, where=held) - low
        scaled = np.where(span > 0, (np.where(held, run.scores, 0) - low) / np.where(span > 0, span, 1), 1)
        fused += np.float32(weight) * np.where(held, scaled, 0)
    return fused


def fusion(name: str, weights: Sequence[float], k: int = RRF_K) -> Fusion:
    """Return a fusion by its name.

    Parameters
    ----------
    name : str
        `rrf`, `wrrf`, `rrm` or `weighted_sum`.
    weights : sequence of float
        Weight of each run; `rrf` and `rrm` ignore it.
    k : int, optional (default=60)
        The constant of the rank fusions.

    Raises
    ------
    SettingsError
        There is no fusion of that name.

    """
    if name not in get_args(FusionName):
        raise SettingsError(
            f"fusion: expected one of {', '.join(get_args(FusionName))}, found {name!r}. Choose one of them."
        )
    fusions: Mapping[str, Fusion] = {
        "rrf": partial(reciprocal_rank_fusion, k=k),
        "wrrf": partial(weighted_reciprocal_rank_fusion, weights=weights, k=k),
        "rrm": partial(reciprocal_rank_max, k=k),
        "weighted_sum": partial(weighted_sum, weights=weights),
    }
    return fusions[name]


def reciprocal_ranks(
    ranks: Sequence[FloatArray], weights: Sequence[float] | None = None, k: int = RRF_K
) -> FloatArray:
    """Return the sum over runs of weight / (k + rank), element by element.

    Parameters
    ----------
    ranks : sequence of arrays of one shape
        Ranks from 1 in each run, NaN if it does not hold a passage.
    weights : sequence of float, optional
        Weight of each run, 1 by default.
    k : int, optional (default=60)
        Damps the weight of the first ranks.

    """
    fused = np.zeros(ranks[0].shape, np.float32)
    for rank, weight in zip(ranks, weights or [1.0] * len(ranks), strict=True):
        fused += np.float32(weight) * np.where(np.isnan(rank), 0, 1 / (k + rank)).astype(np.float32)
    return fused
