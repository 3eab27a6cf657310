"""What a feature of the second pass may look at: the candidates in the order of the first pass."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from scipy import sparse

from rulerank.arrays import FloatArray, IntArray
from rulerank.features.pairs import Pairs

LEADERS = 20
"""First ranks of the first pass that stand for the answer so far."""


@dataclass(frozen=True, eq=False)
class Listing(Pairs):
    """Candidates of a batch of questions as the first pass ranks them.

    Parameters
    ----------
    first_score : array of shape (pairs,)
        Their scores by the first pass.
    probability : array of shape (pairs,)
        The same on the calibrated scale of relevance, in [0, 1].

    """

    first_score: FloatArray
    probability: FloatArray

    @cached_property
    def first_rank(self) -> FloatArray:
        """The rank of each pair, from 1, shape (pairs,)."""
        return self.rank(self.first_score)

    @cached_property
    def leaders(self) -> IntArray:
        """The pairs of each question's first ranks, -1 where there are fewer, shape (queries, LEADERS)."""
        leaders = np.full((len(self.queries), LEADERS), -1, np.int64)
        leading = np.flatnonzero(self.first_rank <= LEADERS)
        leaders[self.rows[leading], self.first_rank[leading].astype(np.int64) - 1] = leading
        return leaders

    @cached_property
    def leader_probability(self) -> FloatArray:
        """How likely each leader is relevant, 0 where there are fewer, shape (queries, LEADERS)."""
        probability = np.zeros(self.leaders.shape, np.float32)
        probability[self.leaders >= 0] = self.probability[self.leaders[self.leaders >= 0]]
        return probability

    @cached_property
    def weights(self) -> FloatArray:
        """How likely each leader of the question is relevant, 0 for the pair itself, (pairs, LEADERS)."""
        itself = self.leaders[self.rows] == np.arange(len(self.rows))[:, None]
        return np.where(itself, 0, self.leader_probability[self.rows]).astype(np.float32)

    @cached_property
    def better(self) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
        """Whether each leader of a pair's question ranks before the pair, shape (pairs, LEADERS)."""
        return np.arange(1, LEADERS + 1)[None, :] < self.first_rank[:, None]

    @cached_property
    def leader_columns(self) -> IntArray:
        """The passages of each question's leaders, -1 where there are fewer, shape (queries, LEADERS)."""
        columns = np.full(self.leaders.shape, -1, np.int64)
        columns[self.leaders >= 0] = self.columns[self.leaders[self.leaders >= 0]]
        return columns

    @cached_property
    def alike_in_meaning(self) -> FloatArray:
        """Cosines of the frozen embeddings of pair and leader, NaN for no leader, (pairs, LEADERS)."""
        embeddings = self.index.search.dense.encoded
        return self._alike(lambda one, other: embeddings[one] @ embeddings[other].T)

    @cached_property
    def alike_in_words(self) -> FloatArray:
        """Cosines of the idf-weighted terms of pair and leader, NaN for no leader, (pairs, LEADERS)."""
        vectors = self.index.unigrams.vectors
        return self._alike(lambda one, other: (vectors[one] @ vectors[other].T).toarray())

    @cached_property
    def co_judged(self) -> tuple[FloatArray, FloatArray]:
        """What training questions judge together with the leaders, two arrays of shape (queries, N)."""
        present = self.leader_columns >= 0
        rows, _ = np.nonzero(present)
        total = np.maximum(self.leader_probability.sum(axis=1, keepdims=True), np.finfo(np.float32).tiny)
        data = (self.leader_probability / total)[present]
        shape = len(self.queries), len(self.index)
        weights = sparse.csr_array((data, (rows, self.leader_columns[present])), shape=shape)
        return self.index.judgements.co_judged(weights, self.held_out)

    @cached_property
    def unsaid(self) -> tuple[FloatArray, FloatArray]:
        """How much of the question better leaders leave unsaid, and how much of that the pair says.

        Of the idf of the question's terms; a leader says a term as likely as it is relevant. Two arrays of
        shape (pairs,), NaN for a question without known terms.
        """
        left, said = (np.full(len(self.rows), np.nan, np.float32) for _ in range(2))
        index = self.index.unigrams
        for question, pairs in self._questions():
            terms = self.unigrams[[question]].indices
            if not len(terms):
                continue
            held = index.held[self.columns[pairs]][:, terms].toarray()
            leaders = self.leaders[question][self.leaders[question] >= 0] - pairs.start
            missing = 1 - self.probability[pairs][leaders, None] * held[leaders]
            unsaid = np.cumprod(np.vstack([np.ones((1, len(terms))), missing]), axis=0)
            after = np.minimum(self.first_rank[pairs].astype(np.int64) - 1, len(leaders))
            weights = index.idf[terms] / index.idf[terms].sum()
            left[pairs] = unsaid[after] @ weights
            said[pairs] = (held * unsaid[after]) @ weights
        return left, said

    def _alike(self, cosines: Callable[[IntArray, IntArray], FloatArray]) -> FloatArray:
        alike = np.full((len(self.rows), LEADERS), np.nan, np.float32)
        for question, pairs in self._questions():
            columns = self.leader_columns[question]
            columns = columns[columns >= 0]
            alike[pairs, : len(columns)] = cosines(self.columns[pairs], columns)
        return alike

    def _questions(self) -> Iterator[tuple[int, slice]]:
        """Yield each question that has candidates, with its pairs."""
        bounds = self.starts()
        for question, (start, stop) in enumerate(pairwise(bounds.tolist())):
            if start < stop:
                yield question, slice(start, stop)
