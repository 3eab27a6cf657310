"""The hits of a run: the first passages of each question with their scores, and none of the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from rulerank.arrays import BoolArray, FloatArray, IntArray, begins, order_by_score


@dataclass(frozen=True, eq=False)
class Hits:
    """The first passages of a run, question by question, best first.

    Parameters
    ----------
    rows, columns : int arrays of shape (hits,)
        Question and passage of each hit.
    scores : array of shape (hits,)
        Descending within a question.

    """

    rows: IntArray
    columns: IntArray
    scores: NDArray[np.floating]

    @cached_property
    def ranks(self) -> IntArray:
        """Ranks from 1, shape (hits,)."""
        return np.arange(len(self.rows)) - np.searchsorted(self.rows, self.rows) + 1

    def first(self, depth: int) -> Hits:
        """Return the first `depth` hits of each question."""
        kept = self.ranks <= depth
        return Hits(self.rows[kept], self.columns[kept], self.scores[kept])

    def without(self, absent: IntArray, width: int) -> Hits:
        """Return the hits except for some, each given as question * width + passage."""
        kept = np.isin(self.rows * width + self.columns, absent, invert=True)
        return Hits(self.rows[kept], self.columns[kept], self.scores[kept])

    def ranks_of(self, rows: IntArray, columns: IntArray, width: int) -> FloatArray:
        """Return the ranks of given pairs, NaN if the run does not hold one.

        Parameters
        ----------
        rows, columns : int arrays of shape (pairs,)
            Question and passage of each pair.
        width : int
            An upper bound of the passages, exclusive.

        """
        keys = self.rows * width + self.columns
        order = np.argsort(keys)
        return lookup(keys[order], self.ranks[order].astype(np.float32), rows * width + columns)


Value = TypeVar("Value", np.float32, np.float64, np.int64)

Found = Mapping[str, Hits]
"""The hits of the runs so far, by name."""

NOTHING: Found = MappingProxyType({})


def joined(parts: Sequence[tuple[IntArray, FloatArray]]) -> Hits:
    """Return the hits of several questions, each given as passages and their descending scores."""
    rows = np.repeat(np.arange(len(parts)), [len(columns) for columns, _ in parts])
    columns = np.concatenate([np.empty(0, np.int64), *(columns for columns, _ in parts)])
    scores = np.concatenate([np.empty(0, np.float32), *(scores for _, scores in parts)])
    return Hits(rows, columns, scores)


def best_hits(rows: IntArray, columns: IntArray, scores: FloatArray, depth: int) -> Hits:
    """Return the first `depth` of each question's scored passages.

    Parameters
    ----------
    rows, columns : int arrays of shape (scored,)
        Question and passage, question by question; passages ascending, because ties are ordered by place.
    scores : array of shape (scored,)
        Their scores.
    depth : int
        Maximum number of hits per question.

    """
    order = order_by_score(rows, scores)
    return Hits(rows[order], columns[order], scores[order]).first(depth)


def union(found: Sequence[Hits], width: int) -> tuple[IntArray, IntArray]:
    """Return question and passage of every hit of some runs, each pair once, in ascending order."""
    keys = np.sort(
        np.concatenate([np.empty(0, np.int64), *(each.rows * width + each.columns for each in found)])
    )
    keys = keys[begins(keys)]
    return keys // width, keys % width


def among(keys: IntArray, wanted: IntArray) -> BoolArray:
    """Return which wanted keys are among the ascending `keys`, shape of `wanted`."""
    if not len(keys):
        return np.zeros(len(wanted), np.bool_)
    held: BoolArray = keys[np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)] == wanted
    return held


def lookup(
    keys: IntArray, values: NDArray[Value], wanted: IntArray, missing: float = np.nan
) -> NDArray[Value]:
    """Return the values of wanted keys, `missing` for keys that are absent.

    Parameters
    ----------
    keys : int array of shape (K,)
        Ascending, each once.
    values : array of shape (K,)
        The value of each key.
    wanted : int array of shape (W,)
        The keys to look up.
    missing : float, optional (default=NaN)
        The value of an absent key.

    """
    if not len(keys):
        return np.full(len(wanted), missing, values.dtype)
    places = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[places] == wanted, values[places], missing).astype(values.dtype, copy=False)
