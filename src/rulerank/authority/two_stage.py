"""Two-stage retrieval: anchors by relevance, then what controls them, looked up in the whole corpus."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from rulerank.arrays import FloatArray, IntArray
from rulerank.authority.scopes import ScopeIndex
from rulerank.authority.supersession import BoolArray, Supersession

Controls = Callable[[int], Sequence[int]]
"""What controls an anchor: its superseders, or itself while it is in force; best first."""


CROWD = 3
"""Documents that one anchor promotes before the next: a scope with many must not crowd out the others."""


def given_anchors(
    index: ScopeIndex, scopes: Iterable[int], is_anchor: BoolArray, relevance: FloatArray
) -> list[int]:
    """Return every document of the scopes that a question gives, those of an anchor type first.

    Parameters
    ----------
    index : ScopeIndex
        The scopes of the corpus.
    scopes : iterable of int
        Numbers of scopes.
    is_anchor : boolean array of shape (N,)
        Whether a document is of an anchor type.
    relevance : array of shape (N,)
        To the question; orders documents alike, equal ones stand in the order of the corpus.

    """
    rows = np.array([row for scope in scopes for row in index.members(scope).tolist()], np.int64)
    ordered: list[int] = rows[np.lexsort((rows, -relevance[rows], ~is_anchor[rows]))].tolist()
    return ordered


def named_anchors(
    index: ScopeIndex, scopes: Iterable[int], is_anchor: BoolArray, relevance: FloatArray
) -> list[int]:
    """Return the first of `given_anchors` of each scope: a name in a text may be there by chance."""
    first: dict[int, int] = {}
    for row in given_anchors(index, scopes, is_anchor, relevance):
        first.setdefault(int(index.of[row]), row)
    return list(first.values())


def two_stage(anchors: Sequence[int], ranked: IntArray, controls: Controls) -> list[int]:
    """Return what controls the anchors, in anchor order, then the anchors and the rest as ranked.

    Each anchor promotes up to `CROWD` documents that none before it has promoted; what more controls them
    follows, again in anchor order.
    """
    promoted: dict[int, None] = {}
    for anchor in anchors:
        fresh = [row for row in controls(anchor) if row not in promoted]
        promoted.update(dict.fromkeys(fresh[:CROWD]))
    more = [row for anchor in anchors for row in controls(anchor)]
    return list(dict.fromkeys([*promoted, *more, *anchors, *ranked.tolist()]))


def by_scope(index: ScopeIndex, can_void: BoolArray, times: IntArray, relevance: FloatArray) -> Controls:
    """Look up the superseding types of an anchor's scope, newest first: no rule is read.

    Equal times go by relevance. In a scope without superseders, and without a scope, an anchor stands for
    itself. Where several chains share a scope this cannot tell them apart.

    Parameters
    ----------
    index : ScopeIndex
        The scopes of the corpus.
    can_void : boolean array of shape (N,)
        Whether a document is of a superseding type.
    times : array of shape (N,)
        As `instants` returns them.
    relevance : array of shape (N,)
        To the question.

    """
    found: dict[int, list[int]] = {}

    def controls(anchor: int) -> Sequence[int]:
        scope = int(index.of[anchor])
        if scope not in found:
            rows = index.members(scope)
            rows = rows[can_void[rows]]
            # Not -times: the least integer has no negative.
            found[scope] = rows[np.lexsort((rows, -relevance[rows], ~times[rows]))].tolist()
        return found[scope] or [anchor]

    return controls


def by_rules(order: Supersession, relevance: FloatArray) -> Controls:
    """Look up front(cl({anchor})), best first by relevance: the rules pick the chain, not the timestamps."""

    def controls(anchor: int) -> Sequence[int]:
        rows = order.front(order.closure([anchor]).tolist())
        return rows[np.lexsort((rows, -relevance[rows]))].tolist()  # type: ignore[no-any-return]

    return controls


def chains_per_scope(order: Supersession, index: ScopeIndex, scopes: Iterable[int]) -> Mapping[int, int]:
    """Return how many chains (heads in force of their own) each scope holds.

    The mean of 1 / chains times the anchor recall bounds what a lookup by scope alone can reach.
    """
    return {scope: len(order.front(index.members(scope).tolist())) for scope in scopes}
