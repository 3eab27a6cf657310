"""Two-stage retrieval: anchors by relevance, then the documents that control them, among all documents."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from rulerank.arrays import FloatArray, IntArray
from rulerank.authority.scopes import ScopeIndex
from rulerank.authority.supersession import BoolArray, Supersession

Controls = Callable[[int], Sequence[int]]
"""The documents that control an anchor: its superseders, or itself while it is in force; best first."""

PROMOTED = 3
"""Documents that one anchor promotes before the next, at most: a large scope leaves room for others."""


def given_anchors(
    index: ScopeIndex, scopes: Iterable[int], is_anchor: BoolArray, relevance: FloatArray
) -> list[int]:
    """Return every document of the scopes that come with a question, those of an anchor type first.

    Parameters
    ----------
    index : ScopeIndex
        The scopes of all documents.
    scopes : iterable of int
        Numbers of scopes.
    is_anchor : boolean array of shape (N,)
        Whether a document is of an anchor type.
    relevance : array of shape (N,)
        To the question; orders documents of one kind, equal ones by row.

    """
    rows = np.array([row for scope in scopes for row in index.members(scope).tolist()], np.int64)
    ordered: list[int] = rows[np.lexsort((rows, -relevance[rows], ~is_anchor[rows]))].tolist()
    return ordered


def named_anchors(
    index: ScopeIndex, scopes: Iterable[int], is_anchor: BoolArray, relevance: FloatArray
) -> list[int]:
    """Return the first of `given_anchors` of each scope only: a text may name a scope by chance."""
    first: dict[int, int] = {}
    for row in given_anchors(index, scopes, is_anchor, relevance):
        first.setdefault(int(index.of[row]), row)
    return list(first.values())


def two_stage(anchors: Sequence[int], ranked: IntArray, controls: Controls) -> list[int]:
    """Return the documents that control the anchors, in anchor order, then the anchors, then the rest.

    Each anchor promotes up to `PROMOTED` documents that none before it has promoted; the other documents that
    control the anchors follow, again in anchor order.
    """
    promoted: dict[int, None] = {}
    for anchor in anchors:
        fresh = [row for row in controls(anchor) if row not in promoted]
        promoted.update(dict.fromkeys(fresh[:PROMOTED]))
    more = [row for anchor in anchors for row in controls(anchor)]
    return list(dict.fromkeys([*promoted, *more, *anchors, *ranked.tolist()]))


def by_scope(index: ScopeIndex, can_void: BoolArray, times: IntArray, relevance: FloatArray) -> Controls:
    """Look up the documents of superseding types in an anchor's scope, newest first; no rule is read.

    Equal times are ordered by relevance. An anchor without a scope, or in a scope without superseders,
    controls itself. Chains that share a scope cannot be told apart in this way.

    Parameters
    ----------
    index : ScopeIndex
        The scopes of all documents.
    can_void : boolean array of shape (N,)
        Whether a document is of a superseding type.
    times : array of shape (N,)
        As `instants` returns them.
    relevance : array of shape (N,)
        To the question.

    """
    by_number: dict[int, list[int]] = {}

    def controls(anchor: int) -> Sequence[int]:
        scope = int(index.of[anchor])
        if scope not in by_number:
            rows = index.members(scope)
            rows = rows[can_void[rows]]
            # ~times rather than -times: the least integer has no negative.
            by_number[scope] = rows[np.lexsort((rows, -relevance[rows], ~times[rows]))].tolist()
        return by_number[scope] or [anchor]

    return controls


def by_rules(order: Supersession, relevance: FloatArray) -> Controls:
    """Look up front(cl({anchor})), best first by relevance: the rules choose the chain, not the times."""

    def controls(anchor: int) -> Sequence[int]:
        rows = order.front(order.closure([anchor]).tolist())
        return rows[np.lexsort((rows, -relevance[rows]))].tolist()  # type: ignore[no-any-return]

    return controls


def chains_per_scope(order: Supersession, index: ScopeIndex, scopes: Iterable[int]) -> Mapping[int, int]:
    """Return the number of chains in each scope: its documents in force.

    The mean of 1 / chains times the anchor recall bounds what a lookup by scope alone can reach.
    """
    return {scope: len(order.front(index.members(scope).tolist())) for scope in scopes}
