"""Lists of different lengths in two flat arrays: postings, neighbours, ancestors, judged passages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from rulerank.arrays import Array, FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Ragged:
    """N lists of non-negative integers, each with a weight; a sparse matrix of N rows, seen row by row.

    Parameters
    ----------
    starts : int array of shape (N + 1,)
        Where each list begins, then where the last one ends.
    items : int32 array of shape (entries,)
        The lists, one after the other.
    weights : float32 array of shape (entries,)
        The weight of each item.

    """

    starts: NDArray[np.integer]
    items: NDArray[np.int32]
    weights: FloatArray

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def sizes(self) -> IntArray:
        """The number of items in each list, shape (N,)."""
        return np.diff(self.starts).astype(np.int64)

    @property
    def owners(self) -> IntArray:
        """The list that each entry belongs to, shape (entries,)."""
        return np.repeat(np.arange(len(self)), self.sizes)

    def sizes_of(self, rows: NDArray[np.integer]) -> IntArray:
        """Return how many items each of some lists has, in the shape of `rows`."""
        sizes: IntArray = (self.starts[np.asarray(rows) + 1] - self.starts[rows]).astype(np.int64)
        return sizes

    def of(self, row: int) -> NDArray[np.int32]:
        """Return the items of one list."""
        return self.items[self.starts[row] : self.starts[row + 1]]

    def places(self, rows: NDArray[np.integer]) -> tuple[IntArray, IntArray]:
        """Find the entries of some lists.

        Parameters
        ----------
        rows : int array of shape (R,)
            The lists, in any order, repeats allowed.

        Returns
        -------
        owner, places : int arrays of shape (entries found,)
            Which of `rows` each entry belongs to, and where it stands in `items`.

        """
        return entries(self.starts, rows)

    def take(self, rows: NDArray[np.integer]) -> tuple[IntArray, IntArray, FloatArray]:
        """Return owner, item and weight of the entries of some lists; `places` says what an owner is."""
        owner, places = self.places(rows)
        return owner, self.items[places].astype(np.int64), self.weights[places]

    def among(self, rows: IntArray) -> FloatArray:
        """Return the weights of what some lists hold of each other, shape (R, R).

        Parameters
        ----------
        rows : int array of shape (R,)
            The lists, in any order, each once; items are taken for lists too.

        """
        owner, items, weights = self.take(rows)
        order = np.argsort(rows)
        places = np.minimum(np.searchsorted(rows[order], items), len(rows) - 1)
        places = order[places]
        within = rows[places] == items
        table = np.zeros((len(rows), len(rows)), np.float32)
        table[owner[within], places[within]] = weights[within]
        return table

    def matrix(self, width: int) -> sparse.csr_array:
        """Return the lists as a sparse matrix of shape (N, width) over the same arrays."""
        return sparse.csr_array((self.weights, self.items, self.starts), shape=(len(self), width))

    def arrays(self, name: str) -> dict[str, Array]:
        """Return the arrays by the names that `ragged_from` reads."""
        return {f"{name}.starts": self.starts, f"{name}.items": self.items, f"{name}.weights": self.weights}


def entries(starts: NDArray[np.integer], rows: NDArray[np.integer]) -> tuple[IntArray, IntArray]:
    """Find the entries of some groups that stand one after the other.

    Parameters
    ----------
    starts : int array of shape (N + 1,)
        Where each group begins, then where the last one ends.
    rows : int array of shape (R,)
        The groups, in any order, repeats allowed.

    Returns
    -------
    owner, places : int arrays of shape (entries found,)
        Which of `rows` each entry belongs to, and where it stands.

    """
    first = starts[rows].astype(np.int64)
    sizes = starts[np.asarray(rows) + 1] - first
    ends = np.cumsum(sizes)
    total = int(ends[-1]) if len(ends) else 0
    owner = np.repeat(np.arange(len(rows)), sizes)
    return owner, np.arange(total) + np.repeat(first - ends + sizes, sizes)


def ragged_from(arrays: Mapping[str, NDArray[np.generic]], name: str) -> Ragged:
    """Return the lists whose arrays `Ragged.arrays` named."""
    return Ragged(*(cast("Any", arrays[f"{name}.{part}"]) for part in ("starts", "items", "weights")))


def ragged(matrix: sparse.csr_array) -> Ragged:
    """Return the rows of a sparse matrix as lists, items ascending."""
    matrix = sparse.csr_array(matrix)
    matrix.sort_indices()
    wide = len(matrix.data) > np.iinfo(np.int32).max
    starts: NDArray[np.integer] = matrix.indptr.astype(np.int64 if wide else np.int32)
    return Ragged(starts, matrix.indices.astype(np.int32), matrix.data.astype(np.float32))


def transposed(lists: Ragged, size: int) -> Ragged:
    """Return, for each of `size` items, the lists that hold it."""
    return ragged(sparse.csr_array(lists.matrix(size).T))
