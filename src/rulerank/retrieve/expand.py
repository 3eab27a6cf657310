"""Candidates that no words lead to: what the best candidates cite, or are cited by."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from rulerank.arrays import FloatArray, IntArray, best_columns
from rulerank.settings import Expansion


class Reached(Protocol):
    """What seeds lead to: (question, passage) pairs with the decayed score of the best seed."""

    @property
    def queries(self) -> IntArray: ...  # noqa: D102
    @property
    def passages(self) -> IntArray: ...  # noqa: D102
    @property
    def score(self) -> FloatArray: ...  # noqa: D102


class Walk(Protocol):
    """A graph that can be walked from seeds, such as `rulerank.graph.closure.Closure`."""

    def from_queries(self, seeds: IntArray, scores: FloatArray, depth: int, decay: float) -> Reached:
        """Return what each question's seeds lead to."""


def expand(scores: FloatArray, eligible: NDArray[np.bool_], walk: Walk, settings: Expansion) -> FloatArray:
    """Return the passages that each question's best candidates lead to and that are no candidates yet.

    A passage scores the greatest of seed score x decay^hops over the seeds that arrive: the neighbour score
    of RefWalk, carried on over more than one hop.

    Parameters
    ----------
    scores : array of shape (queries, N)
        Fused scores of the candidates, 0 or more; -inf for a passage that is none.
    eligible : boolean array of shape (N,)
        Which passages may become candidates; the walk leads through the others.
    walk : Walk
        The graph of the N passages.
    settings : Expansion
        How many of the best candidates are seeds, hops, decay, and passages a question; equal scores go by
        row.

    Returns
    -------
    array of shape (queries, N)
        The scores of the passages found, -inf for all others.

    """
    seeds = best_columns(scores, settings.seeds)
    values = np.take_along_axis(scores, seeds, axis=1)
    reached = walk.from_queries(seeds, values, settings.depth, settings.decay)
    cells = reached.queries, reached.passages
    found = np.full(scores.shape, -np.inf, np.float32)
    found[cells] = np.where(eligible[reached.passages] & np.isneginf(scores[cells]), reached.score, -np.inf)
    best = best_columns(found, settings.found)
    kept = np.full(scores.shape, -np.inf, np.float32)
    np.put_along_axis(kept, best, np.take_along_axis(found, best, axis=1), axis=1)
    return kept
