"""The graph as lists of passages, numbered in the order of the passages table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from rulerank.arrays import IntArray, starts_of
from rulerank.errors import InputError
from rulerank.ragged import Ragged, collected
from rulerank.tables import has_text

Direction = Literal["out", "in", "both"]

CITING = ("REFERENCES", "DELEGATES_TO", "SPECIFIES", "REQUIRES_FORM", "SUPERSEDES")
"""Edge types by which one passage points to another; PARENT_OF only says where a passage belongs."""


def adjacency(
    edges: pl.DataFrame, passage_ids: pl.Series, types: Sequence[str], direction: Direction = "out"
) -> Ragged:
    """Return the passages that each passage leads to, ascending.

    Parameters
    ----------
    edges : polars.DataFrame
        The edges table; edges that end at a document or a term are left out.
    passage_ids : polars.Series
        The N passages, in the order of the lists.
    types : sequence of str
        The edge types that count; an edge with several of them counts once.
    direction : {"out", "in", "both"}, optional (default="out")
        Whether an edge leads from its source to its target, in reverse, or in both directions.

    Returns
    -------
    Ragged
        N lists; a passage is in a list once, with weight 1.

    """
    sources, targets = ends_of(edges, passage_ids, types)
    ends = {
        "out": (sources, targets),
        "in": (targets, sources),
        "both": (np.append(sources, targets), np.append(targets, sources)),
    }
    return collected(*ends[direction], len(passage_ids))


def parents(edges: pl.DataFrame, passage_ids: pl.Series) -> NDArray[np.int32]:
    """Return the row of each passage's parent, -1 if it has none; shape (N,).

    Raises
    ------
    InputError
        A passage would be above itself; the message names the cycle.

    """
    result = np.full(len(passage_ids), -1, dtype=np.int32)
    sources, targets = ends_of(edges, passage_ids, ["PARENT_OF"])
    result[targets] = sources
    _refuse_cycle(result, passage_ids)
    return result


def ancestors(parents: IntArray) -> Ragged:
    """Return the rows above each of N passages, starting from its parent.

    Parameters
    ----------
    parents : int array of shape (N,)
        Row of each passage's parent, -1 for none; without cycles, as returned by `parents`.

    """
    levels: list[tuple[IntArray, IntArray]] = []
    below, above = np.flatnonzero(parents >= 0), parents[parents >= 0]
    while len(above):
        levels.append((below, above))
        kept = parents[above] >= 0
        below, above = below[kept], parents[above[kept]]
    owners = np.concatenate([np.empty(0, np.int64), *(below for below, _ in levels)])
    items = np.concatenate([np.empty(0, np.int64), *(above for _, above in levels)])
    order = np.argsort(owners, kind="stable")
    starts = starts_of(owners[order], len(parents))
    return Ragged(starts, items[order].astype(np.int32), np.ones(len(order), np.float32))


def section_numbers(parents: IntArray) -> IntArray:
    """Return one number per section: that of the passages of one parent; one without has its own; (N,)."""
    alone = -2 - np.arange(len(parents))
    numbers: IntArray = np.unique(np.where(parents >= 0, parents, alone), return_inverse=True)[1]
    return numbers


def document_numbers(passages: pl.DataFrame) -> IntArray:
    """Return the number of each passage's document, in the order of their ids; shape (N,)."""
    return passages["document_id"].rank("dense").to_numpy().astype(np.int64) - 1


def adjacent(passages: pl.DataFrame) -> IntArray:
    """Return the rows of the passages before and after each in its document, -1 for none, shape (2, N)."""
    order = passages.select("document_id", "position").with_row_index("row").cast({"row": pl.Int64})
    row = pl.col("row")
    sides = (
        order.sort("document_id", "position", "row")
        .with_columns(before=row.shift(1).over("document_id"), after=row.shift(-1).over("document_id"))
        .sort("row")
        .select(pl.col("before", "after").fill_null(-1))
    )
    return np.stack([sides["before"].to_numpy(), sides["after"].to_numpy()])


def neighbours(edges: pl.DataFrame, passages: pl.DataFrame, limit: int) -> Ragged:
    """Return up to `limit` graph neighbours of each passage, as weights that sum to 1.

    Neighbours are taken in this order, each kind by row number: what the passage cites (`CITING`), what cites
    it, its parent, its children, and the passages just before and after it in its document. A passage without
    text is never a neighbour, since there is nothing to compare it with.

    Parameters
    ----------
    edges, passages : polars.DataFrame
        The two tables; N passages.
    limit : int
        Maximum number of neighbours per passage.

    Returns
    -------
    Ragged
        N lists, rows ascending; weighted by them, the embeddings of the neighbours sum to their centroid.

    """
    identifiers = passages["passage_id"]
    cites, cited = ends_of(edges, identifiers, CITING)
    parent, child = ends_of(edges, identifiers, ["PARENT_OF"])
    previous = adjacent(passages)[0]
    after = np.flatnonzero(previous >= 0)
    before = previous[after]
    rows = np.concatenate([cites, cited, child, parent, after, before])
    columns = np.concatenate([cited, cites, parent, child, before, after])
    kind = np.repeat(np.arange(6), [len(part) for part in (cites, cited, child, parent, after, before)])

    kept = has_text(passages).to_numpy()[columns] & (rows != columns)
    chosen = (
        pl.DataFrame({"row": rows[kept], "column": columns[kept], "kind": kind[kept]})
        .sort("row", "kind", "column")
        .unique(["row", "column"], keep="first", maintain_order=True)
        .group_by("row", maintain_order=True)
        .head(limit)
    )
    near = collected(chosen["row"].to_numpy(), chosen["column"].to_numpy(), len(identifiers))
    shares = (1 / near.sizes[near.owners]).astype(np.float32)
    return Ragged(near.starts, near.items, shares)


def circling(parents: NDArray[np.integer]) -> NDArray[np.integer]:
    """Return the rows of passages that are above themselves, some more than once."""
    above = parents
    # Each step doubles how far up `above` points. Beyond the top of N passages, it can only point at a cycle.
    for _ in range(len(parents).bit_length()):
        above = np.where(above >= 0, above[above], -1)
    return above[above >= 0]


def _refuse_cycle(parents: NDArray[np.int32], passage_ids: pl.Series) -> None:
    found = circling(parents)
    if not len(found):
        return
    cycle = [int(found.min())]
    while (parent := int(parents[cycle[-1]])) not in cycle:
        cycle.append(parent)
    named = " under ".join(passage_ids.gather([*cycle, cycle[0]]))
    raise InputError(
        "edges",
        f"PARENT_OF: expected a hierarchy of passages, found a cycle: {named}. Remove one of its edges.",
    )


def ends_of(edges: pl.DataFrame, node_ids: pl.Series, types: Sequence[str]) -> tuple[IntArray, IntArray]:
    """Return the rows of source and target of each edge of these types that joins two of the nodes."""
    rows = pl.DataFrame({"id": node_ids, "row": np.arange(len(node_ids))})
    ends = (
        edges.filter(pl.col("type").is_in(types))
        .join(rows.rename({"id": "source_id", "row": "source"}), on="source_id", maintain_order="left")
        .join(rows.rename({"id": "target_id", "row": "target"}), on="target_id", maintain_order="left")
    )
    return ends["source"].to_numpy(), ends["target"].to_numpy()
