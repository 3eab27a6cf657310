"""From a score, which only orders one question's passages, to a probability of relevance."""

from __future__ import annotations

import numpy as np
from sklearn.linear_model import LogisticRegression

from rulerank.arrays import IntArray


def platt(scores: np.ndarray, labels: IntArray) -> dict[str, float]:
    """Fit a logistic curve to held-out scores (Platt 1999).

    Parameters
    ----------
    scores : array of shape (pairs,)
        Scores of a model that has not seen these pairs.
    labels : array of shape (pairs,)
        Their relevance; above 0 counts as relevant.

    Returns
    -------
    dict
        `slope` and `intercept`: probability = 1 / (1 + exp(-(slope score + intercept))). The slope is at
        least 0, so the curve never reverses the order. If scores mislead, or all labels are alike, every pair
        gets the share of relevant ones (by Laplace's rule of succession).

    """
    relevant = labels > 0
    if relevant.any() and not relevant.all():
        model = LogisticRegression(C=1e6).fit(scores.reshape(-1, 1), relevant)
        if model.coef_[0, 0] > 0:
            return {"slope": float(model.coef_[0, 0]), "intercept": float(model.intercept_[0])}
    return {"slope": 0.0, "intercept": float(np.log((relevant.sum() + 1) / ((~relevant).sum() + 1)))}
