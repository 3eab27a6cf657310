"""What training judgements say about candidates, with the questions' own judgements left out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rulerank.arrays import DoubleArray, FloatArray, IntArray, begins, numbered
from rulerank.features.co_judged import handed_on, two_hops
from rulerank.features.judged import Judged
from rulerank.features.judgement_index import JudgementIndex
from rulerank.features.withheld import Withheld
from rulerank.retrieve.cosines import cosines_of
from rulerank.retrieve.hits import Hits, lookup

SUPPORTERS = 50
"""How many passages, those most similar to the question, lend co-judgement support."""

VOTERS = 50
"""How many of the most similar training questions vote."""

SHARPNESS = 20.0
"""Scale of a cosine in the softmax that turns similarities into weights (the adapter's own scale)."""


@dataclass(frozen=True, eq=False)
class JudgementEvidence:
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
) -> JudgementEvidence:
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
    voters = index.most_similar(asked, judged.visible, VOTERS)
    evidence = (
        judged.prior,
        handed_on(index, judged, weights),
        handed_on(index, judged, shared),
        two_hops(index, judged, shared, withheld),
        _nearest(index, asked, judged),
        judged.total(_votes(index, judged, voters)).astype(np.float32),
    )
    prior, support, rate, twice, nearest, votes = map(judged.known, evidence)
    closest = voters.first(1)
    familiarity = lookup(closest.rows, closest.scores.astype(np.float32), judged.rows)
    return JudgementEvidence(prior, support, rate, twice, nearest, votes, familiarity)


def _nearest(index: JudgementIndex, asked: FloatArray, judged: Judged) -> FloatArray:
    """Return the highest cosine with a training question that judged each pair's passage, NaN for none."""
    nearest = np.full(len(judged.rows), np.nan, np.float32)
    texts = index.text_row[judged.questions]
    # A training question without a text is never near.
    known = np.flatnonzero(texts < len(index.known))
    cells, places = numbered(judged.rows[judged.pairs[known]] * len(index.known) + texts[known])
    if len(cells):
        cosines = cosines_of(asked, index.known, cells // len(index.known), cells % len(index.known))
        first = begins(judged.pairs[known])
        nearest[judged.pairs[known][first]] = np.maximum.reduceat(cosines[places], first)
    return nearest


def _votes(index: JudgementIndex, judged: Judged, voters: Hits) -> DoubleArray:
    """Return the vote of the training question of each judgement, 0 for one that is not among the voters."""
    cosines = np.full((judged.visible.shape[0], VOTERS), -np.inf, np.float32)
    cosines[voters.rows, voters.ranks - 1] = voters.scores
    width = len(index.known) + 1
    keys = voters.rows * width + voters.columns
    order = np.argsort(keys)
    votes = softmax(cosines)[voters.rows, voters.ranks - 1]
    wanted = judged.rows[judged.pairs] * width + index.text_row[judged.questions]
    return lookup(keys[order], votes[order], wanted, missing=0)


def softmax(scores: FloatArray) -> DoubleArray:
    """Return softmax weights along the last axis; if all scores are -inf, all weights are 0."""
    weights = np.exp(SHARPNESS * (scores - np.max(scores, axis=-1, keepdims=True, initial=-1)))
    # All may be -inf, if every training question with a text is in the question's own cluster.
    total = np.maximum(weights.sum(axis=-1, keepdims=True), np.finfo(np.float32).tiny)
    return np.asarray(weights / total, np.float64)
