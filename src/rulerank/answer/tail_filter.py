"""The tail filter: how much of a ranked list is worth answering from."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rulerank.arrays import DoubleArray

TOLERANCE = 1e-9
"""Normalised scores this close to a threshold count as equal to it."""


def keep(scores: Sequence[float], tau_min: float = 0.7, tau_delta: float = 0.2) -> int:
    """Return how many passages from the top of a ranked list to keep.

    The scores of the list are min-max normalised (all become 1 if all are equal). The first passage is always
    kept; the i-th is kept while s_i >= tau_min, up to the first drop s_(i-1) - s_i >= tau_delta
    (the score-based tail filter of the ObliQA-MP paper).

    Parameters
    ----------
    scores : sequence of float
        Finite scores in ranked order, the highest first.
    tau_min : float, optional (default=0.7)
        Smallest normalised score to keep.
    tau_delta : float, optional (default=0.2)
        Drop between neighbours at which the rest is cut.

    Returns
    -------
    int
        Length of the kept prefix: 0 for an empty list, otherwise at least 1.

    Raises
    ------
    ValueError
        A score is not finite or higher than the one before it.

    """
    normalised = _normalised(scores)
    return _kept(normalised, tau_min, tau_delta)


def keep_absolute(
    scores: Sequence[float], tau_min: float = 0.72, tau_delta: float = 0.1, most: int = 10
) -> int:
    """Return how many passages from the top of a ranked list the hybrid system keeps.

    Its scores are a weighted sum of min-max normalised scores, in [0, 1], and are compared as they are.
    Passages are kept from the first while s_i >= tau_min and s_(i-1) - s_i < tau_delta, at most `most` (the
    tail filter of the hybrid ObliQA system). Scores of another range are min-max normalised first.

    Parameters
    ----------
    scores : sequence of float
        Finite scores in ranked order, the highest first.
    tau_min, tau_delta : float, optional
        As in `keep`.
    most : int, optional (default=10)
        Longest prefix.

    Returns
    -------
    int
        Length of the kept prefix: 0 for an empty list, otherwise at least 1.

    Raises
    ------
    ValueError
        A score is not finite or higher than the one before it.

    """
    values = _ranked(scores)
    inside = values.size == 0 or (values[-1] >= 0 and values[0] <= 1)
    return min(most, _kept(values if inside else _normalised(scores), tau_min, tau_delta))


def _ranked(scores: Sequence[float]) -> DoubleArray:
    values = np.asarray(scores, dtype=np.float64)
    if not np.isfinite(values).all() or (np.diff(values) > 0).any():
        raise ValueError("expected finite scores in ranked order, the highest first")
    return values


def _normalised(scores: Sequence[float]) -> DoubleArray:
    values = _ranked(scores)
    span = values[0] - values[-1] if values.size else 0.0
    return (values - values[-1]) / span if span > 0 else np.ones_like(values)


def _kept(values: DoubleArray, tau_min: float, tau_delta: float) -> int:
    low = values[1:] < tau_min - TOLERANCE
    drop = -np.diff(values) >= tau_delta - TOLERANCE
    cut = np.flatnonzero(low | drop)
    return int(cut[0]) + 1 if cut.size else int(values.size)
