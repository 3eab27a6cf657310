"""What training judgements say about candidates, the questions' own taken out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import sparse

from rulerank.arrays import BoolArray, FloatArray, IntArray, best_places, numbered
from rulerank.features.withheld import Withheld
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
    """Arrays of shape (pairs,); see the features of the group `judgement`.

    All but the last are NaN for a passage of a document that no training question could have judged.
    """

    prior: FloatArray
    support: FloatArray
    rate: FloatArray
    two_hops: FloatArray
    nearest: FloatArray
    votes: FloatArray
    familiarity: FloatArray


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
    in_document, in_section : arrays of shape (pairs,)
        How many passages of the pair's document, and of its section, are judged relevant by such questions.

    """

    rows: IntArray
    columns: IntArray
    pairs: IntArray
    questions: IntArray
    prior: FloatArray
    in_document: FloatArray
    in_section: FloatArray

    def total(self, values: NDArray[np.floating]) -> NDArray[np.float64]:
        """Sum a value of each judgement by pair, shape (pairs,)."""
        return _sums(self.pairs, values, len(self.rows))

    def known(self, values: FloatArray) -> FloatArray:
        """Return evidence, shape (pairs,), NaN for a passage of a document that nobody has judged."""
        return np.where(self.in_document > 0, values, np.nan).astype(np.float32)


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
    documents, sections : int arrays of shape (N,)
        As in `Surroundings`.

    """

    sets: Ragged
    judged: Ragged
    clusters: IntArray
    with_text: IntArray
    known: FloatArray
    documents: IntArray
    sections: IntArray

    @cached_property
    def _text_row(self) -> IntArray:
        """The row of each question in `known`; A for one without a text, shape (M,)."""
        rows = np.full(len(self.clusters), len(self.with_text), np.int64)
        rows[self.with_text] = np.arange(len(self.with_text))
        return rows

    def placed(self, documents: IntArray, sections: IntArray) -> JudgementIndex:
        """Return the same with the documents and sections that the passages stand in."""
        return replace(self, documents=documents, sections=sections)

    def of_pairs(self, rows: IntArray, columns: IntArray, withheld: Withheld) -> Judged:
        """Look up the judgements of candidates, and how far judgements cover their surroundings.

        Parameters
        ----------
        rows, columns : int arrays of shape (pairs,)
            Question and passage of each, question by question.
        withheld : Withheld
            What each question must not see.

        """
        pairs, questions = self._judging(rows, columns, withheld)
        prior = np.bincount(pairs, minlength=len(columns)).astype(np.float32)
        covered = self._covered(rows, columns, withheld)
        return Judged(rows, columns, pairs, questions, prior, *covered)

    def _judging(self, rows: IntArray, columns: IntArray, withheld: Withheld) -> tuple[IntArray, IntArray]:
        """Return pair and training question of each judgement that its question may see, pairs ascending."""
        pairs, places = self.judged.places(columns)
        questions = self.judged.items[places].astype(np.int64)
        kept = self.clusters[questions] != withheld.clusters[rows[pairs]]
        kept &= ~self._hidden(rows, columns, withheld)[pairs]
        return pairs[kept], questions[kept]

    def _hidden(self, rows: IntArray, columns: IntArray, withheld: Withheld) -> BoolArray:
        return withheld.hides(rows, [self.documents[columns], self.sections[columns], columns])

    @cached_property
    def _relevant(self) -> tuple[IntArray, IntArray]:
        """The passages that are relevant to a training question, and the one cluster of all of these.

        -2 where they are of several clusters.
        """
        passages = np.flatnonzero(self.judged.sizes)
        owner, places = self.judged.places(passages)
        clusters = self.clusters[self.judged.items[places]]
        starts = np.flatnonzero(np.diff(owner, prepend=-1))
        if not len(starts):
            return passages, passages
        least, greatest = (np.asarray(each.reduceat(clusters, starts)) for each in (np.minimum, np.maximum))
        return passages, np.where(least == greatest, least, -2)

    def _covered(self, rows: IntArray, columns: IntArray, withheld: Withheld) -> list[FloatArray]:
        """Count the passages of each pair's document, and section, with a judgement its question may see."""
        passages, alone = self._relevant
        questions = np.repeat(np.arange(len(withheld)), len(passages))
        seen = np.tile(passages, len(withheld))
        visible = (alone[None, :] != withheld.clusters[:, None]).ravel()
        visible &= ~self._hidden(questions, seen, withheld)
        counts = []
        for families in (self.documents, self.sections):
            width = len(families)
            keys, sizes = np.unique((questions * width + families[seen])[visible], return_counts=True)
            own = rows * width + families[columns]
            counts.append(lookup(keys, sizes.astype(np.float32), own, missing=0))
        return counts

    def evidence(
        self, asked: FloatArray, judged: Judged, fused: FloatArray, best: IntArray, withheld: Withheld
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
        withheld : Withheld
            As in `of_pairs`.

        """
        weights = np.zeros(len(fused), np.float64)
        scores = np.full(best.shape, -np.inf, np.float32)
        scores[best >= 0] = fused[best[best >= 0]]
        weights[best[best >= 0]] = softmax(scores)[best >= 0]
        shared = weights / np.maximum(judged.prior, 1)
        similarity = np.array(asked @ self.known.T)
        similarity[self.clusters[self.with_text][None, :] == withheld.clusters[:, None]] = -np.inf
        evidence = (
            judged.prior,
            self._co_judged(judged, weights),
            self._co_judged(judged, shared),
            self._two_hops(judged, shared, withheld),
            *self._similar(judged, similarity),
        )
        closest = similarity.max(axis=1, initial=-np.inf)
        familiarity = np.where(np.isfinite(closest), closest, np.nan).astype(np.float32)
        prior, support, rate, two_hops, nearest, votes = map(judged.known, evidence)
        return Evidence(prior, support, rate, two_hops, nearest, votes, familiarity[judged.rows])

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
        shared = own / np.maximum(judged.prior, 1)
        return judged.known(self._co_judged(judged, own)), judged.known(self._co_judged(judged, shared))

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

    def _two_hops(self, judged: Judged, shared: NDArray[np.float64], withheld: Withheld) -> FloatArray:
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
        pairs, questions = self._judging(reached // width, reached % width, withheld)
        prior = np.bincount(pairs, minlength=len(reached))
        weight = _sums(number, by_cell[touched[owner]], len(reached))
        rate = _without_residue(weight - mine * prior)
        further = (rate / np.maximum(prior, 1)).astype(np.float64)
        handed = (reached // width)[pairs] * size + questions
        by_cell = _sums(handed, further[pairs], len(by_cell))
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
    """Index the relevant judgements of training questions; `placed` adds where the passages stand."""
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
    nowhere = np.zeros(len(passage_ids), np.int64)
    return JudgementIndex(sets, transposed(sets, shape[1]), clusters, with_text, known, nowhere, nowhere)


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
