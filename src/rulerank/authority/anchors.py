"""Anchors: the documents from which a two-stage search looks up what controls."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from rulerank.arrays import BoolArray, FloatArray, IntArray
from rulerank.authority.scopes import ScopeIndex


@dataclass(frozen=True)
class Anchors:
    """The anchors of one question, as rows of the documents, best first.

    Parameters
    ----------
    named : list of int
        Anchors from the scopes that come with the question, or that its text names.
    found : list of int
        Anchors found by relevance.

    """

    named: list[int]
    found: list[int]

    @property
    def rows(self) -> IntArray:
        """All of them, each once."""
        return np.array(list(dict.fromkeys([*self.named, *self.found])), np.int64)

    def first(self, count: int) -> Anchors:
        """Return the first `count` anchors, counting each document once."""
        named = self.named[:count]
        known = set(named)
        found = [row for row in self.found if row not in known]
        return Anchors(named, found[: count - len(named)])


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
        Relevance to the question; orders documents of one kind, equal ones by row.

    """
    rows = np.array([row for scope in scopes for row in index.members(scope).tolist()], np.int64)
    ordered: list[int] = rows[np.lexsort((rows, -relevance[rows], ~is_anchor[rows]))].tolist()
    return ordered


def named_anchors(
    index: ScopeIndex,
    scopes: Iterable[int],
    is_anchor: BoolArray,
    relevance: FloatArray,
    found: Iterable[int],
) -> list[int]:
    """Return `given_anchors` of the scopes that a text names, but only one per scope without a found anchor.

    A text may name a scope by chance: such a scope does not crowd out the others.
    """
    confirmed = {int(index.of[row]) for row in found}
    anchors = given_anchors(index, scopes, is_anchor, relevance)
    seen: set[int] = set()
    kept = []
    for row in anchors:
        scope = int(index.of[row])
        if scope in confirmed or scope not in seen:
            kept.append(row)
        seen.add(scope)
    return kept
