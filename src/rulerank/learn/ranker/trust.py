"""When to trust judgements: learned from training questions, as they are and as if their rules were new."""

from __future__ import annotations

import numpy as np
from sklearn.linear_model import LogisticRegression

from rulerank.arrays import FloatArray

COVERED = 0.98
"""The least share of a question's leaders in judged documents for judgements to bear on the question.

It is nearly all, because a new rule among the last leaders does not make a question new. Unlike the judged
share, it cannot be learned. Passages can be treated as new, but whole documents cannot: the first pass, which
finds the leaders, knows the documents, and would find more of them than it does in new ones.
"""


def least_judged(known: FloatArray, new: FloatArray) -> float | None:
    """Tell questions about judged rules from questions about new ones.

    Parameters
    ----------
    known : array of shape (questions,)
        The judged share of their leaders, for training questions that see the judgements of others.
    new : array of shape (questions,)
        The same share if two kinds of judgements are hidden: those of passages that answer the question, and
        all others by the training questions that made them. This is the situation of questions about rules
        that nobody has judged.

    Returns
    -------
    float or None
        The share above which a question is more likely of the first kind, by logistic regression with equal
        weight for both kinds. None if the share is not informative.

    """
    if not len(known) or not len(new):
        return None
    shares = np.concatenate([known, new]).reshape(-1, 1)
    labels = np.repeat([1, 0], [len(known), len(new)])
    line = LogisticRegression(C=1e6, class_weight="balanced").fit(shares, labels)
    slope, intercept = float(line.coef_[0, 0]), float(line.intercept_[0])
    return -intercept / slope if slope > 0 else None
