"""Trees as an engine holds them after reading a file, and the path that rows take through them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rulerank.arrays import BoolArray, DoubleArray, FloatArray, IntArray

ROWS = 1000
"""The number of rows that walk through the trees at once; bounds memory."""


class Split(NamedTuple):
    """A split as a file states it; `left` and `right` are what the file has in the children's places."""

    column: int
    threshold: float
    missing_left: bool
    left: Any
    right: Any


class Leaf(NamedTuple):
    """A leaf as a file states it."""

    value: float


@dataclass(frozen=True, eq=False)
class Forest:
    """All nodes of T trees as an engine holds them.

    Parameters
    ----------
    below : bool
        Whether a value goes left if it is below the threshold, rather than at most the threshold.
    single : bool
        Whether the engine keeps leaves and their sum in single precision.
    roots : int array of shape (T,)
        The first node of each tree.
    column, left, right : int arrays of shape (nodes,)
        The column that a split tests, and the nodes it leads to; a leaf leads to itself.
    threshold : array of shape (nodes,), float64
        The threshold as the engine compares it.
    missing_left : boolean array of shape (nodes,)
        Whether a missing value goes left.
    place : int array of shape (nodes,)
        For a leaf, how many leaves of its tree are to its left; -1 for a split.
    value : array of shape (nodes,), float64
        What a leaf adds.

    """

    below: bool
    single: bool
    roots: IntArray
    column: IntArray
    left: IntArray
    right: IntArray
    threshold: DoubleArray
    missing_left: BoolArray
    place: IntArray
    value: DoubleArray

    def ends(self, matrix: FloatArray) -> IntArray:
        """Return the node at which each row ends in each tree, shape (rows, T).

        Parameters
        ----------
        matrix : array of shape (rows, columns), float32
            The values as the engine has computed them; NaN for a missing one.

        """
        parts = [self._ends(matrix[start : start + ROWS]) for start in range(0, len(matrix), ROWS)]
        return np.concatenate(parts) if parts else np.empty((0, len(self.roots)), np.int64)

    def _ends(self, matrix: FloatArray) -> IntArray:
        row = np.repeat(np.arange(len(matrix)), len(self.roots))
        end = np.tile(self.roots, len(matrix))
        moving = np.flatnonzero(self.place[end] < 0)
        while len(moving):
            node = end[moving]
            values = matrix[row[moving], self.column[node]].astype(np.float64)
            bound = self.threshold[node]
            left = values < bound if self.below else values <= bound
            left = np.where(np.isnan(values), self.missing_left[node], left)
            end[moving] = np.where(left, self.left[node], self.right[node])
            moving = moving[self.place[end[moving]] < 0]
        return end.reshape(len(matrix), len(self.roots))

    def scores(self, ends: IntArray) -> DoubleArray:
        """Return the scores of rows that end at some nodes, shape (rows,)."""
        if not self.single:
            exact: DoubleArray = self.value[ends].sum(axis=1)
            return exact
        values = self.value[ends].astype(np.float32)
        # One after the other, as an engine adds them: numpy would add them pairwise.
        total: NDArray[np.float32] = np.add.accumulate(values, axis=1, dtype=np.float32)[:, -1]
        return total.astype(np.float64)


def read_forest(
    trees: Iterable[Any], read: Callable[[Any], Split | Leaf], *, below: bool, single: bool
) -> Forest:
    """Gather trees from the objects that a file has for their roots.

    Parameters
    ----------
    trees : iterable
        The roots.
    read : callable
        Returns what a node is; its children are read in turn.
    below, single : bool
        As in `Forest`.

    """
    roots: list[int] = []
    # Of each node: column, threshold, missing_left, place and value.
    nodes: list[tuple[int, float, bool, int, float]] = []
    children: list[list[int]] = []
    for root in trees:
        roots.append(len(nodes))
        leaves = 0
        # The objects still to be read, and which child of which node each one is.
        waiting: list[tuple[Any, int, int]] = [(root, -1, 0)]
        while waiting:
            stated, above, side = waiting.pop()
            number, node = len(nodes), read(stated)
            if above >= 0:
                children[above][side] = number
            children.append([number, number])
            if isinstance(node, Leaf):
                nodes.append((0, 0.0, False, leaves, node.value))
                leaves += 1
            else:
                nodes.append((node.column, node.threshold, node.missing_left, -1, 0.0))
                waiting += [(node.right, number, 1), (node.left, number, 0)]
    column, threshold, missing, place, value = zip(*nodes, strict=True) if nodes else ((),) * 5
    sides = np.array(children, np.int64).reshape(-1, 2)
    return Forest(
        below,
        single,
        np.array(roots, np.int64),
        np.array(column, np.int64),
        sides[:, 0],
        sides[:, 1],
        np.array(threshold, np.float64),
        np.array(missing, np.bool_),
        np.array(place, np.int64),
        np.array(value, np.float64),
    )
