"""Closure: what can be reached from the best passages along citation-bearing edges, and in how many hops."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from rulerank.arrays import FloatArray, IntArray


@dataclass(frozen=True)
class Support:
    """What a batch of queries' seeds say about every passage; three arrays of shape (queries, N).

    Parameters
    ----------
    hops : float32 array
        Fewest hops from any seed; 0 at a seed, NaN where no seed arrives.
    seeds : float32 array
        How many seeds arrive; a seed arrives at itself.
    score : float32 array
        Greatest of seed score x decay^hops over the seeds that arrive, NaN where none does. A passage reached
        twice keeps its maximum, never the sum.

    """

    hops: FloatArray
    seeds: FloatArray
    score: FloatArray


def reach(adjacency: csr_array[np.float32], depth: int) -> csr_array[np.int8]:
    """Return the fewest hops from each passage to each other, up to `depth`.

    Parameters
    ----------
    adjacency : csr_array, shape (N, N)
        Non-zero at (source, target) of every edge.
    depth : int
        The most hops that count, from 1.

    Returns
    -------
    csr_array of int8, shape (N, N)
        1..depth where a path exists; nothing on the diagonal. Memory grows with the pairs reached.

    """
    step = _ones(adjacency)
    hops = step.astype(np.int8)
    frontier = step
    for hop in range(2, depth + 1):
        frontier = _ones(frontier @ step)
        frontier = _ones(frontier - frontier.multiply(hops.astype(bool)))
        if not frontier.nnz:
            break
        hops = csr_array(hops + frontier.astype(np.int8) * np.int8(hop))
    hops.sort_indices()
    return hops


def support(reach: csr_array[np.int8], scores: csr_array[np.float32], seeds: int, decay: float) -> Support:
    """Return what each query's best-scored passages say about every passage.

    Parameters
    ----------
    reach : csr_array, shape (N, N)
        Hops from passage to passage, as `reach` returns them.
    scores : csr_array, shape (queries, N)
        Scores above 0 of the passages that may be seeds; a passage not stored is none.
    seeds : int
        How many of the best-scored are seeds; equal scores go by row number.
    decay : float
        Factor per hop, in (0, 1] (RefWalk uses 0.7).

    """
    queries, size = scores.shape
    hops = np.full(queries * size, np.inf, dtype=np.float32)
    count = np.zeros(queries * size, dtype=np.float32)
    best = np.full(queries * size, -np.inf, dtype=np.float32)
    query, seed, value, place = _best(scores, seeds)
    for position in range(int(place.max(initial=-1)) + 1):
        # One seed a query in each round, so that no cell is written twice in a round.
        at = place == position
        paths = reach[seed[at]]
        lengths = np.diff(paths.indptr)
        cells = np.concatenate(
            [query[at] * size + seed[at], np.repeat(query[at] * size, lengths) + paths.indices]
        )
        steps = np.concatenate([np.zeros(len(lengths), dtype=np.float32), paths.data.astype(np.float32)])
        score = np.concatenate([value[at], np.repeat(value[at], lengths)]) * np.float32(decay) ** steps
        hops[cells] = np.minimum(hops[cells], steps)
        best[cells] = np.maximum(best[cells], score)
        count[cells] += 1
    unreached = count == 0
    hops[unreached] = np.nan
    best[unreached] = np.nan
    return Support(*(array.reshape(queries, size) for array in (hops, count, best)))


def _best(scores: csr_array[np.float32], limit: int) -> tuple[IntArray, IntArray, FloatArray, IntArray]:
    """Return query, passage, score and place (from 0) of the best `limit` entries of each row."""
    rows = np.repeat(np.arange(scores.shape[0]), np.diff(scores.indptr))
    order = np.lexsort((scores.indices, -scores.data, rows))
    place = np.arange(len(rows)) - scores.indptr[rows]
    kept = place < limit
    order = order[kept]
    return (
        rows[kept],
        scores.indices[order].astype(np.int64),
        scores.data[order].astype(np.float32),
        place[kept],
    )


def _ones(matrix: csr_array[np.float32]) -> csr_array[np.float32]:
    """Return the pattern of `matrix` as ones, without its diagonal and stored zeros."""
    entries = matrix.tocoo()
    kept = (entries.data != 0) & (entries.row != entries.col)
    ones = np.ones(int(kept.sum()), dtype=np.float32)
    return csr_array((ones, (entries.row[kept], entries.col[kept])), shape=matrix.shape)
