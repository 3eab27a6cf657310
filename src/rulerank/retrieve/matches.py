"""The terms that questions and passages share, as lexical features look at them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rulerank.arrays import FloatArray, IntArray
from rulerank.ragged import Ragged


@dataclass(frozen=True, eq=False)
class Matches:
    """The terms that questions and passages share, pair by pair.

    Parameters
    ----------
    asked : Ragged
        The distinct known terms of each question and how often each occurs.
    size : int
        Number of pairs.
    pairs : int array of shape (matches,)
        The pair of each match, ascending.
    terms : int array of shape (matches,)
        The place of its term in `asked.items`.
    weights : array of shape (matches,)
        What one occurrence in the question adds to the score.

    """

    asked: Ragged
    size: int
    pairs: IntArray
    terms: IntArray
    weights: FloatArray

    @property
    def scores(self) -> FloatArray:
        """The BM25 score of each pair, shape (pairs,)."""
        return self.total(self.weights * self.asked.weights[self.terms])

    def total(self, values: FloatArray) -> FloatArray:
        """Sum the values of the matches of each pair, shape (pairs,)."""
        return np.bincount(self.pairs, values, self.size).astype(np.float32)
