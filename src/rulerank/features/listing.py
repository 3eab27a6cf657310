"""What a feature of the second pass can look at: the candidates in the order of the first pass."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from rulerank.arrays import FloatArray, IntArray
from rulerank.features.co_judged import co_judged
from rulerank.features.index import RankingIndex
from rulerank.features.likeness import likeness_in_meaning, likeness_in_words
from rulerank.features.pairs import Pairs

LEADERS = 20
"""How many first ranks of the first pass stand for the answer so far."""

LEADING = {"LEADERS": LEADERS}
"""The constants of every feature that looks at these ranks."""


@dataclass(frozen=True, eq=False)
class Listing:
    """Candidates of a batch of questions as the first pass ranks them.

    Parameters
    ----------
    pairs : Pairs
        The candidates.
    first_score : array of shape (pairs,)
        Their scores by the first pass.
    probability : array of shape (pairs,)
        The same on the calibrated scale of relevance, in [0, 1].

    """

    pairs: Pairs
    first_score: FloatArray
    probability: FloatArray

    @property
    def index(self) -> RankingIndex:
        """Everything known about the N passages."""
        return self.pairs.index

    @property
    def rows(self) -> IntArray:
        """The question of each pair, shape (pairs,)."""
        return self.pairs.rows

    @property
    def columns(self) -> IntArray:
        """The passage of each pair, shape (pairs,)."""
        return self.pairs.columns

    @cached_property
    def first_rank(self) -> FloatArray:
        """The rank of each pair, from 1, shape (pairs,)."""
        return self.pairs.rank(self.first_score)

    @cached_property
    def leaders(self) -> IntArray:
        """The pairs of each question's first ranks, -1 if there are fewer, shape (queries, LEADERS)."""
        return self.pairs.first(self.first_rank, LEADERS)

    @cached_property
    def leader_probability(self) -> FloatArray:
        """How likely each leader is relevant, 0 if there are fewer, shape (queries, LEADERS)."""
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
        """The passages of each question's leaders, -1 if there are fewer, shape (queries, LEADERS)."""
        columns = np.full(self.leaders.shape, -1, np.int64)
        columns[self.leaders >= 0] = self.columns[self.leaders[self.leaders >= 0]]
        return columns

    @cached_property
    def likeness_in_meaning(self) -> FloatArray:
        """Cosines of the pretrained embeddings of pair and leader, NaN for no leader, (pairs, LEADERS)."""
        return self._to_leaders(likeness_in_meaning)

    @cached_property
    def likeness_in_words(self) -> FloatArray:
        """Cosines of the idf-weighted terms of pair and leader, NaN for no leader, (pairs, LEADERS)."""
        return self._to_leaders(likeness_in_words)

    @cached_property
    def co_judged(self) -> tuple[FloatArray, FloatArray]:
        """What training questions judge together with the leaders: support and rate of each pair."""
        total = np.maximum(self.leader_probability.sum(axis=1, keepdims=True), np.finfo(np.float32).tiny)
        present = self.leaders >= 0
        weights = np.zeros(len(self.rows), np.float32)
        weights[self.leaders[present]] = (self.leader_probability / total)[present]
        return co_judged(self.index.judgements, self.pairs.judged, weights)

    @cached_property
    def unsaid(self) -> tuple[FloatArray, FloatArray]:
        """How much of the question better leaders leave uncovered, and how much of that the pair covers.

        Both are shares of the idf of the question's terms. A leader covers its terms with its own probability
        of relevance. Two arrays of shape (pairs,), NaN for a question without known terms.
        """
        left, said = np.full((2, len(self.rows)), np.nan, np.float32)
        matches, idf = self.pairs.matches, self.index.bm25.idf
        for question, pairs in self._questions():
            own = slice(matches.asked.starts[question], matches.asked.starts[question + 1])
            terms = matches.asked.items[own]
            if not len(terms):
                continue
            inside = slice(*np.searchsorted(matches.pairs, [pairs.start, pairs.stop]))
            held = np.zeros((pairs.stop - pairs.start, len(terms)), np.float32)
            held[matches.pairs[inside] - pairs.start, matches.terms[inside] - own.start] = 1
            leaders = self._leading(question) - pairs.start
            missing = 1 - self.probability[pairs][leaders, None] * held[leaders]
            unsaid = np.cumprod(np.vstack([np.ones((1, len(terms))), missing]), axis=0)
            after = np.minimum(self.first_rank[pairs].astype(np.int64) - 1, len(leaders))
            weights = idf[terms] / idf[terms].sum()
            left[pairs] = unsaid[after] @ weights
            said[pairs] = (held * unsaid[after]) @ weights
        return left, said

    def _to_leaders(self, likeness: Callable[[RankingIndex, IntArray, IntArray], FloatArray]) -> FloatArray:
        """Return how alike each pair and each leader are, NaN for no leader, (pairs, LEADERS)."""
        found = np.full((len(self.rows), LEADERS), np.nan, np.float32)
        for question, pairs in self._questions():
            leaders = self._leading(question) - pairs.start
            found[pairs, : len(leaders)] = likeness(self.index, self.columns[pairs], leaders)
        return found

    def _leading(self, question: int) -> IntArray:
        """Return the pairs of one question's leaders."""
        leaders: IntArray = self.leaders[question][self.leaders[question] >= 0]
        return leaders

    def _questions(self) -> Iterator[tuple[int, slice]]:
        """Yield each question that has candidates, with its pairs."""
        for question, (start, stop) in enumerate(pairwise(self.pairs.starts.tolist())):
            if start < stop:
                yield question, slice(start, stop)
