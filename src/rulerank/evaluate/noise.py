"""Relevant passages among others: what a question is given to see whether the others do harm."""

from __future__ import annotations

from dataclasses import dataclass
from zlib import crc32

import numpy as np
import polars as pl

from rulerank.arrays import IntArray
from rulerank.graph.adjacency import adjacency
from rulerank.ragged import Ragged
from rulerank.tables import EDGE_TYPES, has_text

SIZE = 10
"""Number of passages, noise included, for one question (RefWalk's oracle context)."""


@dataclass(frozen=True, eq=False)
class Noise:
    """Adds other passages to a question's relevant passages.

    Parameters
    ----------
    near : Ragged
        For each of N passages, those that an edge of any type connects with it.
    with_text : int array
        Rows of the passages that can be added.
    seed : int
        Draws the passages of a question, together with its id.

    """

    near: Ragged
    with_text: IntArray
    seed: int

    @classmethod
    def build(cls, edges: pl.DataFrame, passages: pl.DataFrame, seed: int) -> Noise:
        """Take the neighbours from the edges table."""
        near = adjacency(edges, passages["passage_id"], list(EDGE_TYPES), "both")
        with_text = np.flatnonzero(has_text(passages).to_numpy())
        return cls(near, with_text, seed)

    def around(self, query_id: str, relevant: IntArray) -> IntArray:
        """Return relevant passages with drawn neighbours, then drawn others, `SIZE` in all; rows, ascending.

        A relevant passage is never left out, however many there are.
        """
        generator = np.random.default_rng([self.seed, crc32(query_id.encode())])
        neighbours = np.intersect1d(self.near.take(relevant)[1], self.with_text)
        near = generator.permutation(np.setdiff1d(neighbours, relevant))
        others = generator.permutation(np.setdiff1d(self.with_text, np.append(relevant, near)))
        given = np.concatenate([relevant, near, others])
        return np.sort(given[: max(SIZE, len(relevant))]).astype(np.int64)
