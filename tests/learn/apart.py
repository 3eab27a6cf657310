"""Folds of questions that are hidden from the models of their own fold alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rulerank.learn.out_of_fold import Folds


def apart(folds: Sequence[int]) -> Folds:
    """Return the folds of questions, given the fold of each."""
    served_by = np.array(folds)
    return Folds(served_by, served_by[:, None] == np.arange(served_by.max() + 1))
