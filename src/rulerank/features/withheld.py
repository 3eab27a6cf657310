"""Which judgements a question must not see when its features are made."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence, Sized
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rulerank.arrays import BoolArray, IntArray

UNSEEN = -1
"""The cluster of a question whose judgements are in no training data."""

NOTHING, DOCUMENTS, SECTIONS, PASSAGES = range(4)
"""What is hidden from a question besides its own cluster: half of the documents, sections or passages."""

_MULTIPLIERS = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9)
"""The finaliser of SplitMix64 (Steele, Lea and Flood 2014): every bit of the key affects the highest."""


@dataclass(frozen=True, eq=False)
class Withheld:
    """The judgements that each of Q questions must not see.

    The judgements of its own cluster are its answers. For some training questions, half of the rulebook is
    hidden as well, as if nobody had judged it yet. Only in this way can a ranker learn that a rule without
    evidence may be relevant. The hidden half is drawn without looking at the relevant passages, so it reveals
    nothing about them.

    Parameters
    ----------
    clusters : int array of shape (Q,)
        Cluster of each question, `UNSEEN` for a question that is in no training data.
    levels : int array of shape (Q,)
        `NOTHING`, `DOCUMENTS`, `SECTIONS` or `PASSAGES`.
    salts : uint64 array of shape (Q,)
        Decides which half is hidden.

    """

    clusters: IntArray
    levels: IntArray
    salts: NDArray[np.uint64]

    def __len__(self) -> int:
        return len(self.clusters)

    def part(self, start: int, stop: int) -> Withheld:
        """Return the questions from `start` up to `stop`."""
        return self.take(slice(start, stop))

    def take(self, rows: IntArray | slice) -> Withheld:
        """Return the selected questions, in the order of `rows`."""
        return Withheld(self.clusters[rows], self.levels[rows], self.salts[rows])

    def hides(self, rows: IntArray, units: Sequence[IntArray]) -> BoolArray:
        """Return which pairs are hidden.

        Parameters
        ----------
        rows : int array of shape (pairs,)
            The question of each pair.
        units : sequence of three int arrays of shape (pairs,)
            Document, section and passage of each pair.

        """
        hidden = np.zeros(len(rows), np.bool_)
        if not self.levels.any():
            return hidden
        levels = self.levels[rows]
        for level, unit in zip((DOCUMENTS, SECTIONS, PASSAGES), units, strict=True):
            among = np.flatnonzero(levels == level)
            key = unit[among].astype(np.uint64) * _MULTIPLIERS[0] + self.salts[rows[among]]
            key = (key ^ (key >> np.uint64(30))) * _MULTIPLIERS[1]
            hidden[among] = (key >> np.uint64(63)).astype(np.bool_)
        return hidden


def of_clusters(clusters: IntArray) -> Withheld:
    """Return an instance that hides only each question's own cluster."""
    nothing = np.zeros(len(clusters), np.int64)
    return Withheld(clusters, nothing, nothing.astype(np.uint64))


def nothing_withheld(questions: Sized) -> Withheld:
    """Return what is withheld from questions that are in no training data: nothing."""
    return of_clusters(np.full(len(questions), UNSEEN, np.int64))


def draw_withheld(clusters: IntArray, query_ids: Sequence[str], as_new: BoolArray, seed: int) -> Withheld:
    """Draw what is hidden from training questions besides their own clusters.

    Parameters
    ----------
    clusters : int array of shape (Q,)
        Cluster of each question.
    query_ids : sequence of str
        Their ids. The draw depends on these and on the seed, not on the order of the questions.
    as_new : boolean array of shape (Q,)
        The questions from which something is hidden.
    seed : int
        Seed of the draw.

    """
    keys = [hashlib.sha256(f"{seed}:{query}".encode()).digest() for query in query_ids]
    numbers = np.frombuffer(b"".join(keys), np.uint64).reshape(len(query_ids), -1)
    levels = np.where(as_new, DOCUMENTS + (numbers[:, 1] % np.uint64(3)).astype(np.int64), NOTHING)
    return Withheld(clusters, levels, numbers[:, 2].copy())
