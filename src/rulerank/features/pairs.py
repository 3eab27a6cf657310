"""What a feature can look at: a batch of (query, passage) pairs and the index they come from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from rulerank.arrays import NO_CELLS, FloatArray, IntArray, order_by_score, starts_of
from rulerank.features import evidence
from rulerank.features.around import Around
from rulerank.features.evidence import JudgementEvidence
from rulerank.features.families import Families
from rulerank.features.index import RankingIndex
from rulerank.features.judged import Judged
from rulerank.features.withheld import Withheld
from rulerank.graph.closure import Reached
from rulerank.retrieve.conforming import require_scores
from rulerank.retrieve.hits import lookup
from rulerank.retrieve.matches import Matches
from rulerank.retrieve.queries import Queries
from rulerank.retrieve.search import RRF, Retrieved

WORDS = 0.005
"""How much cosine one point of BM25 is worth."""

FUSED = {"WORDS": WORDS}
"""The constants of every feature that looks at the first ranks of `Pairs.fused`."""


@dataclass(frozen=True, eq=False)
class Pairs:
    """Candidates of a batch of questions, question by question.

    Parameters
    ----------
    index : RankingIndex
        Everything known about the N passages.
    queries : Queries
        The questions.
    retrieved : Retrieved
        The hits of the runs, and which pairs are candidates.
    withheld : Withheld
        The judgements that the label-derived features of each question must not see.
    absent : int array of any length, optional
        Passages that count as not in the corpus, as in `Around`.

    """

    index: RankingIndex
    queries: Queries
    retrieved: Retrieved
    withheld: Withheld
    absent: IntArray = field(default_factory=lambda: NO_CELLS)

    @property
    def rows(self) -> IntArray:
        """The question of each pair, shape (pairs,)."""
        return self.retrieved.rows

    @property
    def columns(self) -> IntArray:
        """The passage of each pair, shape (pairs,)."""
        return self.retrieved.columns

    @cached_property
    def starts(self) -> IntArray:
        """Where each question's pairs begin, and finally where they end, shape (queries + 1,)."""
        return starts_of(self.rows, len(self.queries))

    @cached_property
    def keys(self) -> IntArray:
        """One number for each pair, ascending, shape (pairs,)."""
        return self.rows * len(self.index) + self.columns

    @cached_property
    def run_scores(self) -> Mapping[str, FloatArray]:
        """The pairs' exact scores by each run, each of shape (pairs,)."""
        named = {
            "bm25": self.around.own("bm25"),
            "bm25_context": self.context_matches.scores,
            "dense": self.around.own("dense"),
            RRF: self.retrieved.rrf,
        }
        return named | {name: self._plugged_in(name) for name in self.index.plugged_in}

    def _plugged_in(self, run: str) -> FloatArray:
        """Return the pairs' scores by a generator that is not one of the package's own, checked."""
        generator = self.index.generators[run]
        scores = generator.score(self.queries, self.rows, self.columns, self.retrieved.before(run))
        require_scores(scores, generator, pairs=len(self.rows))
        return scores

    @cached_property
    def run_ranks(self) -> Mapping[str, FloatArray]:
        """The pairs' ranks by each run among their question's candidates, each of shape (pairs,)."""
        return {run: self.rank(scores) for run, scores in self.run_scores.items()}

    @cached_property
    def around(self) -> Around:
        """The pairs, the passages around them, and what the runs say about these."""
        return Around(self.index, self.queries, self.rows, self.columns, self.absent)

    def of_passage(self, name: str) -> FloatArray:
        """Return a static value of each pair's passage."""
        return self.index.around.static[name][self.columns]

    def rank(self, values: FloatArray) -> FloatArray:
        """Return the rank, from 1, of each pair's value among its question's candidates, highest first."""
        order = order_by_score(self.rows, values)
        ranks = np.empty(len(values), np.float32)
        ranks[order] = self._place + 1
        return ranks

    @cached_property
    def _place(self) -> IntArray:
        """How many pairs of its question come before each pair, shape (pairs,)."""
        return np.arange(len(self.rows)) - self.starts[self.rows]

    def first(self, ranks: FloatArray, depth: int) -> IntArray:
        """Return the pairs of each question's first ranks, -1 for none, shape (queries, depth)."""
        first = np.full((len(self.queries), depth), -1, np.int64)
        leading = np.flatnonzero(ranks <= depth)
        first[self.rows[leading], ranks[leading].astype(np.int64) - 1] = leading
        return first

    def scaled(self, values: FloatArray) -> FloatArray:
        """Return the values min-max scaled within each question; if all are equal, each becomes 1."""
        low, high = self.extremes(values)
        span = high - low
        return np.where(span > 0, (values - low) / np.where(span > 0, span, 1), 1).astype(np.float32)

    def gap(self, values: FloatArray) -> FloatArray:
        """Return each pair's value minus the greatest among its question's candidates."""
        gap: FloatArray = values - self.extremes(values)[1]
        return gap

    def extremes(self, values: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the least and the greatest value among the candidates of each pair's question."""
        present, sizes = self._present
        if not len(present):
            return values, values
        low, high = np.minimum.reduceat(values, present), np.maximum.reduceat(values, present)
        return np.repeat(low, sizes), np.repeat(high, sizes)

    @cached_property
    def _present(self) -> tuple[IntArray, IntArray]:
        """Where the pairs of each question with any begin, and how many there are."""
        sizes = np.diff(self.starts)
        return self.starts[:-1][sizes > 0], sizes[sizes > 0]

    @cached_property
    def families(self) -> Families:
        """The pairs that belong together in a document, in a section, or below one another."""
        return Families(self.index.around, self.rows, self.columns)

    @property
    def matches(self) -> Matches:
        """The terms that each pair's question and passage share."""
        return self.around.matches

    @cached_property
    def asked_terms(self) -> list[IntArray]:
        """The defined terms of each question."""
        return self.index.around.definitions.asked(self.queries.terms)

    @cached_property
    def context_matches(self) -> Matches:
        """The same with the headings above the passage."""
        return self.index.bm25_context.matches(self.queries, self.rows, self.columns)

    @cached_property
    def closure(self) -> Reached:
        """The passages that the best candidates lead to; a score below 0 counts as 0."""
        settings = self.index.settings.closure
        seeds = self.first(self.fused_rank, settings.seeds)
        seeds = seeds[seeds >= 0]
        scores = np.maximum(self.fused[seeds], 0)
        walk = self.index.around.closure
        rows, columns = self.rows[seeds], self.columns[seeds]
        return walk.from_pairs(rows, columns, scores, settings.depth, settings.decay, self.absent)

    def reached(self, values: FloatArray, otherwise: float) -> FloatArray:
        """Return each pair's value among those of `closure`, or `otherwise` if no seed leads to it."""
        width = len(self.index)
        keys = self.closure.queries * width + self.closure.passages
        return lookup(keys, values, self.keys, otherwise)

    @cached_property
    def judged(self) -> Judged:
        """The training questions to which each pair's passage is relevant, without withheld judgements."""
        return self.index.judgements.of_pairs(self.rows, self.columns, self.withheld)

    @cached_property
    def evidence(self) -> JudgementEvidence:
        """What training judgements say, without the questions' own."""
        best = self.first(self.fused_rank, evidence.SUPPORTERS)
        known = self.index.judgements
        return evidence.gather(known, self.around.asked, self.judged, self.fused, best, self.withheld)

    @cached_property
    def late(self) -> tuple[FloatArray, FloatArray]:
        """The late-interaction scores of the pairs: mean and least, each of shape (pairs,)."""
        if self.index.late is None:
            raise ValueError("expected an index with tokens, found none; leave out the group `late`")
        return self.index.late.match(self.queries, self.rows, self.columns)

    @cached_property
    def translation(self) -> FloatArray:
        """How likely each passage says what its question asks, shape (pairs,)."""
        if self.index.translation is None:
            raise ValueError("expected an index with a table, found none; leave out the group `translation`")
        return self.index.translation.score(self.queries, self.rows, self.columns)

    @cached_property
    def semantic(self) -> FloatArray:
        """How similar question and passage are in meaning, shape (pairs,).

        This is the dense score, or its mean with the late-interaction score if there is one.
        """
        dense = self.run_scores["dense"]
        return dense if self.index.late is None else ((dense + self.late[0]) / 2).astype(np.float32)

    @cached_property
    def fused(self) -> FloatArray:
        """Meaning and words in one score, shape (pairs,).

        Its first ranks stand for the answer wherever a feature looks at the rest of the list.
        """
        return (self.semantic + WORDS * self.run_scores["bm25_context"]).astype(np.float32)

    @cached_property
    def fused_rank(self) -> FloatArray:
        """Rank of each pair by that score among its question's candidates, shape (pairs,)."""
        return self.rank(self.fused)

    def of_query(self, values: Sequence[float]) -> FloatArray:
        """Return, for each pair, a value of its question."""
        return np.asarray(values, np.float32)[self.rows]
