"""Candidates of one question that belong together: in one document, in one section, or below one another."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rulerank.arrays import FloatArray, IntArray, numbered
from rulerank.features.surroundings import Surroundings
from rulerank.retrieve.hits import lookup


@dataclass(frozen=True, eq=False)
class Families:
    """The pairs of a batch in groups, each within one question.

    Parameters
    ----------
    around : Surroundings
        The place of each of N passages.
    rows, columns : int arrays of shape (pairs,)
        Question and passage of each candidate, question by question.

    """

    around: Surroundings
    rows: IntArray
    columns: IntArray

    @cached_property
    def document(self) -> IntArray:
        """Number of each pair's group: the candidates of its question in its document, shape (pairs,)."""
        return self._grouped(self.around.documents)

    @cached_property
    def section(self) -> IntArray:
        """Number of each pair's group: the candidates of its question in its section, shape (pairs,)."""
        return self._grouped(self.around.sections)

    @cached_property
    def parents(self) -> IntArray:
        """The pair of each pair's parent for the same question, -1 if there is none, shape (pairs,)."""
        above, width = self.around.parents[self.columns], len(self.around.parents)
        keys, number = self.rows * width + self.columns, np.arange(len(self.rows), dtype=np.int64)
        return np.where(above >= 0, lookup(keys, number, self.rows * width + above, -1), -1)

    def child_max(self, values: FloatArray) -> FloatArray:
        """Return, for each pair, the greatest value among its children; NaN if it has none."""
        greatest = np.full(len(values), np.nan, np.float32)
        np.fmax.at(greatest, self.parents[self._beneath], values[self._beneath])
        return greatest

    @cached_property
    def _beneath(self) -> IntArray:
        """The pairs whose parent is also a pair."""
        return np.flatnonzero(self.parents >= 0)

    def _grouped(self, families: IntArray) -> IntArray:
        return numbered(self.rows * len(self.around.parents) + families[self.columns])[1]


def sum_of_others(groups: IntArray, values: FloatArray) -> FloatArray:
    """Sum a value over the other pairs of each pair's group, such as `Families.section`."""
    totals = np.bincount(groups, values, 0)
    return (totals[groups] - values).astype(np.float32)
