"""How the views order passages that hold every relevant one, and the best possible order of a pool."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from zlib import crc32

import numpy as np
import polars as pl

from rulerank.arrays import FloatArray, IntArray
from rulerank.graph.adjacency import adjacency
from rulerank.ragged import Ragged
from rulerank.refwalk.views import views
from rulerank.refwalk.walk import Gathered, Pool, RefWalk, scored
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


def given_pool(walk: RefWalk, question: str, passages: IntArray) -> Pool:
    """Return given passages as the pool of a question, scored under its views."""
    anchor = walk.anchors(question)
    nothing: FloatArray = np.zeros(len(passages), np.float32)
    gathered = Gathered(anchor, views(question, anchor), passages, np.zeros(len(passages), bool), nothing)
    return scored(gathered, walk.scorer)


def ideal_run(name: str, run: pl.DataFrame, judgements: pl.DataFrame) -> pl.DataFrame:
    """Return a run with the most relevant of its passages first: no order of them scores higher.

    Parameters
    ----------
    name : str
        Name of the result.
    run : polars.DataFrame
        One run of the runs table.
    judgements : polars.DataFrame
        The judgements table.

    """
    keys: Sequence[str] = ("query_id", "passage_id")
    return (
        run.join(judgements.select(*keys, "relevance"), on=keys, how="left", maintain_order="left")
        .sort("query_id", pl.col("relevance").fill_null(0), "rank", descending=[False, True, False])
        .with_columns(run=pl.lit(name), rank=pl.int_range(1, pl.len() + 1, dtype=pl.Int32).over("query_id"))
        .drop("relevance")
    )
