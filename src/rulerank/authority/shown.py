"""Supersession in a ranking: what is known of each passage, and a list that shows nothing void alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import polars as pl

from rulerank.arrays import FloatArray, IntArray
from rulerank.authority.supersession import Supersession, order_by_edges


def order_of_passages(edges: pl.DataFrame, passage_ids: pl.Series, source: str = "edges") -> Supersession:
    """Build the order over N passages from the edges of type SUPERSEDES (source voids target).

    Edges from or to anything that is no passage are left out.

    Raises
    ------
    InputError
        The edges form a loop; it is named.

    """
    rows = pl.DataFrame({"id": passage_ids, "row": np.arange(len(passage_ids), dtype=np.int64)})
    ends = (
        edges.filter(pl.col("type") == "SUPERSEDES")
        .join(rows.rename({"id": "source_id", "row": "upper"}), on="source_id", maintain_order="left")
        .join(rows.rename({"id": "target_id", "row": "lower"}), on="target_id", maintain_order="left")
    )
    return order_by_edges(ends["upper"].to_numpy(), ends["lower"].to_numpy(), passage_ids.to_list(), source)


def authority_facts(order: Supersession) -> dict[str, FloatArray]:
    """Return what supersession says of each passage before any question; arrays of shape (N,).

    superseded: 1 if anything voids it. frontier: 1 if it voids something and nothing voids it. chain_length:
    passages in the longest chain of superseders above it. All 0 in a corpus without supersession.
    """
    return {
        "superseded": order.superseded.astype(np.float32),
        "frontier": (order.supersedes & ~order.superseded).astype(np.float32),
        "chain_length": order.chain_length.astype(np.float32),
    }


def superseder_among(order: Supersession, rows: IntArray, columns: IntArray) -> FloatArray:
    """Return 1 for each candidate that another candidate of its question supersedes, else 0.

    Parameters
    ----------
    order : Supersession
        Over the passages.
    rows, columns : arrays of shape (pairs,)
        Question and passage of each candidate; those of one question stand together.

    """
    found = np.zeros(len(rows), np.float32)
    if not order.superseded[columns].any():
        return found
    cuts = np.flatnonzero(np.diff(rows)) + 1
    for pairs in np.split(np.arange(len(rows)), cuts):
        found[pairs] = np.isin(columns[pairs], order.voided(columns[pairs].tolist()))
    return found


def in_force_above(order: Supersession, passage: int) -> list[int]:
    """Return what is in force of a passage's superseders, ascending; none for one in force itself."""
    above: list[int] = order.front(order.superseders([passage]).tolist()).tolist()
    return above


def accompanied(order: Supersession, ranked: Iterable[int]) -> list[int]:
    """Return a ranking in which what is in force of a passage's superseders stands before the passage.

    Every prefix of the result holds at least one superseder of each voided passage in it. Passages without
    superseders keep their order; a superseder that was ranked lower moves up, an unranked one is added.
    """
    shown: dict[int, None] = {}
    for passage in ranked:
        if order.superseded[passage] and passage not in shown:
            shown.update(dict.fromkeys(in_force_above(order, passage)))
        shown[passage] = None
    return list(shown)


def with_superseders(ranked: Sequence[str], edges: pl.DataFrame) -> list[str]:
    """Return `accompanied` for passage ids and a table of edges.

    Parameters
    ----------
    ranked : sequence of str
        Passage ids, best first, each once.
    edges : polars.DataFrame
        The edges table; only SUPERSEDES counts. Superseders that are not ranked come from here.

    """
    voiding = edges.filter(pl.col("type") == "SUPERSEDES")
    ids = list(dict.fromkeys([*ranked, *voiding["source_id"], *voiding["target_id"]]))
    order = order_of_passages(voiding, pl.Series(ids, dtype=pl.String))
    return [ids[row] for row in accompanied(order, range(len(ranked)))]
