"""The tail filter: how much of a ranked list is worth answering from."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

TOLERANCE = 1e-9
"""Normalised scores this close to a threshold count as equal to it."""


def keep(scores: Sequence[float], tau_min: float = 0.7, tau_delta: float = 0.2) -> int:
    """Return how many passages from the top of a ranked list to keep.

    The scores of the one list are min-max normalised (all equal: all 1). The first passage is always
    kept; the i-th is kept while s_i >= tau_min, up to the first drop s_(i-1) - s_i >= tau_delta
    (the score-based tail filter of the ObliQA-MP paper).

    Parameters
    ----------
    scores : sequence of float
        Finite scores in ranked order, the highest first.
    tau_min : float
        Smallest normalised score to keep.
    tau_delta : float
        Drop between neighbours from which the rest is cut.

    Returns
    -------
    int
        Length of the kept prefix: 0 for an empty list, otherwise at least 1.

    Raises
    ------
    ValueError
        A score is not finite or higher than the one before it.

    """
    values = np.asarray(scores, dtype=np.float64)
    if not np.isfinite(values).all() or (np.diff(values) > 0).any():
        raise ValueError("expected finite scores in ranked order, the highest first")
    if values.size == 0:
        return 0
    span = values[0] - values[-1]
    normalised = (values - values[-1]) / span if span > 0 else np.ones_like(values)
    low = normalised[1:] < tau_min - TOLERANCE
    drop = -np.diff(normalised) >= tau_delta - TOLERANCE
    cut = np.flatnonzero(low | drop)
    return int(cut[0]) + 1 if cut.size else int(values.size)
