"""What training judgements say about candidates, the questions' own taken out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import sparse

from rulerank.arrays import FloatArray, IntArray, best_places, numbered
from rulerank.ragged import Ragged, ragged, transposed
from rulerank.retrieve.hits import lookup

SUPPORTERS = 50
"""Passages most similar to the question that lend co-judgement support."""

VOTERS = 50
"""Most similar training questions that vote."""

SHARPNESS = 20.0
"""Scale of a cosine in the softmax that turns similarities into weights (the adapter's own scale)."""

RESIDUE = 1e-6
"""What a sum that should be 0 may leave: a tree must not learn from rounding."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """Arrays of shape (pairs,); see the features of the group `judgement`."""

    prior: FloatArray
    support: FloatArray
    rate: FloatArray
    two_hops: FloatArray
    nearest: FloatArray
    votes: FloatArray


@dataclass(frozen=True, eq=False)
class Judged:
    """The training questions, of other clusters than the own, to which each pair's passage is relevant.

    Parameters
    ----------
    rows, columns : int arrays of shape (pairs,)
        Question and passage of each pair, question by question.
    pairs, questions : int arrays of shape (judged,)
        Pair and training question, pairs ascending.
    prior : array of shape (pairs,)
        How many there are for each pair.

    """

    rows: IntArray
    columns: IntArray
    pairs: IntArray
    questions: IntArray
    prior: FloatArray

    def total(self, values: NDArray[np.floating]) -> NDArray[np.float64]:
        """Sum a value of each judgement by pair, shape (pairs,)."""
        return _sums(self.pairs, values, len(self.rows))


@dataclass(frozen=True, eq=False)
class JudgementIndex:
    """The judgements of M training questions on N passages.

    Parameters
    ----------
    sets : Ragged
        For each training question, the passages that are relevant to it.
    judged : Ragged
        For each passage, the training questions to which it is relevant.
    clusters : int array of shape (M,)
        Cluster of each question; near-duplicate questions share one.
    with_text : int array of shape (A,)
        The questions whose text is known.
    known : array of shape (A, dimension)
        Embeddings of those, after the adapter.

    """

    sets: Ragged
    judged: Ragged
    clusters: IntArray
    with_text: IntArray
    known: FloatArray

    @cached_property
    def _text_row(self) -> IntArray:
        """The row of each question in `known`; A for one without a text, shape (M,)."""
        rows = np.full(len(self.clusters), len(self.with_text), np.int64)
        rows[self.with_text] = np.arange(len(self.with_text))
        return rows

    def of_pairs(self, rows: IntArray, columns: IntArray, held_out: IntArray) -> Judged:
        """Look up the judgements of candidates.

        Parameters
        ----------
        rows, columns : int arrays of shape (pairs,)
            Question and passage of each, question by question.
        held_out : int array of shape (questions,)
            The cluster of each question, whose judgements stay out; -1 for one in no training data.

        """
        pairs, places = self.judged.places(columns)
        questions = self.judged.items[places].astype(np.int64)
        kept = self.clusters[questions] != held_out[rows[pairs]]
        pairs, questions = pairs[kept], questions[kept]
        prior = np.bincount(pairs, minlength=len(columns)).astype(np.float32)
        return Judged(rows, columns, pairs, questions, prior)

    def evidence(
        self, asked: FloatArray, judged: Judged, fused: FloatArray, best: IntArray, held_out: IntArray
    ) -> Evidence:
        """Gather the evidence for the candidates of a batch of questions.

        Memory grows with questions x M, not with the corpus.

        Parameters
        ----------
        asked : array of shape (questions, dimension)
            The questions' embeddings after the adapter.
        judged : Judged
            From `of_pairs`.
        fused : array of shape (pairs,)
            How well question and passage agree.
        best : int array of shape (questions, SUPPORTERS)
            Each question's best pairs by it, which lend support; -1 for none.
        held_out : int array of shape (questions,)
            As in `of_pairs`.

        """
        weights = np.zeros(len(fused), np.float64)
        scores = np.full(best.shape, -np.inf, np.float32)
        scores[best >= 0] = fused[best[best >= 0]]
        weights[best[best >= 0]] = softmax(scores)[best >= 0]
        shared = weights / np.maximum(judged.prior, 1)
        similarity = np.array(asked @ self.known.T)
        similarity[self.clusters[self.with_text][None, :] == held_out[:, None]] = -np.inf
        return Evidence(
            judged.prior,
            self._co_judged(judged, weights),
            self._co_judged(judged, shared),
            self._two_hops(judged, shared, held_out),
            *self._similar(judged, similarity),
        )

    def co_judged(self, judged: Judged, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Say what passages are judged together with weighted ones.

        Parameters
        ----------
        judged : Judged
            From `of_pairs`.
        weights : array of shape (pairs,)
            How much each candidate counts for its question.

        Returns
        -------
        support, rate : arrays of shape (pairs,)
            As in `Evidence`.

        """
        own = weights.astype(np.float64)
        return self._co_judged(judged, own), self._co_judged(judged, own / np.maximum(judged.prior, 1))

    def _spread(self, judged: Judged, weights: NDArray[np.float64]) -> tuple[IntArray, NDArray[np.float64]]:
        """Return the cell (row x M + training question) of each judgement, and each cell's summed weight."""
        cells = judged.rows[judged.pairs] * len(self.clusters) + judged.questions
        size = (int(judged.rows.max(initial=-1)) + 1) * len(self.clusters)
        return cells, _sums(cells, weights[judged.pairs], size)

    def _co_judged(self, judged: Judged, weights: NDArray[np.float64]) -> FloatArray:
        """Spread the weights over the training questions that judge several passages together.

        A pair gets, from every training question to which its passage is relevant, the weight of the other
        passages relevant to that one.
        """
        cells, by_cell = self._spread(judged, weights)
        return _without_residue(judged.total(by_cell[cells]) - weights * judged.prior)

    def _two_hops(self, judged: Judged, shared: NDArray[np.float64], held_out: IntArray) -> FloatArray:
        """Hand the rate on once more, through passages that need not be candidates."""
        size, width = len(self.clusters), len(self.judged)
        cells, by_cell = self._spread(judged, shared)
        touched = np.flatnonzero(by_cell)
        owner, places = self.sets.places(touched % max(size, 1))
        keys = (touched // max(size, 1))[owner] * width + self.sets.items[places]
        reached, number = numbered(keys)
        own = judged.rows * width + judged.columns
        # A passage hands nothing on to itself: what it was given itself is taken away.
        mine = lookup(own, shared, reached, missing=0)
        of_reached = self.of_pairs(reached // width, reached % width, held_out)
        weight = _sums(number, by_cell[touched[owner]], len(reached))
        rate = _without_residue(weight - mine * of_reached.prior)
        further = (rate / np.maximum(of_reached.prior, 1)).astype(np.float64)
        handed = of_reached.rows[of_reached.pairs] * size + of_reached.questions
        by_cell = _sums(handed, further[of_reached.pairs], len(by_cell))
        own_share = lookup(reached, further, own, missing=0)
        return _without_residue(judged.total(by_cell[cells]) - own_share * judged.prior)

    def _similar(self, judged: Judged, similarity: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the nearest training question of each pair's passage, NaN for none, and the votes for it."""
        # A training question without a text is never near, and never votes.
        unknown = np.full((len(similarity), 1), -np.inf, np.float32)
        cosines = np.hstack([similarity, unknown])
        votes = np.zeros(cosines.shape)
        for row, each in enumerate(similarity):
            best = best_places(each, VOTERS)
            votes[row, best] = softmax(each[best])
        cells = judged.rows[judged.pairs], self._text_row[judged.questions]
        nearest = np.full(len(judged.rows), np.nan, np.float32)
        if len(judged.pairs):
            first = np.flatnonzero(np.diff(judged.pairs, prepend=-1))
            highest = np.maximum.reduceat(cosines[cells], first)
            nearest[judged.pairs[first]] = np.where(np.isfinite(highest), highest, np.nan)
        return nearest, judged.total(votes[cells]).astype(np.float32)


def build_judgement_index(
    judgements: pl.DataFrame,
    passage_ids: pl.Series,
    query_ids: list[str],
    clusters: IntArray,
    with_text: IntArray,
    known: FloatArray,
) -> JudgementIndex:
    """Index the relevant judgements of training questions."""
    questions = pl.DataFrame(
        {"query_id": query_ids, "row": np.arange(len(query_ids))}, schema_overrides={"query_id": pl.String}
    )
    passages = pl.DataFrame({"passage_id": passage_ids, "column": np.arange(len(passage_ids))})
    kept = (
        judgements.filter(pl.col("relevance") > 0)
        .join(questions, on="query_id")
        .join(passages, on="passage_id")
    )
    ends = kept["row"].to_numpy(), kept["column"].to_numpy()
    shape = len(query_ids), len(passage_ids)
    sets = ragged(sparse.csr_array((np.ones(kept.height, np.float32), ends), shape=shape))
    return JudgementIndex(sets, transposed(sets, shape[1]), clusters, with_text, known)


def softmax(scores: FloatArray) -> NDArray[np.float64]:
    """Return softmax weights along the last axis; scores of -inf alone weigh nothing."""
    weights = np.exp(SHARPNESS * (scores - np.max(scores, axis=-1, keepdims=True, initial=-1)))
    # All may be -inf: every training question with a text is of the own cluster.
    total = np.maximum(weights.sum(axis=-1, keepdims=True), np.finfo(np.float32).tiny)
    return np.asarray(weights / total, np.float64)


def _without_residue(values: NDArray[np.floating]) -> FloatArray:
    return np.where(values > RESIDUE, values, 0).astype(np.float32)


def _sums(owners: IntArray, values: NDArray[np.floating], size: int) -> NDArray[np.float64]:
    """Sum values by owner, shape (size,)."""
    return np.bincount(owners, values, size).astype(np.float64)
