"""When to believe judgements: learned from training questions, as they are and as if their rules were new."""

from __future__ import annotations

import numpy as np
from sklearn.linear_model import LogisticRegression

from rulerank.arrays import FloatArray

COVERED = 0.98
"""Share of a question's leaders in judged documents from which on judgements may bear on it.

Nearly all: a new rule among the last leaders does not make a question new. It cannot be learnt as the judged
share is. Whole documents cannot be made as if new, as passages can: the first pass, which finds the leaders,
knows the documents, and would find more of them than it does in new ones.
"""


def least_judged(known: FloatArray, new: FloatArray) -> float | None:
    """Tell questions about judged rules from questions about new ones.

    Parameters
    ----------
    known : array of shape (questions,)
        The share of their leaders that is judged, for training questions that see the judgements of others.
    new : array of shape (questions,)
        The same where no judgement of a passage that answers the question is seen, nor any other of the
        questions that made them: so stand questions about rules that nobody has judged.

    Returns
    -------
    float or None
        The share from which a question is rather of the first kind, by logistic regression, both kinds
        weighing the same. None where the share tells nothing.

    """
    if not len(known) or not len(new):
        return None
    shares = np.concatenate([known, new]).reshape(-1, 1)
    labels = np.repeat([1, 0], [len(known), len(new)])
    line = LogisticRegression(C=1e6, class_weight="balanced").fit(shares, labels)
    slope, intercept = float(line.coef_[0, 0]), float(line.intercept_[0])
    return -intercept / slope if slope > 0 else None
