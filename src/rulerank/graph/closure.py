"""Closure: the passages reachable from the best ones along chosen edges, with hop and seed counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulerank.arrays import NO_CELLS, BoolArray, FloatArray, IntArray, grouped
from rulerank.ragged import Ragged

BitArray = NDArray[np.uint64]

_LANES = 64
"""How many seeds of a question are walked together, with one bit of a machine word each."""


@dataclass(frozen=True, eq=False)
class Reached:
    """The passages reachable from the seeds of some questions: R (question, passage) pairs, sorted.

    Parameters
    ----------
    queries, passages : int arrays of shape (R,)
        The pairs. A seed reaches itself.
    hops : float32 array of shape (R,)
        Number of hops from the nearest seed.
    seeds : float32 array of shape (R,)
        Number of seeds that reach the passage.
    score : float32 array of shape (R,)
        Maximum of seed score x decay^hops over the seeds that reach the passage, never the sum.

    """

    queries: IntArray
    passages: IntArray
    hops: FloatArray
    seeds: FloatArray
    score: FloatArray

    def where(self, kept: BoolArray) -> Reached:
        """Return the pairs that are kept."""
        hops, seeds, score = self.hops[kept], self.seeds[kept], self.score[kept]
        return Reached(self.queries[kept], self.passages[kept], hops, seeds, score)


@dataclass(frozen=True, eq=False)
class Closure:
    """The walk along the edges of one graph.

    All seeds of a question are walked together (multi-source breadth-first search: Then and others, "The
    More the Merrier", PVLDB 8(4), 2014, section 3). Each passage has a machine word with one bit per seed, so
    a passage that several seeds reach in the same hop is expanded once. Nothing is precomputed, and no call
    changes any state, so threads may share an instance.

    Parameters
    ----------
    links : Ragged
        For each of N passages, the passages that an edge leads to; weights are ignored.

    """

    links: Ragged

    def __len__(self) -> int:
        return len(self.links)

    def from_seeds(self, seeds: IntArray, scores: FloatArray, depth: int, decay: float) -> Reached:
        """Return what is reachable from the seeds of one question; see `from_pairs`."""
        return self.from_pairs(np.zeros(len(seeds), np.int64), seeds, scores, depth, decay)

    def from_pairs(
        self,
        queries: IntArray,
        seeds: IntArray,
        scores: FloatArray,
        depth: int,
        decay: float,
        absent: IntArray = NO_CELLS,
    ) -> Reached:
        """Return what is reachable from each question's seeds within `depth` hops.

        Parameters
        ----------
        queries, seeds : int arrays of shape (S,)
            Question and passage row of each seed, grouped by question; no seed occurs twice in a question.
        scores : array of shape (S,)
            Their scores, non-negative; -inf marks a missing seed.
        depth : int
            Maximum number of hops, at least 0.
        decay : float
            Factor per hop, in (0, 1] (RefWalk uses 0.7).
        absent : int array, optional
            Passages that no path leads over, each as question * N + passage.

        """
        order = np.lexsort((-scores, queries))
        order = order[scores[order] > -np.inf]
        queries, seeds, scores = queries[order], seeds[order], scores[order].astype(np.float32)
        # Lanes are ordered by score, so the lowest set bit is the best seed that arrives.
        first = np.searchsorted(queries, queries)
        lanes = np.arange(len(queries)) - first
        factors = np.float32(decay) ** np.arange(depth + 1, dtype=np.float32)
        starts = np.searchsorted(queries, np.arange(queries.max(initial=-1) + 2))
        parts = []
        for group in range(int(lanes.max(initial=-1)) // _LANES + 1):
            together = lanes // _LANES == group
            bits = np.uint64(1) << (lanes[together] % _LANES).astype(np.uint64)
            arrivals = self._walk(queries[together] * len(self) + seeds[together], bits, depth, absent)
            for hop, (cells, arrived) in enumerate(arrivals):
                lowest = np.bitwise_count(arrived ^ (arrived - np.uint64(1))).astype(np.int64) - 1
                score = scores[starts[cells // len(self)] + group * _LANES + lowest] * factors[hop]
                parts.append((cells, np.full(len(cells), hop), np.bitwise_count(arrived), score))
        return self._merge(parts)

    def _walk(
        self, cells: IntArray, bits: BitArray, depth: int, absent: IntArray
    ) -> Iterator[tuple[IntArray, BitArray]]:
        """Yield, hop by hop, the newly reached cells (question x N + passage) and the seeds reaching them."""
        # No seed arrives anew where all have been.
        known = np.unique(absent)
        arrived = np.full(len(known), np.iinfo(np.uint64).max, np.uint64)
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
        """Return the cell that each edge from `cells` leads to, and the seeds that follow it."""
        passages = cells % len(self)
        owner, places = self.links.places(passages)
        return self.links.items[places] + (cells - passages)[owner], bits[owner]

    def _merge(self, parts: Sequence[tuple[NDArray[Any], ...]]) -> Reached:
        """Merge the arrivals of all hops into one entry per cell."""
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
    """Return the distinct cells in ascending order, each with the union of its bits."""
    cells, order, starts = grouped(cells)
    return cells, np.bitwise_or.reduceat(bits[order], starts) if len(cells) else bits


def _bits_of(known: IntArray, bits: BitArray, cells: IntArray) -> BitArray:
    """Look up the bits of cells among sorted known ones; 0 for an unknown cell."""
    if not len(known):
        return np.zeros(len(cells), np.uint64)
    places = np.minimum(np.searchsorted(known, cells), len(known) - 1)
    return np.where(known[places] == cells, bits[places], np.uint64(0))
