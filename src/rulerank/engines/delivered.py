"""How an engine delivers a feature, and the thresholds that split the delivered values.

Scores of a query are never negative in Lucene. So a cosine is delivered as 1 + cosine or as half of that, in
single precision, and the threshold moves with it: a delivered value takes the path of the cosine it stands
for in LightGBM. This costs resolution but never changes a path: two cosines that differ by less than 2^-24
may be delivered as one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rulerank.arrays import FloatArray
from rulerank.engines.columns import Column
from rulerank.trees.nodes import ZERO, Nodes


@dataclass(frozen=True)
class Delivery:
    """A cosine c is delivered as (c + `offset`) times `scale`, a power of 2."""

    offset: float
    scale: float

    def values(self, cosines: FloatArray) -> FloatArray:
        """Return what the engine computes, float32."""
        delivered: FloatArray = ((cosines.astype(np.float64) + self.offset) * self.scale).astype(np.float32)
        return delivered

    def cosines(self, values: FloatArray) -> FloatArray:
        """Return the cosines that values of the engine stand for, exactly."""
        exact: FloatArray = (values.astype(np.float64) / self.scale - self.offset).astype(np.float32)
        return exact

    def thresholds(self, cosines: FloatArray) -> FloatArray:
        """Return, for each threshold, the greatest value that stands for a cosine up to it."""
        near = self.values(cosines)
        over = near.astype(np.float64) / self.scale - self.offset > cosines
        return np.where(over, np.nextafter(near, np.float32(-np.inf)), near).astype(np.float32)


LARGEST = np.float32(2**40)
"""Beyond every value of a feature; replaces an infinite threshold, which JSON cannot state."""

AS_IT_IS, SHIFTED, HALVED = Delivery(0, 1), Delivery(1, 1), Delivery(1, 0.5)
"""The cosine itself; never negative; between 0 and 1."""


def to_engine(matrix: FloatArray, columns: Sequence[Column], cosine: Delivery) -> FloatArray:
    """Return features as the values that an engine delivers, shape of `matrix`.

    Parameters
    ----------
    matrix : array of shape (rows, columns), float32
        The features.
    columns : sequence of Column
        The features. Words and facts that count as 0 are delivered as 0: the passages are written that way.
    cosine : Delivery
        The delivery of cosine columns.

    """
    delivered = np.where(np.abs(matrix) <= ZERO, np.float32(0), matrix)
    for place, column in enumerate(columns):
        if column.kind == "cosine":
            delivered[:, place] = cosine.values(matrix[:, place])
    return delivered


def from_engine(matrix: FloatArray, columns: Sequence[Column], cosine: Delivery) -> FloatArray:
    """Return the features that values of an engine stand for, shape of `matrix`; undoes `to_engine`."""
    features = matrix.copy()
    for place, column in enumerate(columns):
        if column.kind == "cosine":
            features[:, place] = cosine.cosines(matrix[:, place])
    return features


def thresholds(nodes: Nodes, columns: Sequence[Column], cosine: Delivery) -> FloatArray:
    """Return the threshold of each node for delivered values: left means at most, float32."""
    moved = np.clip(nodes.threshold, -LARGEST, LARGEST).astype(np.float32)
    of_cosine = np.array([column.kind == "cosine" for column in columns])[nodes.column] & ~nodes.leaf
    moved[of_cosine] = cosine.thresholds(moved[of_cosine])
    return moved


def next_float32(values: FloatArray) -> FloatArray:
    """Return the next greater float32: `at most t` is `below` the value after t."""
    return np.nextafter(values, np.float32(np.inf))
