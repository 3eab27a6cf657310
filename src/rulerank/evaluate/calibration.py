"""Whether stated probabilities hold."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl
from scipy.stats import binomtest

from rulerank.arrays import FloatArray, IntArray
from rulerank.features.curve import probabilities

BINS = 10
"""Parts of the scale from 0 to 1 in which stated probabilities are compared with judgements."""


def calibration_error(stated: FloatArray, relevant: FloatArray) -> float:
    """Return the expected calibration error over `BINS` bins of equal width (Naeini et al. 2015)."""
    place = _bins(stated)
    total = 0.0
    for each in np.unique(place):
        inside = place == each
        total += inside.mean() * abs(float(np.mean(stated[inside])) - float(np.mean(relevant[inside])))
    return float(total)


def calibration_table(scores: FloatArray, labels: IntArray, curve: Mapping[str, float]) -> pl.DataFrame:
    """Compare the stated probabilities with the judgements, in each of `BINS` equal parts of the scale.

    Parameters
    ----------
    scores, labels : arrays of shape (pairs,)
        Scores of the ranker, and relevance.
    curve : mapping
        `slope` and `intercept` of the bundle's logistic curve.

    Returns
    -------
    frame with columns probability, relevant, low, high, pairs
        Mean stated probability, and share of relevant pairs with its 95 % interval (Wilson, JASA 1927). An
        empty part has no row.

    """
    stated = probabilities(scores, curve)
    bin_ = _bins(stated)
    counts = np.bincount(bin_, minlength=BINS)
    filled = counts > 0
    pairs = counts[filled]
    # Summed row by row. A threaded group-by adds up in another order each time, so the last digits differ.
    totals, hits = (np.bincount(bin_, each, minlength=BINS)[filled] for each in (stated, labels > 0))
    intervals = [
        binomtest(int(found), int(count)).proportion_ci(method="wilson")
        for found, count in zip(hits, pairs, strict=True)
    ]
    return pl.DataFrame(
        {
            "probability": totals / pairs,
            "relevant": hits / pairs,
            "low": [float(interval.low) for interval in intervals],
            "high": [float(interval.high) for interval in intervals],
            "pairs": pairs.astype(np.int64),
        }
    )


def _bins(stated: FloatArray) -> IntArray:
    bins: IntArray = np.minimum((np.asarray(stated) * BINS).astype(np.int64), BINS - 1)
    return bins
