"""Two-stage retrieval: anchors by relevance, then the documents that control them, among all documents."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from rulerank.arrays import BoolArray, FloatArray, IntArray
from rulerank.authority.scopes import ScopeIndex
from rulerank.authority.supersession import Supersession

Controls = Callable[[int], Sequence[int]]
"""The documents that control an anchor: its superseders, or itself while it is in force; best first."""


def two_stage(anchors: Sequence[int], controls: Controls) -> list[int]:
    """Return the documents that control the anchors, then the anchors.

    The anchors take turns: each promotes the best document that none has promoted yet, again and again until
    no one has any left. So the first k documents hold one that controls each of the first k anchors, however
    many control the first.
    """
    waiting = [iter(controls(anchor)) for anchor in anchors]
    promoted: dict[int, None] = {}
    while waiting:
        still = []
        for turn in waiting:
            fresh = next((row for row in turn if row not in promoted), None)
            if fresh is not None:
                promoted[fresh] = None
                still.append(turn)
        waiting = still
    return list(dict.fromkeys([*promoted, *anchors]))


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
        Times as `instants` returns them.
    relevance : array of shape (N,)
        Relevance to the question.

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
