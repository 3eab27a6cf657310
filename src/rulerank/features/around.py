"""The candidates of a batch and the passages around them, each scored once."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from rulerank.arrays import NO_CELLS, BoolArray, FloatArray, IntArray, numbered
from rulerank.features.index import RankingIndex
from rulerank.retrieve.hits import NOTHING
from rulerank.retrieve.matches import Matches
from rulerank.retrieve.queries import Queries


@dataclass(frozen=True, eq=False)
class Around:
    """Pairs of question and passage, and the passages above, beside and linked to each passage.

    Parameters
    ----------
    index : RankingIndex
        The N passages.
    queries : Queries
        The questions.
    rows, columns : int arrays of shape (pairs,)
        Question and passage of each candidate, question by question.
    absent : int array of any length, optional
        Passages that count as not in the corpus, each as question * N + passage; no candidate is among them.

    """

    index: RankingIndex
    queries: Queries
    rows: IntArray
    columns: IntArray
    absent: IntArray = field(default_factory=lambda: NO_CELLS)
    _own: dict[str, FloatArray] = field(default_factory=dict, init=False, repr=False)
    _scored: dict[str, FloatArray] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def neighbours(self) -> tuple[IntArray, IntArray, FloatArray]:
        """Pair, passage and weight of every graph neighbour of the pairs' passages."""
        pairs, columns, weights = self.index.around.neighbours.take(self.columns)
        if not len(self.absent):
            return pairs, columns, weights
        here = self._here(self.rows[pairs], columns)
        pairs, columns, weights = pairs[here], columns[here], weights[here]
        whole = np.bincount(pairs, weights, len(self.rows))
        return pairs, columns, (weights / whole[pairs]).astype(np.float32)

    @property
    def asked(self) -> FloatArray:
        """The questions' embeddings after the adapter, shape (questions, dimension)."""
        return self.queries.once(self.index.dense.asked)

    @cached_property
    def matches(self) -> Matches:
        """The terms that the question and the passage of each pair share."""
        return self.index.bm25.matches(self.queries, self.rows, self.columns)

    def own(self, run: str) -> FloatArray:
        """Return the pairs' own scores by a run, shape (pairs,)."""
        if run not in self._own:
            in_words = run == "bm25"
            self._own[run] = self.matches.scores if in_words else self._score(run, self.rows, self.columns)
        return self._own[run]

    def parent(self, run: str) -> FloatArray:
        """Return the scores of the passages' parents, shape (pairs,); NaN for none or one without text."""
        return self._stated(self._of(run, 1), self._sides[0])

    def adjacent_max(self, run: str) -> FloatArray:
        """Return the higher score of the passages just before and after, NaN for none, shape (pairs,)."""
        before, after = (self._stated(self._of(run, side + 1), self._sides[side]) for side in (1, 2))
        return np.fmax(before, after)

    def ancestor_max(self, run: str) -> FloatArray:
        """Return the highest score among the passages' ancestors, NaN for none, shape (pairs,)."""
        pairs, above = self._ancestors
        best = np.full(len(self.rows), np.nan, np.float32)
        np.fmax.at(best, pairs, self._stated(self._of(run, 4), above))
        return best

    def neighbour_mean(self, run: str) -> FloatArray:
        """Return the weighted mean score of the passages' graph neighbours, NaN for none, shape (pairs,)."""
        return self._mean(self._of(run, 5))

    def pretrained(self) -> FloatArray:
        """Return the cosines of question and passage under the pretrained encoder, shape (pairs,)."""
        return self.own("pretrained")

    def pretrained_mean(self) -> FloatArray:
        """Return the mean of those cosines over the passages' graph neighbours, NaN for none."""
        return self._mean(self._of("pretrained", 5))

    def _mean(self, scores: FloatArray) -> FloatArray:
        pairs, _, weights = self.neighbours
        total = np.bincount(pairs, weights * scores, len(self.rows))
        alone = np.bincount(pairs, minlength=len(self.rows)) == 0
        return np.where(alone, np.nan, total).astype(np.float32)

    @cached_property
    def _sides(self) -> tuple[IntArray, IntArray, IntArray]:
        """Parent, passage before and passage after of each pair's passage, -1 for none."""
        around = self.index.around
        before, after = around.adjacent[:, self.columns]
        sides = around.parents[self.columns], before, after
        if not len(self.absent):
            return sides
        parent, before, after = (
            np.where((side >= 0) & self._here(self.rows, side), side, -1) for side in sides
        )
        return parent, before, after

    @cached_property
    def _ancestors(self) -> tuple[IntArray, IntArray]:
        """Pair and passage of each ancestor of the pairs' passages."""
        pairs, above, _ = self.index.around.ancestors.take(self.columns)
        here = self._here(self.rows[pairs], above)
        return pairs[here], above[here]

    def _here(self, rows: IntArray, columns: IntArray) -> BoolArray:
        """Return which passages are in the corpus as a question sees it."""
        if not len(self.absent):
            return np.ones(len(columns), np.bool_)
        return np.isin(rows * len(self.index) + columns, self.absent, invert=True)

    @cached_property
    def _cells(self) -> tuple[IntArray, tuple[IntArray, ...]]:
        """The different (question, passage) cells as keys, and the place of each part's entries among them.

        The parts are: the pairs, their parents, the passages before and after, ancestors, neighbours. The
        pair itself replaces a passage that does not exist (-1).
        """
        beside = [np.where(side >= 0, side, self.columns) for side in self._sides]
        pairs, above = self._ancestors
        near, columns, _ = self.neighbours
        parts = [self.columns, *beside, above, columns]
        rows = [self.rows, *([self.rows] * len(beside)), self.rows[pairs], self.rows[near]]
        keys = np.concatenate([row * len(self.index) + part for row, part in zip(rows, parts, strict=True)])
        cells, places = numbered(keys)
        return cells, tuple(np.split(places, np.cumsum([len(part) for part in parts])[:-1]))

    def _of(self, run: str, part: int) -> FloatArray:
        """Return the scores of one part of the cells by a run."""
        cells, places = self._cells
        if run not in self._scored:
            scores, beside = np.empty(len(cells), np.float32), np.ones(len(cells), np.bool_)
            scores[places[0]], beside[places[0]] = self.own(run), False
            scores[beside] = self._score(run, *np.divmod(cells[beside], len(self.index)))
            self._scored[run] = scores
        return self._scored[run][places[part]]

    def _score(self, run: str, rows: IntArray, columns: IntArray) -> FloatArray:
        """Return the scores of given pairs by a generator, or under the pretrained encoder."""
        if run != "pretrained":
            return self.index.generators[run].score(self.queries, rows, columns, NOTHING)
        dense = self.index.dense
        return dense.cosines(dense.of_encoder(self.queries.embeddings), dense.pretrained, rows, columns)

    def _stated(self, scores: FloatArray, passages: IntArray) -> FloatArray:
        """Return the scores, with NaN where there is no passage or only a heading without text."""
        stated = (passages >= 0) & self.index.around.has_text[passages]
        return np.where(stated, scores, np.nan).astype(np.float32)
