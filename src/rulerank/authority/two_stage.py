"""Two-stage retrieval: anchors by relevance, then what controls them, looked up in the whole corpus."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from rulerank.arrays import FloatArray, IntArray
from rulerank.authority.scopes import ScopeIndex
from rulerank.authority.supersession import BoolArray, Supersession

Controls = Callable[[int], Sequence[int]]
"""What controls an anchor: its superseders, or itself while it is in force; best first."""


def find_anchors(
    ranked: IntArray,
    scopes: Iterable[int],
    index: ScopeIndex,
    is_anchor: BoolArray,
    relevance: FloatArray,
    k: int,
) -> list[int]:
    """Return up to `k` anchors: documents of the scopes that the question names, then the best ranked.

    Parameters
    ----------
    ranked : array of int
        Documents by relevance, best first.
    scopes : iterable of int
        Scopes that the question gives or names; their documents need not be ranked at all.
    index : ScopeIndex
        The scopes of the corpus.
    is_anchor : boolean array of shape (N,)
        Whether a document is of an anchor type. Within the named scopes these come first.
    relevance : array of shape (N,)
        Orders the documents of the named scopes; equal ones stand in the order of the corpus.
    k : int
        The most anchors.

    """
    members = [row for scope in scopes for row in index.members(scope).tolist()]
    named = np.array(members, np.int64)
    named = named[np.lexsort((named, -relevance[named], ~is_anchor[named]))]
    return list(dict.fromkeys([*named.tolist(), *ranked.tolist()]))[:k]


def two_stage(anchors: Sequence[int], ranked: IntArray, controls: Controls) -> list[int]:
    """Return what controls the anchors, in anchor order, then the anchors and the rest as ranked."""
    promoted = [row for anchor in anchors for row in controls(anchor)]
    return list(dict.fromkeys([*promoted, *anchors, *ranked.tolist()]))


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
