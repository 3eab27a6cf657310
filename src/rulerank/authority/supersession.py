"""Supersession: a strict partial order over documents, and the sets defined by it.

d' supersedes d when a rule says so of their types and scopes, or when d' supersedes something that
supersedes d. cl(A) is A and everything that supersedes a member; front(S) is the members of S that
nothing in S supersedes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from rulerank.arrays import BoolArray, IntArray
from rulerank.errors import InputError
from rulerank.ragged import Ragged, collected, transposed


@dataclass(frozen=True, eq=False)
class Supersession:
    """The order over N documents.

    Nodes from N on are rungs (`rulerank.authority.rules`): each represents many direct edges, and no method
    ever returns one.

    Parameters
    ----------
    size : int
        N.
    above : Ragged
        The nodes directly above each node.
    chain_length : array of shape (N,)
        Documents in the longest chain of superseders above each document; 0 for one in force.

    """

    size: int
    above: Ragged
    chain_length: IntArray

    @property
    def superseded(self) -> BoolArray:
        """Whether anything supersedes each document, shape (N,)."""
        return self.chain_length > 0

    @cached_property
    def supersedes(self) -> BoolArray:
        """Whether each document supersedes anything, shape (N,)."""
        return self._below.sizes[: self.size] > 0

    @cached_property
    def _below(self) -> Ragged:
        return transposed(self.above, len(self.above))

    def superseders(self, documents: Iterable[int]) -> IntArray:
        """Return the documents that supersede any of `documents`, directly or not, ascending."""
        return self._reach(self.above, documents, lambda _: True)

    def direct_superseders(self, document: int) -> IntArray:
        """Return the documents that supersede `document` by a single rule, ascending."""
        return self._reach(self.above, [document], lambda node: node >= self.size)

    def voided(self, documents: Iterable[int]) -> IntArray:
        """Return the documents that any of `documents` supersedes, directly or not, ascending."""
        return self._reach(self._below, documents, lambda _: True)

    def closure(self, documents: Iterable[int]) -> IntArray:
        """Return cl(documents), ascending."""
        members = np.fromiter(documents, np.int64)
        return np.union1d(members, self.superseders(members.tolist()))

    def front(self, documents: Iterable[int]) -> IntArray:
        """Return front(documents), ascending: never empty unless `documents` is."""
        members = np.unique(np.fromiter(documents, np.int64))
        if not self.superseded[members].any():
            return members
        return np.setdiff1d(members, self.voided(members.tolist()))

    def _reach(self, links: Ragged, starts: Iterable[int], passes: Callable[[int], bool]) -> IntArray:
        """Return the documents on a path of one or more steps from any start, through nodes that pass."""
        seen: set[int] = set()
        waiting = list(starts)
        while waiting:
            node = waiting.pop()
            for upper in links.of(node).tolist():
                if upper not in seen:
                    seen.add(upper)
                    if passes(upper):
                        waiting.append(upper)
        return np.array(sorted(node for node in seen if node < self.size), np.int64)


def order_by_edges(
    superseders: IntArray, superseded: IntArray, names: Sequence[str], source: Path | str, rungs: int = 0
) -> Supersession:
    """Build the order from direct edges.

    Parameters
    ----------
    superseders, superseded : arrays of shape (edges,)
        Nodes; the first of each pair is directly above the second.
    names : sequence of str
        The ids of the N documents, named in the error.
    source : path or str
        Where the edges come from, named in the error.
    rungs : int, optional (default=0)
        Number of nodes that are not documents.

    Raises
    ------
    InputError
        A document would supersede itself; the loop is named.

    """
    nodes = len(names) + rungs
    above = collected(superseded, superseders, nodes)
    lengths, waiting = _chain_lengths(above, len(names))
    if waiting.any():
        raise _circular(above, waiting, names, source)
    return Supersession(len(names), above, lengths[: len(names)])


def _chain_lengths(above: Ragged, documents: int) -> tuple[IntArray, IntArray]:
    """Return the longest chain above each node, and how many nodes above it were never measured.

    A node is measured once all nodes above it are (Kahn 1962); one in or under a loop never is. The loop runs
    over lists: a ladder is as deep as its scope is large, too many levels to vectorise by level.
    """
    below = transposed(above, len(above))
    starts, lowers = below.starts.tolist(), below.items.tolist()
    waiting: list[int] = above.sizes.tolist()
    lengths = [0] * len(waiting)
    ready = np.flatnonzero((above.sizes == 0) & (below.sizes > 0)).tolist()
    while ready:
        upper = ready.pop()
        length = lengths[upper] + (upper < documents)
        for lower in lowers[starts[upper] : starts[upper + 1]]:
            lengths[lower] = max(lengths[lower], length)
            waiting[lower] -= 1
            if not waiting[lower]:
                ready.append(lower)
    return np.array(lengths, np.int64), np.array(waiting, np.int64)


def _circular(above: Ragged, waiting: IntArray, names: Sequence[str], source: Path | str) -> InputError:
    """Return the error for a loop: every node that still waits has a node above it that waits too."""
    node = int(np.flatnonzero(waiting)[0])
    path: list[int] = []
    while node not in path:
        path.append(node)
        upper = above.of(node)
        node = int(upper[waiting[upper] > 0][0])
    loop = [names[each] for each in (*path[path.index(node) :], node) if each < len(names)]
    if loop[0] != loop[-1]:
        loop.append(loop[0])
    return InputError(
        source,
        f"supersession is circular: {' is superseded by '.join(loop)}. Correct their types, scopes or "
        "timestamps, or the domain's rules.",
    )
