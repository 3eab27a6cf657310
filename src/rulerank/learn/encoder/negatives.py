"""Hard negatives: passages that look relevant to a question but are not."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from rulerank.arrays import FloatArray, IntArray

SKIPPED = 2
"""How many first ranks give no negatives, because too often they are relevant but were never judged."""

SAME = 0.95
"""The cosine at which a passage counts as the same as a relevant one."""


def mine_negatives(
    ranked: IntArray, relevant: sparse.csr_array, passages: FloatArray, count: int, seed: int
) -> IntArray:
    """Draw hard negatives from the first ranks of a run.

    Parameters
    ----------
    ranked : array of shape (queries, depth)
        The passages of a run (a fusion of BM25 and dense works best), best first, -1 beyond its last.
    relevant : csr_array of shape (queries, passages)
        Above 0 where a passage is relevant. A relevant passage, or one that says the same, is not a negative.
    passages : array of shape (passages, dimension)
        Unit embeddings, used to recognise passages that say the same.
    count : int
        Negatives per question.
    seed : int
        Seed of the draw.

    Returns
    -------
    array of shape (queries, count)
        Passages, with repeats if a question has fewer candidates; -1 if it has none.

    """
    generator = np.random.default_rng(seed)
    drawn = np.full((len(ranked), count), -1, np.int64)
    for row, hits in enumerate(ranked[:, SKIPPED:]):
        candidates = hits[hits >= 0]
        positives = relevant.indices[relevant.indptr[row] : relevant.indptr[row + 1]]
        likeness = (passages[candidates] @ passages[positives].T).max(axis=1, initial=-1)
        left = candidates[(likeness < SAME) & ~np.isin(candidates, positives)]
        if len(left):
            drawn[row] = generator.choice(left, count, replace=len(left) < count)
    return drawn
