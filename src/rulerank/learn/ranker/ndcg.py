"""nDCG@10 of scored groups, as in `rulerank.evaluate.measures`, for choices made on training folds."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from rulerank.arrays import IntArray

CUTOFF = 10


def ideals(judgements: pl.DataFrame) -> pl.DataFrame:
    """Return query_id and ideal: the DCG@10 of all relevant passages of each judged question, best first."""
    best = judgements.filter(pl.col("relevance") > 0).sort(
        "query_id", "relevance", descending=[False, True], maintain_order=True
    )
    best = best.with_columns(place=pl.int_range(pl.len()).over("query_id")).filter(pl.col("place") < CUTOFF)
    gains = pl.col("relevance") / (pl.col("place") + 2).log(2)
    return best.group_by("query_id", maintain_order=True).agg(ideal=gains.sum())


def dcg(scores: NDArray[np.float64], labels: IntArray, sizes: IntArray) -> NDArray[np.float64]:
    """Return the DCG@10 of each group: linear gains, discount log2(rank + 1), equal scores in row order.

    The nDCG of `rulerank.evaluate.measures` is this divided by `ideals`.

    Parameters
    ----------
    scores, labels : arrays of shape (pairs,)
        Scores and relevance, group by group.
    sizes : int array of shape (groups,)
        Pairs of each group.

    """
    queries = np.repeat(np.arange(len(sizes)), sizes)
    order = np.lexsort((-scores, queries))
    places = np.arange(len(scores)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    top = places < CUTOFF
    gains = labels[order][top] / np.log2(places[top] + 2)
    return np.bincount(queries[top], gains, minlength=len(sizes)).astype(np.float64)
