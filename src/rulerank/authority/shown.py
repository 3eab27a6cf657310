"""Supersession in a ranking: facts about each passage, and a list in which no voided passage is alone."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import polars as pl

from rulerank.arrays import FloatArray
from rulerank.authority.supersession import Supersession, order_by_edges
from rulerank.graph.adjacency import ends_of
from rulerank.ragged import Ragged


def order_of_passages(edges: pl.DataFrame, passage_ids: pl.Series) -> Supersession:
    """Build the order over N passages from the edges of type SUPERSEDES (source voids target).

    Edges from or to a node that is not a passage are left out.

    Raises
    ------
    InputError
        The edges form a loop; it is named.

    """
    upper, lower = ends_of(edges, passage_ids, ["SUPERSEDES"])
    return order_by_edges(upper, lower, passage_ids.to_list(), "edges")


def authority_facts(order: Supersession) -> dict[str, FloatArray]:
    """Return facts about each passage that do not depend on the question; arrays of shape (N,).

    superseded: 1 if anything voids it. frontier: 1 if it voids something and nothing voids it. chain_length:
    passages in the longest chain of superseders above it. All are 0 in a corpus without supersession.
    """
    return {
        "superseded": order.superseded.astype(np.float32),
        "frontier": (order.supersedes & ~order.superseded).astype(np.float32),
        "chain_length": order.chain_length.astype(np.float32),
    }


def superseders(order: Supersession) -> Ragged:
    """Return, for each of N passages, all that supersede it, directly or not."""
    voided = np.flatnonzero(order.superseded)
    above = [order.superseders([row]) for row in voided.tolist()]
    sizes = np.zeros(order.size + 1, np.int64)
    sizes[voided + 1] = [len(each) for each in above]
    items = np.concatenate([np.empty(0, np.int64), *above]).astype(np.int32)
    return Ragged(np.cumsum(sizes), items, np.ones(len(items), np.float32))


def in_force_above(order: Supersession, passage: int) -> list[int]:
    """Return the superseders of a passage that are in force, ascending; none if it is in force itself."""
    if not order.chain_length[passage]:
        return []
    above: list[int] = order.front(order.superseders([passage]).tolist()).tolist()
    return above


def with_superseders(order: Supersession, ranked: Iterable[int]) -> list[int]:
    """Return a ranking with the superseders in force of each voided passage placed before it.

    Every prefix of the result holds at least one superseder of each voided passage in it. Passages without
    superseders keep their order; a superseder that was ranked lower moves up, an unranked one is added.
    """
    listed: dict[int, None] = {}
    for passage in ranked:
        if order.superseded[passage] and passage not in listed:
            listed.update(dict.fromkeys(in_force_above(order, passage)))
        listed[passage] = None
    return list(listed)
