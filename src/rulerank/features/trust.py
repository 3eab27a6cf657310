"""Whether training judgements bear on a question, or are about other rules than those it asks for.

Trees cannot learn this from the judgements alone. A value that all candidates of a question share never
changes their order, so no tree splits on it first. It is decided beforehand, question by question.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from rulerank.arrays import BoolArray, FloatArray

LEAST = {"leaders_judged": 0.6, "leaders_covered": 0.98}
"""What a question needs for judgements to be trusted: features with one value per question, in [0, 1].

Three fifths of its leaders must be judged: with fewer, judgements cost more on questions about new rules than
they gain on others. Nearly all leaders must be in documents that were asked about: not all, because a new
rule among the last leaders does not make a question new.
"""

LOOKED_AT = tuple(LEAST)


def believed(shares: NDArray[np.floating], least: Mapping[str, float]) -> BoolArray:
    """Return for which questions judgements are to be trusted, shape (questions,).

    Parameters
    ----------
    shares : array of shape (questions, 2)
        Their values of `LOOKED_AT`, in this order; a missing value counts 0.
    least : mapping of str to float
        The least value that a question needs, by feature. A feature that is not named decides nothing.

    """
    needed = np.array([least.get(name, -np.inf) for name in LOOKED_AT])
    enough: BoolArray = (np.nan_to_num(shares) >= needed).all(axis=1)
    return enough


def share_of(probability: FloatArray, meant: BoolArray) -> FloatArray:
    """Return the probability-weighted share of each question's leaders that is meant, shape (questions,).

    Parameters
    ----------
    probability : array of shape (questions, leaders)
        How likely each leader is relevant.
    meant : boolean array of shape (questions, leaders)

    """
    total = np.maximum(probability.sum(axis=1), np.finfo(np.float32).tiny)
    share: FloatArray = (probability * meant).sum(axis=1) / total
    return share.astype(np.float32)
