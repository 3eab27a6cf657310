"""nDCG@10 of scored groups, as in `rulerank.evaluate.measures`, for choices made on training folds."""

from __future__ import annotations

import numpy as np
import polars as pl

from rulerank.arrays import DoubleArray, IntArray, bounds
from rulerank.ragged import entries

CUTOFF = 10


def ideals(judgements: pl.DataFrame) -> pl.DataFrame:
    """Return query_id and ideal: the DCG@10 of all relevant passages of each judged question, best first."""
    best = judgements.filter(pl.col("relevance") > 0).sort(
        "query_id", "relevance", descending=[False, True], maintain_order=True
    )
    best = best.with_columns(place=pl.int_range(pl.len()).over("query_id")).filter(pl.col("place") < CUTOFF)
    gains = pl.col("relevance") / (pl.col("place") + 2).log(2)
    return best.group_by("query_id", maintain_order=True).agg(ideal=gains.sum())


def dcg(scores: DoubleArray, labels: IntArray, sizes: IntArray) -> DoubleArray:
    """Return the DCG@10 of each group: linear gains, discount log2(rank + 1).

    Equal scores are in row order, NaN comes last. The nDCG of `rulerank.evaluate.measures` is this divided by
    `ideals`.

    Parameters
    ----------
    scores, labels : arrays of shape (pairs,)
        Scores and relevance, group by group.
    sizes : int array of shape (groups,)
        Pairs of each group.

    """
    starts = bounds(sizes)
    relevant, scores = np.flatnonzero(labels), np.where(np.isnan(scores), -np.inf, scores)
    group = np.searchsorted(starts, relevant, side="right") - 1
    # Only the few relevant rows are placed, by counting who comes before them: nothing is sorted.
    owner, rows = entries(starts, group)
    own, other = scores[relevant][owner], scores[rows]
    before = (other > own) | ((other == own) & (rows < relevant[owner]))
    places = np.bincount(owner[before], minlength=len(relevant))
    gains = np.where(places < CUTOFF, labels[relevant] / np.log2(places + 2), 0)
    return np.bincount(group, gains, minlength=len(sizes)).astype(np.float64)
