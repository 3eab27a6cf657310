"""How far training judgements bear on a question, or are about other rules than those it asks for.

Trees cannot learn this from the judgements alone. A value that all candidates of a question share never
changes their order, so no tree splits on it first. It is decided beforehand, question by question.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from rulerank.arrays import BoolArray, DoubleArray, FloatArray

Limits = Mapping[str, Sequence[float]]

COVERED = 0.98
"""From where judgements are trusted, of `leaders_covered`: nearly all leaders are in documents asked about.

Not all, because a new rule among the last leaders does not make a question new.
"""

LOOKED_AT = ("leaders_judged", "leaders_covered")
"""The features with one value per question, in [0, 1], that decide it."""


def trusted(shares: NDArray[np.floating], limits: Limits) -> DoubleArray:
    """Return how far judgements are to be trusted for each question: 0, 1/2 or 1, shape (questions,).

    Parameters
    ----------
    shares : array of shape (questions, 2)
        Their values of `LOOKED_AT`, in this order; a missing value counts 0.
    limits : mapping of str to sequence of two floats
        By feature, the values that a question needs to be trusted by half, and fully. The lowest trust of all
        features counts. A feature that is not named decides nothing.

    """
    needed = np.array([limits.get(name, (-np.inf, -np.inf)) for name in LOOKED_AT])
    trust: DoubleArray = (np.nan_to_num(shares)[:, :, None] >= needed).mean(axis=2).min(axis=1)
    return trust


def share_of(probability: FloatArray, meant: BoolArray) -> FloatArray:
    """Return the probability-weighted share of some of each question's leaders, shape (questions,).

    Parameters
    ----------
    probability : array of shape (questions, leaders)
        How likely each leader is relevant.
    meant : boolean array of shape (questions, leaders)
        Which leaders the share is of.

    """
    total = np.maximum(probability.sum(axis=1), np.finfo(np.float32).tiny)
    share: FloatArray = (probability * meant).sum(axis=1) / total
    return share.astype(np.float32)
