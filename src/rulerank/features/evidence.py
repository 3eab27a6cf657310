"""What training judgements say about every passage for a batch of questions, their own taken out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from scipy import sparse

from rulerank.arrays import FloatArray, IntArray, best_columns

SUPPORTERS = 50
"""Passages most alike the question that lend co-judgement support."""

VOTERS = 50
"""Most similar training questions that vote."""

SHARPNESS = 20.0
"""Scale of a cosine in the softmax that turns similarities into weights (the adapter's own scale)."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """Arrays of shape (queries, N); see the features of the group `judgement`."""

    prior: FloatArray
    support: FloatArray
    rate: FloatArray
    two_hops: FloatArray
    nearest: FloatArray
    votes: FloatArray


@dataclass(frozen=True, eq=False)
class JudgementIndex:
    """The judgements of M training questions on N passages.

    Parameters
    ----------
    relevant : csr_array of shape (M, N), float32
        1 where a passage is relevant to a question.
    clusters : array of shape (M,)
        Cluster of each question; near-duplicate questions share one.
    with_text : array of shape (A,)
        Rows of the questions whose text is known.
    embeddings : array of shape (A, dimension)
        Embeddings of those, before the adapter.

    """

    relevant: sparse.csr_array
    clusters: IntArray
    with_text: IntArray
    embeddings: FloatArray

    def evidence(
        self, adapted: FloatArray, known: FloatArray, semantic: FloatArray, held_out: IntArray
    ) -> Evidence:
        """Gather the evidence for a batch of questions.

        Parameters
        ----------
        adapted : array of shape (queries, dimension)
            The questions' adapted embeddings.
        known : array of shape (A, dimension)
            Adapted embeddings of the training questions, by the same adapter.
        semantic : array of shape (queries, N)
            How alike question and passage are; -inf where a passage is no candidate.
        held_out : array of shape (queries,)
            Cluster of each question, -1 for one that is in no training data.

        """
        own = _own(self.clusters, held_out)
        prior = self._prior(own)
        weights = _softmax_of_best(semantic, SUPPORTERS)
        similarity = adapted @ known.T
        similarity[(own[:, self.with_text].toarray() > 0)] = -np.inf
        relevant = sparse.csr_array(self.relevant[self.with_text])
        rate = self._co_judged(_shared(weights, prior), own)
        further = sparse.csr_array(rate / np.maximum(prior, 1))
        return Evidence(
            prior,
            self._co_judged(weights, own),
            rate,
            self._co_judged(further, own),
            _nearest(similarity, relevant),
            np.asarray((_softmax_of_best(similarity, VOTERS) @ relevant).toarray()),
        )

    def co_judged(self, weights: sparse.csr_array, held_out: IntArray) -> tuple[FloatArray, FloatArray]:
        """Say what passages are judged together with weighted ones.

        Parameters
        ----------
        weights : csr_array of shape (queries, N)
            How much each passage counts for a question.
        held_out : array of shape (queries,)
            As in `evidence`.

        Returns
        -------
        support, rate : arrays of shape (queries, N)
            As in `Evidence`.

        """
        own = _own(self.clusters, held_out)
        return self._co_judged(weights, own), self._co_judged(_shared(weights, self._prior(own)), own)

    def _prior(self, own: sparse.csr_array) -> FloatArray:
        """Return how many training questions of other clusters each passage is relevant to."""
        counts = np.asarray(self.relevant.sum(axis=0), np.float32)
        prior: FloatArray = counts[None, :] - (own @ self.relevant).toarray()
        return prior

    def _co_judged(self, weights: sparse.csr_array, own: sparse.csr_array) -> FloatArray:
        """Spread each question's weights over the training questions that judge several passages together.

        A passage gets, from every training question to which it is relevant, the weight of the other
        passages relevant to that one; questions of the own cluster give nothing.
        """
        # What is subtracted was added in another order: in float32, a cluster of hundreds leaves a residue.
        relevant, weights = self.relevant.astype(np.float64), weights.astype(np.float64)
        total = (weights @ relevant.T) @ relevant - weights.multiply(relevant.sum(axis=0)[None, :])
        pairs = own.tocoo()
        members, mine = relevant[pairs.col], weights[pairs.row]
        weight = np.asarray(mine.multiply(members).sum(axis=1)).ravel()
        back = sparse.csr_array(
            (np.ones(len(pairs.row), np.float32), (pairs.row, np.arange(len(pairs.row)))),
            shape=(weights.shape[0], len(pairs.row)),
        )
        mine_only = back @ (sparse.diags_array(weight) @ members - mine.multiply(members))
        result = (total - mine_only).toarray().astype(np.float32)
        return np.where(result > 1e-6, result, 0).astype(np.float32)


def build_judgement_index(
    judgements: pl.DataFrame,
    passage_ids: pl.Series,
    query_ids: list[str],
    clusters: IntArray,
    with_text: IntArray,
    embeddings: FloatArray,
) -> JudgementIndex:
    """Index the relevant judgements of training questions."""
    row = {query: place for place, query in enumerate(query_ids)}
    column = {passage: place for place, passage in enumerate(passage_ids)}
    kept = judgements.filter(pl.col("relevance") > 0, pl.col("query_id").is_in(query_ids))
    rows = np.array([row[query] for query in kept["query_id"]], np.int64)
    columns = np.array([column[passage] for passage in kept["passage_id"]], np.int64)
    relevant = sparse.csr_array(
        (np.ones(len(rows), np.float32), (rows, columns)), shape=(len(row), len(column))
    )
    return JudgementIndex(relevant, clusters, with_text, embeddings)


def _own(clusters: IntArray, held_out: IntArray) -> sparse.csr_array:
    """Return 1 where a training question is of a batch question's own cluster, shape (queries, M)."""
    order = np.argsort(clusters, kind="stable")
    starts = np.searchsorted(clusters[order], held_out, side="left")
    stops = np.searchsorted(clusters[order], held_out, side="right")
    sizes = stops - starts
    rows = np.repeat(np.arange(len(held_out)), sizes)
    offsets = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    columns = order[np.repeat(starts, sizes) + offsets]
    return sparse.csr_array(
        (np.ones(len(rows), np.float32), (rows, columns)), shape=(len(held_out), len(clusters))
    )


def _shared(weights: sparse.csr_array, prior: FloatArray) -> sparse.csr_array:
    """Return each weight shared out over the training questions that judge its passage."""
    rows = np.repeat(np.arange(weights.shape[0]), np.diff(weights.indptr))
    data = weights.data / np.maximum(prior[rows, weights.indices], 1)
    return sparse.csr_array((data, weights.indices, weights.indptr), shape=weights.shape)


def _softmax_of_best(scores: FloatArray, limit: int) -> sparse.csr_array:
    """Return softmax weights over the `limit` highest scores of each row, shape of `scores`."""
    columns = best_columns(scores, limit)
    values = np.take_along_axis(scores, columns, axis=1)
    weights = np.exp(SHARPNESS * (values - np.max(values, axis=1, keepdims=True, initial=-1)))
    # A row of -inf alone weighs nothing: every training question with a text is of the own cluster.
    weights /= np.maximum(weights.sum(axis=1, keepdims=True), np.finfo(np.float32).tiny)
    starts = np.arange(scores.shape[0] + 1) * columns.shape[1]
    return sparse.csr_array((weights.ravel().astype(np.float32), columns.ravel(), starts), shape=scores.shape)


def _nearest(similarity: FloatArray, relevant: sparse.csr_array) -> FloatArray:
    """Return the highest similarity among the questions to which each passage is relevant, NaN for none."""
    by_passage = sparse.csc_array(relevant)
    judged = np.flatnonzero(np.diff(by_passage.indptr))
    result = np.full((similarity.shape[0], relevant.shape[1]), np.nan, np.float32)
    if len(judged):
        highest = np.maximum.reduceat(similarity[:, by_passage.indices], by_passage.indptr[judged], axis=1)
        result[:, judged] = np.where(np.isfinite(highest), highest, np.nan)
    return result
