"""What training judgements say about candidates, with the questions' own judgements left out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rulerank.arrays import BoolArray, FloatArray, IntArray, begins, best_places
from rulerank.features.co_judged import handed_on, two_hops
from rulerank.features.judgement_index import Judged, JudgementIndex
from rulerank.features.withheld import Withheld

SUPPORTERS = 50
"""How many passages, those most similar to the question, lend co-judgement support."""

VOTERS = 50
"""How many of the most similar training questions vote."""

SHARPNESS = 20.0
"""Scale of a cosine in the softmax that turns similarities into weights (the adapter's own scale)."""


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
        The judgements.
    asked : array of shape (questions, dimension)
        The questions' embeddings after the adapter.
    judged : Judged
        From `of_pairs` of the index.
    fused : array of shape (pairs,)
        How well question and passage agree.
    best : int array of shape (questions, SUPPORTERS)
        Each question's best pairs by `fused`, which lend support; -1 for none.
    withheld : Withheld
        As in `JudgementIndex.of_pairs`.

    """
    weights = np.zeros(len(fused), np.float64)
    scores = np.full(best.shape, -np.inf, np.float32)
    scores[best >= 0] = fused[best[best >= 0]]
    weights[best[best >= 0]] = softmax(scores)[best >= 0]
    shared = weights / np.maximum(judged.prior, 1)
    similarity = similarities(index, asked, judged.visible)
    evidence = (
        judged.prior,
        handed_on(index, judged, weights),
        handed_on(index, judged, shared),
        two_hops(index, judged, shared, withheld),
        *_nearest_and_votes(index, judged, similarity),
    )
    prior, support, rate, twice, nearest, votes = map(judged.known, evidence)
    return Evidence(prior, support, rate, twice, nearest, votes, familiarity(similarity)[judged.rows])


def similarities(index: JudgementIndex, asked: FloatArray, visible: BoolArray) -> FloatArray:
    """Return the cosines of questions and training questions with a text, -inf for hidden ones.

    Parameters
    ----------
    index : JudgementIndex
        The judgements.
    asked : array of shape (questions, dimension)
        The questions' embeddings after the adapter.
    visible : boolean array of shape (questions, M)
        From `JudgementIndex.visible`.

    Returns
    -------
    array of shape (questions, A)
        In the order of `index.known`.

    """
    cosines: FloatArray = np.where(visible[:, index.with_text], asked @ index.known.T, -np.inf)
    return cosines


def familiarity(similarity: FloatArray) -> FloatArray:
    """Return the highest cosine of each question with a training question, NaN for none."""
    closest = similarity.max(axis=1, initial=-np.inf)
    return np.where(np.isfinite(closest), closest, np.nan).astype(np.float32)


def _nearest_and_votes(
    index: JudgementIndex, judged: Judged, similarity: FloatArray
) -> tuple[FloatArray, FloatArray]:
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
        first = begins(judged.pairs)
        highest = np.maximum.reduceat(cosines[cells], first)
        nearest[judged.pairs[first]] = np.where(np.isfinite(highest), highest, np.nan)
    return nearest, judged.total(votes[cells]).astype(np.float32)


def softmax(scores: FloatArray) -> NDArray[np.float64]:
    """Return softmax weights along the last axis; if all scores are -inf, all weights are 0."""
    weights = np.exp(SHARPNESS * (scores - np.max(scores, axis=-1, keepdims=True, initial=-1)))
    # All may be -inf, if every training question with a text is in the question's own cluster.
    total = np.maximum(weights.sum(axis=-1, keepdims=True), np.finfo(np.float32).tiny)
    return np.asarray(weights / total, np.float64)
