"""The logistic curve from a score to a probability of relevance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulerank.arrays import FloatArray


def read_curve(said: Mapping[str, Any]) -> dict[str, float]:
    """Return the curve from a JSON object; raise ValueError, KeyError or TypeError otherwise."""
    curve = {name: float(said[name]) for name in ("slope", "intercept")}
    if not np.isfinite([*curve.values()]).all():
        raise ValueError(f"expected finite numbers, found {dict(said)}")
    return curve


def probabilities(scores: NDArray[np.floating], curve: Mapping[str, float]) -> FloatArray:
    """Return the probabilities of relevance that a fitted curve assigns to scores (Platt 1999).

    Parameters
    ----------
    scores : array
        Scores of the ranker on which the curve was fitted.
    curve : mapping
        Its `slope` and `intercept`, as in `Model.curve`.

    """
    # The logarithm keeps a score far below 0 from overflowing. SciPy's own function takes long to import.
    stated: FloatArray = np.exp(-np.logaddexp(0, -(curve["slope"] * scores + curve["intercept"])))
    return stated
