"""Closure: what can be reached from the best passages along chosen edges, in how many hops, from how many."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from rulerank.arrays import FloatArray, IntArray

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
        """Return what the seeds of one question lead to; see `from_queries`."""
        return self.from_queries(np.asarray(seeds)[None, :], np.asarray(scores)[None, :], depth, decay)

    def from_queries(self, seeds: IntArray, scores: FloatArray, depth: int, decay: float) -> Reached:
        """Return what each question's seeds lead to within `depth` hops.

        Parameters
        ----------
        seeds : array of shape (queries, S)
            Rows of the seeds, from 0 to N - 1, different ones within a question.
        scores : array of shape (queries, S)
            Their scores, 0 or more; -inf says that the place holds no seed.
        depth : int
            The most hops, from 0.
        decay : float
            Factor per hop, in (0, 1] (RefWalk uses 0.7).

        """
        order = np.argsort(-scores, axis=1, kind="stable")
        seeds = np.take_along_axis(seeds, order, axis=1)
        scores = np.take_along_axis(scores, order, axis=1).astype(np.float32)
        factors = np.float32(decay) ** np.arange(depth + 1, dtype=np.float32)
        parts = []
        for start in range(0, seeds.shape[1], _LANES):
            lanes = slice(start, start + _LANES)
            for hop, (cells, bits) in enumerate(self._walk(seeds[:, lanes], scores[:, lanes], depth)):
                # Lanes stand in order of their scores: the lowest bit is the best seed that arrives now.
                best = start + np.bitwise_count(bits ^ (bits - np.uint64(1))).astype(np.int64) - 1
                score = scores[cells // len(self), best] * factors[hop]
                parts.append((cells, np.full(len(cells), hop), np.bitwise_count(bits), score))
        return self._merge(parts)

    def _walk(self, seeds: IntArray, scores: FloatArray, depth: int) -> Iterator[tuple[IntArray, BitArray]]:
        """Yield, hop by hop, the cells (question x N + passage) newly arrived at, and by which seeds."""
        arrived = np.zeros(len(seeds) * len(self), np.uint64)
        query, lane = np.nonzero(scores > -np.inf)
        cells, bits = query * len(self) + seeds[query, lane], np.uint64(1) << lane.astype(np.uint64)
        for hop in range(depth + 1):
            if hop:
                cells, bits = self._step(cells, bits)
            cells, order, starts = _grouped(cells)
            if not len(cells):
                return
            bits = np.bitwise_or.reduceat(bits[order], starts) & ~arrived[cells]
            new = bits != 0
            cells, bits = cells[new], bits[new]
            arrived[cells] |= bits
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
        cells, order, starts = _grouped(cells)
        if not len(cells):
            return Reached(cells, cells, hops, seeds, score)
        return Reached(
            cells // len(self),
            cells % len(self),
            np.minimum.reduceat(hops[order], starts).astype(np.float32),
            np.add.reduceat(seeds[order], starts, dtype=np.float32),
            np.maximum.reduceat(score[order], starts).astype(np.float32),
        )


def _grouped(cells: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Return the different cells in order, the order that brings equal ones together, and where each starts.

    Cell and place are sorted as one number, since numpy sorts numbers many times faster than it sorts places.
    """
    packed = cells * len(cells) + np.arange(len(cells))
    packed.sort()
    ordered = packed // max(len(cells), 1)
    starts = np.flatnonzero(np.diff(ordered, prepend=-1))
    return ordered[starts], packed - ordered * len(cells), starts
