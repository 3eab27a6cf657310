"""What a feature may look at: a batch of (query, passage) pairs and the index they come from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from rulerank.arrays import FloatArray, IntArray, best_columns
from rulerank.features.evidence import Evidence
from rulerank.features.index import RankingIndex
from rulerank.features.terms import distinct
from rulerank.graph.closure import Reached
from rulerank.retrieve.queries import Queries
from rulerank.retrieve.search import RUN_NAMES, Retrieved

WORDS = 0.005
"""What one point of BM25 is worth in cosine."""


@dataclass(frozen=True, eq=False)
class Pairs:
    """Candidates of a batch of questions, question by question.

    Parameters
    ----------
    index : RankingIndex
        Everything known of the N passages.
    queries : Queries
        The questions.
    retrieved : Retrieved
        The scores of every run for every passage, and which pairs are candidates.
    held_out : array of shape (queries,), int
        The cluster of each question, whose judgements its label-derived features must not see;
        -1 for a question that is in no training data.

    """

    index: RankingIndex
    queries: Queries
    retrieved: Retrieved
    held_out: IntArray

    @property
    def rows(self) -> IntArray:
        """The question of each pair, shape (pairs,)."""
        return self.retrieved.rows

    @property
    def columns(self) -> IntArray:
        """The passage of each pair, shape (pairs,)."""
        return self.retrieved.columns

    @property
    def scores(self) -> Mapping[str, FloatArray]:
        """Scores of every run for every passage, each of shape (queries, N)."""
        return self.retrieved.scores

    def at(self, matrix: FloatArray) -> FloatArray:
        """Return the pairs' cells of a (queries, N) matrix."""
        cells: FloatArray = matrix[self.rows, self.columns]
        return cells

    @cached_property
    def run_scores(self) -> Mapping[str, FloatArray]:
        """The pairs' scores by each run, each of shape (pairs,)."""
        return {run: self.at(self.scores[run]) for run in RUN_NAMES if run in self.scores}

    @cached_property
    def run_ranks(self) -> Mapping[str, FloatArray]:
        """The pairs' ranks by each run among their question's candidates, each of shape (pairs,)."""
        return {run: self.rank(scores) for run, scores in self.run_scores.items()}

    def of_passage(self, name: str) -> FloatArray:
        """Return a static value of each pair's passage."""
        return self.index.static[name][self.columns]

    def starts(self) -> IntArray:
        """Return where each question's pairs begin, and at last where they end, shape (queries + 1,)."""
        return np.searchsorted(self.rows, np.arange(len(self.queries) + 1))

    def rank(self, values: FloatArray) -> FloatArray:
        """Return the rank, from 1, of each pair's value among its question's candidates, highest first."""
        order = np.lexsort((self.columns, -values, self.rows))
        ranks = np.empty(len(values), np.float32)
        ranks[order] = np.arange(len(values)) - self.starts()[self.rows[order]] + 1
        return ranks

    def scaled(self, values: FloatArray) -> FloatArray:
        """Return the values min-max scaled within each question; all equal gives 1."""
        low, high = self.extremes(values)
        span = high - low
        return np.where(span > 0, (values - low) / np.where(span > 0, span, 1), 1).astype(np.float32)

    def gap(self, values: FloatArray) -> FloatArray:
        """Return each pair's value less the greatest among its question's candidates."""
        gap: FloatArray = values - self.extremes(values)[1]
        return gap

    def extremes(self, values: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the least and the greatest value among each pair's question's candidates."""
        starts = self.starts()
        sizes = np.diff(starts)
        present = starts[:-1][sizes > 0]
        low = np.minimum.reduceat(values, present) if len(present) else values
        high = np.maximum.reduceat(values, present) if len(present) else values
        repeats = sizes[sizes > 0]
        return np.repeat(low, repeats), np.repeat(high, repeats)

    @cached_property
    def unigrams(self) -> sparse.csr_array:
        """The distinct known terms of each question as ones, shape (queries, terms)."""
        return distinct(self.queries.terms, self.index.unigrams)

    @cached_property
    def unigram_hits(self) -> FloatArray:
        """Distinct terms of each pair's question that its passage holds, shape (pairs,)."""
        return self.at((self.unigrams @ self.index.unigrams.presence).toarray())

    @cached_property
    def idf_overlap(self) -> FloatArray:
        """The idf of those terms, summed, shape (pairs,)."""
        index = self.index.unigrams
        return self.at((self.unigrams.multiply(index.idf).tocsr() @ index.presence).toarray())

    @cached_property
    def closure(self) -> Reached:
        """What the best candidates lead to; a score below 0 counts as 0."""
        settings = self.index.settings.closure
        seeds = best_columns(self.fused, settings.seeds)
        scores = np.take_along_axis(self.fused, seeds, axis=1)
        scores = np.where(np.isfinite(scores), np.maximum(scores, 0), -np.inf)
        return self.index.closure.from_queries(seeds, scores, settings.depth, settings.decay)

    def reached(self, values: FloatArray, otherwise: float) -> FloatArray:
        """Return each pair's value among those of `closure`, `otherwise` where no seed leads."""
        matrix = np.full(self.fused.shape, otherwise, np.float32)
        matrix[self.closure.queries, self.closure.passages] = values
        return self.at(matrix)

    @cached_property
    def encoded(self) -> FloatArray:
        """The questions as the encoder alone sees them, shape (queries, width)."""
        return self.index.search.dense.of_encoder(self.queries.embeddings)

    @cached_property
    def evidence(self) -> Evidence:
        """What training judgements say, the questions' own taken out, arrays of shape (queries, N)."""
        adapted = self.index.search.dense.adapter.queries(self.queries.embeddings)
        return self.index.judgements.evidence(adapted, self.index.known, self.fused, self.held_out)

    @cached_property
    def late(self) -> tuple[FloatArray, FloatArray]:
        """What late interaction says of the pairs: mean and least, each of shape (pairs,)."""
        if self.index.late is None or self.queries.tokens is None:
            raise ValueError("expected an index and questions with tokens; leave out the group `late`")
        return self.index.late.match(self.queries.tokens, self.rows, self.columns)

    @cached_property
    def semantic(self) -> FloatArray:
        """How alike question and passage are in meaning, -inf for no candidate, shape (queries, N).

        The dense score, or its mean with the late-interaction score where there is one.
        """
        scores = np.full(self.scores["dense"].shape, -np.inf, np.float32)
        dense = self.run_scores["dense"]
        known = dense if self.index.late is None else (dense + self.late[0]) / 2
        scores[self.rows, self.columns] = known
        return scores

    @cached_property
    def fused(self) -> FloatArray:
        """Meaning and words in one score, -inf for no candidate, shape (queries, N).

        The first ranks by it stand for the answer wherever a feature looks at the rest of the list.
        """
        return (self.semantic + WORDS * self.scores["bm25_context"]).astype(np.float32)

    def of_query(self, values: Sequence[float]) -> FloatArray:
        """Return, for each pair, a value of its question."""
        return np.asarray(values, np.float32)[self.rows]
