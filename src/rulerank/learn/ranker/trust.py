"""When to believe judgements: learned from training questions, as they are and as if their rules were new."""

from __future__ import annotations

import numpy as np
from sklearn.linear_model import LogisticRegression

from rulerank.arrays import FloatArray
from rulerank.features.trust import LOOKED_AT, Trust


def fit_trust(known: FloatArray, new: FloatArray) -> Trust | None:
    """Tell questions about judged rules from questions about new ones.

    Parameters
    ----------
    known : array of shape (questions, 2)
        The values of `LOOKED_AT` for training questions that see the judgements of others.
    new : array of shape (questions, 2)
        The same where nothing is seen that judges what answers the question: so stand questions about rules
        that nobody has judged.

    Returns
    -------
    Trust or None
        A line by logistic regression, both kinds weighing the same. A feature that speaks for new rules
        where it is high says something else than it should, and is left out. None where none is left:
        judgements are then always believed.

    """
    if not len(known) or not len(new):
        return None
    shares = np.concatenate([known, new])
    labels = np.repeat([1, 0], [len(known), len(new)])
    used = list(range(len(LOOKED_AT)))
    while used:
        line = LogisticRegression(C=1e6, class_weight="balanced").fit(shares[:, used], labels)
        weights = line.coef_[0]
        if (weights > 0).all():
            named = {LOOKED_AT[column]: float(weight) for column, weight in zip(used, weights, strict=True)}
            return Trust(named, float(line.intercept_[0]))
        used.pop(int(weights.argmin()))
    return None
