"""Passages that void each other: nothing says which of them came last, so none of them is void."""

from __future__ import annotations

import numpy as np
import polars as pl

from rulerank.ragged import collected
from rulerank.tables import EDGES


def mutual(edges: pl.DataFrame) -> pl.DataFrame:
    """Return the SUPERSEDES edges that are on a loop, with `loop`, the number of their loop from 0.

    Two nodes are on one loop if each supersedes the other, directly or through others. Loops are strongly
    connected components (Tarjan 1972).
    """
    # Only this function needs SciPy, which ranking does not load.
    from scipy.sparse.csgraph import connected_components

    from rulerank.sparse import as_matrix

    voiding = edges.filter(pl.col("type") == "SUPERSEDES")
    names = pl.concat([voiding["source_id"], voiding["target_id"]]).unique(maintain_order=True)
    numbers = pl.DataFrame({"id": names, "number": np.arange(len(names), dtype=np.int64)})
    upper, lower = (
        voiding.select(id=end).join(numbers, on="id", maintain_order="left")["number"].to_numpy()
        for end in ("source_id", "target_id")
    )
    above = as_matrix(collected(lower, upper, len(names)), len(names))
    _, component = connected_components(above, connection="strong")
    inside = voiding.with_columns(loop=component[upper]).filter(component[upper] == component[lower])
    return inside.with_columns(pl.col("loop").rank("dense").cast(pl.Int32) - 1)


def without_loops(edges: pl.DataFrame) -> pl.DataFrame:
    """Return the edges with those of `mutual` as REFERENCES, because the passages still cite each other."""
    looped = mutual(edges)
    if not looped.height:
        return edges
    ends = ["source_id", "target_id", "type"]
    on_loop = pl.struct(ends).is_in(looped.select(pl.struct(ends)).to_series().implode())
    kind = pl.when(on_loop).then(pl.lit("REFERENCES")).otherwise("type")
    kept = edges.with_columns(type=kind)
    return EDGES.check(kept.unique(EDGES.key, keep="first", maintain_order=True), "graph")


def about(looped: pl.DataFrame) -> str:
    """Return a sentence on which passages void each other, from at least one row of `mutual`."""
    first = looped.filter(pl.col("loop") == 0)
    said = "; ".join(
        f"{row['source_id']} voids {row['target_id']} ({row['evidence']!r})"
        for row in first.head(3).iter_rows(named=True)
    )
    return f"passages void one another, so none of them is taken for void: {said}."
