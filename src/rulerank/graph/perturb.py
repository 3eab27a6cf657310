"""The graph with some of its edges dropped or rewired: how much a ranking depends on correct edges."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
import polars as pl

from rulerank.arrays import IntArray
from rulerank.graph.adjacency import ancestors, parents
from rulerank.graph.loops import without_loops
from rulerank.tables import EDGES

Change = Literal["dropped", "rewired"]
CHANGES: tuple[Change, ...] = get_args(Change)
SHARES = (0.1, 0.2)
"""The shares of the edges that are changed where a ranking is measured on a changed graph."""


def perturb(
    edges: pl.DataFrame, passage_ids: pl.Series, change: Change, share: float, seed: int
) -> pl.DataFrame:
    """Drop or rewire a share of the edges that lead from passage to passage, of any type.

    A rewired edge keeps its source and leads to a passage drawn at random. PARENT_OF is an exception, because
    it is the tree of the passages and must stay one: the child keeps its place as a child and gets a parent
    drawn from the passages that are higher in the tree. A rewired edge that equals an existing edge counts
    once. Rewired edges by which passages void each other become references, as when a graph is built.

    Parameters
    ----------
    edges : polars.DataFrame
        The edges table. Edges from or to a document or a term stay as they are.
    passage_ids : polars.Series
        The N passages.
    change : {"dropped", "rewired"}
        What happens to the edges.
    share : float
        Share of the edges from passage to passage, in [0, 1]; their number is rounded.
    seed : int
        Seed for drawing the edges, the same ones for both changes, and their new ends.

    Returns
    -------
    polars.DataFrame
        The edges table, in the order of `edges`.

    """
    ids = passage_ids.implode()
    between = (
        edges.select(pl.col("source_id").is_in(ids) & pl.col("target_id").is_in(ids)).to_series().to_numpy()
    )
    generator = np.random.default_rng(seed)
    places = generator.permutation(np.flatnonzero(between))[: round(share * between.sum())]
    drawn = np.zeros(edges.height, bool)
    drawn[places] = True
    if change == "dropped":
        return edges.filter(~pl.Series(drawn))
    depth = ancestors(parents(edges, passage_ids).astype(np.int64)).sizes
    rewired = (
        edges.with_row_index("place")
        .filter(pl.Series(drawn))
        .pipe(_rewire, passage_ids, depth, generator)
        .vstack(edges.with_row_index("place").filter(~pl.Series(drawn)))
        .sort("place")
        .drop("place")
    )
    once = EDGES.check(rewired.unique(EDGES.key, keep="first", maintain_order=True), "perturb")
    return without_loops(once)


def _rewire(
    edges: pl.DataFrame, passage_ids: pl.Series, depth: IntArray, generator: np.random.Generator
) -> pl.DataFrame:
    rows = pl.DataFrame({"id": passage_ids, "row": np.arange(len(passage_ids))})
    source, target = (
        edges.select(id=end).join(rows, on="id", how="left", maintain_order="left")["row"].to_numpy()
        for end in ("source_id", "target_id")
    )
    tree = (edges["type"] == "PARENT_OF").to_numpy()
    # Draw from one place fewer than passages, and move places from the source on up by one: no self-edges.
    other = generator.integers(0, max(len(passage_ids) - 1, 1), size=len(source))
    other += other >= source
    # In the order of depth, the passages above a child come first.
    by_depth = np.argsort(depth, kind="stable")
    above = np.searchsorted(depth[by_depth], depth[target])
    parent = by_depth[(generator.random(len(source)) * above).astype(np.int64)]
    return edges.with_columns(
        source_id=passage_ids[np.where(tree, parent, source)],
        target_id=passage_ids[np.where(tree, target, other)],
    )
