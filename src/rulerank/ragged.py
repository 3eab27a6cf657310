"""Lists of different lengths in two flat arrays: postings, neighbours, ancestors, judged passages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from rulerank.arrays import Array, BoolArray, FloatArray, IntArray, bounds, starts_of

_AT_ONCE = 1 << 22
"""How many entries are turned round at a time, which bounds the memory it takes."""


@dataclass(frozen=True, eq=False)
class Ragged:
    """N lists of non-negative integers, each with a weight; a sparse matrix of N rows, seen row by row.

    SciPy's matrices hold the same arrays (`rulerank.sparse`). Ranking does without them, since SciPy is a
    quarter of the size of all that it would then have to install.

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

    def sums(self, values: FloatArray) -> FloatArray:
        """Return the weighted sum of the values of each list's items, shape (N, width).

        Parameters
        ----------
        values : array of shape (items, width)
            The values of every item that may be in a list.

        """
        totals = np.zeros((len(self), values.shape[1]), np.float32)
        longest = np.argsort(-self.sizes, kind="stable")
        longer = len(self) - np.cumsum(np.bincount(self.sizes))
        # One item of every list at a time, so that a sum does not depend on the other lists.
        for place, count in enumerate(longer[:-1]):
            rows = longest[:count]
            each = self.starts[rows] + place
            totals[rows] += self.weights[each, None] * values[self.items[each]]
        return totals

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

    def where(self, kept: BoolArray) -> Ragged:
        """Return as many lists, with only the entries that are kept; `kept` has shape (entries,)."""
        before = bounds(kept)
        return Ragged(before[self.starts].astype(self.starts.dtype), self.items[kept], self.weights[kept])

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


def collected(
    owners: NDArray[np.integer], items: NDArray[np.integer], size: int, weights: FloatArray | None = None
) -> Ragged:
    """Return what belongs to each of `size` lists, items ascending.

    Parameters
    ----------
    owners, items : int arrays of shape (entries,)
        List and item of each entry, in any order. A list holds an item once, however often it is given.
    size : int
        Number of lists.
    weights : array of shape (entries,), optional
        The weights; the first of an entry counts. By default they are 1.

    """
    width = int(items.max(initial=0)) + 1
    cells, first = np.unique(owners.astype(np.int64) * width + items, return_index=True)
    weighed = np.ones(len(cells), np.float32) if weights is None else weights[first].astype(np.float32)
    starts = starts_of(cells // width, size)
    return Ragged(_narrow(starts), (cells % width).astype(np.int32), weighed)


def transposed(lists: Ragged, size: int) -> Ragged:
    """Return, for each of `size` items, the lists that hold it, ascending."""
    starts = bounds(np.bincount(lists.items, minlength=size))
    items, weights = np.empty(len(lists.items), np.int32), np.empty(len(lists.items), np.float32)
    free = starts[:-1].copy()
    for begin in range(0, len(items), _AT_ONCE):
        held = lists.items[begin : begin + _AT_ONCE]
        order = np.argsort(held, kind="stable")
        counts = np.bincount(held, minlength=size)
        earlier = np.cumsum(counts) - counts
        places = np.arange(len(held)) + np.repeat(free - earlier, counts)
        entries = begin + order
        items[places] = np.searchsorted(lists.starts, entries, "right") - 1
        weights[places] = lists.weights[entries]
        free += counts
    return Ragged(_narrow(starts), items, weights)


def _narrow(starts: IntArray) -> NDArray[np.integer]:
    """Return the same numbers in four bytes each if they fit."""
    return starts if starts[-1] > np.iinfo(np.int32).max else starts.astype(np.int32)
