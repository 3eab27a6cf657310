"""Closure: what can be reached from the best passages along chosen edges, in how many hops, from how many."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from rulerank.arrays import FloatArray, IntArray, grouped

BitArray = NDArray[np.uint64]

_LANES = 64
"""Seeds of a question that walk together: one bit of a machine word each."""


@dataclass(frozen=True, eq=False)
class Reached:
    """What the seeds of some questions lead to: R (question, passage) pairs, in this order.

    Parameters
    ----------
    queries, passages : int arrays of shape (R,)
        The pairs; a seed reaches itself.
    hops : float32 array of shape (R,)
        Fewest hops from any seed.
    seeds : float32 array of shape (R,)
        How many seeds arrive.
    score : float32 array of shape (R,)
        Greatest of seed score x decay^hops over the seeds that arrive. A passage reached twice keeps its
        maximum, never the sum.

    """

    queries: IntArray
    passages: IntArray
    hops: FloatArray
    seeds: FloatArray
    score: FloatArray

    def where(self, kept: NDArray[np.bool_]) -> Reached:
        """Return some of the pairs."""
        hops, seeds, score = self.hops[kept], self.seeds[kept], self.score[kept]
        return Reached(self.queries[kept], self.passages[kept], hops, seeds, score)


@dataclass(frozen=True, eq=False)
class Closure:
    """The walk along the edges of one graph.

    All seeds of a question walk together (multi-source breadth-first search: Then and others, "The More the
    Merrier", PVLDB 8(4), 2014, section 3): a passage holds a word with one bit a seed, and a passage that
    several seeds reach in one hop is left once. Nothing is computed beforehand, and no call changes anything,
    so that threads may share it.

    Parameters
    ----------
    adjacency : csr_array of shape (N, N)
        An entry at (source, target) of every edge, whatever its value.

    """

    adjacency: csr_array[np.float32]

    def __len__(self) -> int:
        return int(self.adjacency.shape[0])

    def from_seeds(self, seeds: IntArray, scores: FloatArray, depth: int, decay: float) -> Reached:
        """Return what the seeds of one question lead to; see `from_pairs`."""
        return self.from_pairs(np.zeros(len(seeds), np.int64), seeds, scores, depth, decay)

    def from_pairs(
        self, queries: IntArray, seeds: IntArray, scores: FloatArray, depth: int, decay: float
    ) -> Reached:
        """Return what each question's seeds lead to within `depth` hops.

        Parameters
        ----------
        queries, seeds : int arrays of shape (S,)
            Question and row of each seed, question by question; different seeds within a question.
        scores : array of shape (S,)
            Their scores, 0 or more; -inf stands for no seed.
        depth : int
            The most hops, from 0.
        decay : float
            Factor per hop, in (0, 1] (RefWalk uses 0.7).

        """
        order = np.lexsort((-scores, queries))
        order = order[scores[order] > -np.inf]
        queries, seeds, scores = queries[order], seeds[order], scores[order].astype(np.float32)
        # Lanes follow the scores: the lowest bit is the best seed that arrives.
        first = np.searchsorted(queries, queries)
        lanes = np.arange(len(queries)) - first
        factors = np.float32(decay) ** np.arange(depth + 1, dtype=np.float32)
        starts = np.searchsorted(queries, np.arange(queries.max(initial=-1) + 2))
        parts = []
        for group in range(int(lanes.max(initial=-1)) // _LANES + 1):
            together = lanes // _LANES == group
            bits = np.uint64(1) << (lanes[together] % _LANES).astype(np.uint64)
            arrivals = self._walk(queries[together] * len(self) + seeds[together], bits, depth)
            for hop, (cells, arrived) in enumerate(arrivals):
                lowest = np.bitwise_count(arrived ^ (arrived - np.uint64(1))).astype(np.int64) - 1
                score = scores[starts[cells // len(self)] + group * _LANES + lowest] * factors[hop]
                parts.append((cells, np.full(len(cells), hop), np.bitwise_count(arrived), score))
        return self._merge(parts)

    def _walk(self, cells: IntArray, bits: BitArray, depth: int) -> Iterator[tuple[IntArray, BitArray]]:
        """Yield, hop by hop, the cells (question x N + passage) newly arrived at, and by which seeds."""
        known, arrived = np.empty(0, np.int64), np.empty(0, np.uint64)
        for hop in range(depth + 1):
            if hop:
                cells, bits = self._step(cells, bits)
            cells, bits = _united(cells, bits)
            new = bits & ~_bits_of(known, arrived, cells)
            cells, bits = cells[new != 0], new[new != 0]
            if not len(cells):
                return
            known, arrived = _united(np.append(known, cells), np.append(arrived, bits))
            yield cells, bits

    def _step(self, cells: IntArray, bits: BitArray) -> tuple[IntArray, BitArray]:
        """Return where the edges from `cells` end, edge by edge, and the seeds that come along each."""
        passages = cells % len(self)
        first = self.adjacency.indptr[passages].astype(np.int64)
        edges = self.adjacency.indptr[passages + 1] - first
        places = np.arange(edges.sum()) + np.repeat(first - np.cumsum(edges) + edges, edges)
        return self.adjacency.indices[places] + np.repeat(cells - passages, edges), np.repeat(bits, edges)

    def _merge(self, parts: Sequence[tuple[NDArray[Any], ...]]) -> Reached:
        """Return the arrivals of all hops, one row a cell."""
        nothing: tuple[NDArray[Any], ...] = (np.empty(0, np.int64), *[np.empty(0, np.float32)] * 3)
        cells, hops, seeds, score = (np.concatenate(part) for part in zip(nothing, *parts, strict=True))
        cells, order, starts = grouped(cells)
        if not len(cells):
            return Reached(cells, cells, hops, seeds, score)
        return Reached(
            cells // len(self),
            cells % len(self),
            np.minimum.reduceat(hops[order], starts).astype(np.float32),
            np.add.reduceat(seeds[order], starts, dtype=np.float32),
            np.maximum.reduceat(score[order], starts).astype(np.float32),
        )


def _united(cells: IntArray, bits: BitArray) -> tuple[IntArray, BitArray]:
    """Return the different cells in order, each with all the bits that it is given."""
    cells, order, starts = grouped(cells)
    return cells, np.bitwise_or.reduceat(bits[order], starts) if len(cells) else bits


def _bits_of(known: IntArray, bits: BitArray, cells: IntArray) -> BitArray:
    """Return the bits that ordered cells have so far, 0 for a cell that is not among them."""
    if not len(known):
        return np.zeros(len(cells), np.uint64)
    places = np.minimum(np.searchsorted(known, cells), len(known) - 1)
    return np.where(known[places] == cells, bits[places], np.uint64(0))
