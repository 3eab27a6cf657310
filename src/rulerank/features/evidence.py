"""What training judgements say about candidates, the questions' own taken out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rulerank.arrays import FloatArray, IntArray, best_places, numbered
from rulerank.features.judgements import Judged, JudgementIndex
from rulerank.features.withheld import Withheld
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


def gather(
    index: JudgementIndex,
    asked: FloatArray,
    judged: Judged,
    fused: FloatArray,
    best: IntArray,
    withheld: Withheld,
) -> Evidence:
    """Gather the evidence for the candidates of a batch of questions.

    Memory grows with questions x M, not with the corpus.

    Parameters
    ----------
    index : JudgementIndex
        What was judged.
    asked : array of shape (questions, dimension)
        The questions' embeddings after the adapter.
    judged : Judged
        From its `of_pairs`.
    fused : array of shape (pairs,)
        How well question and passage agree.
    best : int array of shape (questions, SUPPORTERS)
        Each question's best pairs by it, which lend support; -1 for none.
    withheld : Withheld
        As in `JudgementIndex.of_pairs`.

    """
    weights = np.zeros(len(fused), np.float64)
    scores = np.full(best.shape, -np.inf, np.float32)
    scores[best >= 0] = fused[best[best >= 0]]
    weights[best[best >= 0]] = softmax(scores)[best >= 0]
    shared = weights / np.maximum(judged.prior, 1)
    similarity = np.array(asked @ index.known.T)
    similarity[index.clusters[index.with_text][None, :] == withheld.clusters[:, None]] = -np.inf
    evidence = (
        judged.prior,
        _handed_on(index, judged, weights),
        _handed_on(index, judged, shared),
        _two_hops(index, judged, shared, withheld),
        *_similar(index, judged, similarity),
    )
    closest = similarity.max(axis=1, initial=-np.inf)
    familiarity = np.where(np.isfinite(closest), closest, np.nan).astype(np.float32)
    prior, support, rate, two_hops, nearest, votes = map(judged.known, evidence)
    return Evidence(prior, support, rate, two_hops, nearest, votes, familiarity[judged.rows])


def co_judged(index: JudgementIndex, judged: Judged, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Say what passages are judged together with weighted ones.

    Parameters
    ----------
    index : JudgementIndex
        What was judged.
    judged : Judged
        From its `of_pairs`.
    weights : array of shape (pairs,)
        How much each candidate counts for its question.

    Returns
    -------
    support, rate : arrays of shape (pairs,)
        As in `Evidence`.

    """
    own = weights.astype(np.float64)
    shared = own / np.maximum(judged.prior, 1)
    return judged.known(_handed_on(index, judged, own)), judged.known(_handed_on(index, judged, shared))


def _spread(
    index: JudgementIndex, judged: Judged, weights: NDArray[np.float64]
) -> tuple[IntArray, NDArray[np.float64]]:
    """Return the cell (row x M + training question) of each judgement, and each cell's summed weight."""
    cells = judged.rows[judged.pairs] * len(index.clusters) + judged.questions
    size = (int(judged.rows.max(initial=-1)) + 1) * len(index.clusters)
    return cells, _sums(cells, weights[judged.pairs], size)


def _handed_on(index: JudgementIndex, judged: Judged, weights: NDArray[np.float64]) -> FloatArray:
    """Spread the weights over the training questions that judge several passages together.

    A pair gets, from every training question to which its passage is relevant, the weight of the other
    passages relevant to that one.
    """
    cells, by_cell = _spread(index, judged, weights)
    return _without_residue(judged.total(by_cell[cells]) - weights * judged.prior)


def _two_hops(
    index: JudgementIndex, judged: Judged, shared: NDArray[np.float64], withheld: Withheld
) -> FloatArray:
    """Hand the rate on once more, through passages that need not be candidates."""
    size, width = len(index.clusters), len(index.judged)
    cells, by_cell = _spread(index, judged, shared)
    touched = np.flatnonzero(by_cell)
    owner, places = index.sets.places(touched % max(size, 1))
    keys = (touched // max(size, 1))[owner] * width + index.sets.items[places]
    reached, number = numbered(keys)
    own = judged.rows * width + judged.columns
    # A passage hands nothing on to itself: what it was given itself is taken away.
    mine = lookup(own, shared, reached, missing=0)
    pairs, questions = index.judging(reached // width, reached % width, withheld)
    prior = np.bincount(pairs, minlength=len(reached))
    weight = _sums(number, by_cell[touched[owner]], len(reached))
    rate = _without_residue(weight - mine * prior)
    further = (rate / np.maximum(prior, 1)).astype(np.float64)
    handed = (reached // width)[pairs] * size + questions
    by_cell = _sums(handed, further[pairs], len(by_cell))
    own_share = lookup(reached, further, own, missing=0)
    return _without_residue(judged.total(by_cell[cells]) - own_share * judged.prior)


def _similar(index: JudgementIndex, judged: Judged, similarity: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the nearest training question of each pair's passage, NaN for none, and the votes for it."""
    # A training question without a text is never near, and never votes.
    unknown = np.full((len(similarity), 1), -np.inf, np.float32)
    cosines = np.hstack([similarity, unknown])
    votes = np.zeros(cosines.shape)
    for row, each in enumerate(similarity):
        best = best_places(each, VOTERS)
        votes[row, best] = softmax(each[best])
    cells = judged.rows[judged.pairs], index.text_row[judged.questions]
    nearest = np.full(len(judged.rows), np.nan, np.float32)
    if len(judged.pairs):
        first = np.flatnonzero(np.diff(judged.pairs, prepend=-1))
        highest = np.maximum.reduceat(cosines[cells], first)
        nearest[judged.pairs[first]] = np.where(np.isfinite(highest), highest, np.nan)
    return nearest, judged.total(votes[cells]).astype(np.float32)


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
