"""Fusion of runs into one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rulerank.arrays import FloatArray


def reciprocal_rank_fusion(ranks: Sequence[FloatArray], k: int = 60) -> FloatArray:
    """Fuse runs by the sum over runs of 1 / (k + rank).

    Source: Cormack, Clarke and Buettcher, "Reciprocal Rank Fusion outperforms Condorcet and individual
    Rank Learning Methods", SIGIR 2009.

    Parameters
    ----------
    ranks : sequence of arrays of shape (queries, passages)
        The rank, from 1, of each passage in each run; NaN where a run does not hold it.
    k : int, optional (default=60)
        Damps the weight of the first ranks.

    Returns
    -------
    array of shape (queries, passages)
        Fused scores; 0 for a passage in no run.

    """
    fused = np.zeros(ranks[0].shape, np.float32)
    for rank in ranks:
        fused += np.nan_to_num(1 / (k + rank), nan=0.0)
    return fused


def weighted_sum(scores: Sequence[FloatArray], weights: Sequence[float]) -> FloatArray:
    """Fuse runs by their scores, each min-max scaled within its question (ObliQA hybrid).

    Parameters
    ----------
    scores : sequence of arrays of shape (queries, passages)
        One a run; -inf where a passage is no candidate of any.
    weights : sequence of float
        Weight of each run.

    Returns
    -------
    array of shape (queries, passages)
        -inf stays; scores that are all equal count as 1.

    """
    total = np.zeros(scores[0].shape, np.float32)
    for values, weight in zip(scores, weights, strict=True):
        finite = np.isfinite(values)
        low = np.min(values, axis=1, keepdims=True, initial=np.inf, where=finite)
        span = np.max(values, axis=1, keepdims=True, initial=-np.inf, where=finite) - low
        scaled = np.where(span > 0, (np.where(finite, values, 0) - low) / np.where(span > 0, span, 1), 1)
        total += weight * np.where(finite, scaled, -np.inf)
    return total
