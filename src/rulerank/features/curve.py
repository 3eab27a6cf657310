"""The logistic curve from a score to a probability of relevance."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from rulerank.arrays import FloatArray


def probabilities(scores: NDArray[np.floating], curve: Mapping[str, float]) -> FloatArray:
    """Return what a fitted curve makes of scores: probabilities of relevance (Platt 1999).

    Parameters
    ----------
    scores : array
        Scores of the ranker that the curve was fitted to.
    curve : mapping
        Its `slope` and `intercept`; `Model.curve`.

    """
    stated: FloatArray = expit(curve["slope"] * scores + curve["intercept"])
    return stated
