"""Learns standing: a linear model on top of the trees, by models that have not seen the question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import polars as pl
from scipy.optimize import minimize

from rulerank.arrays import BoolArray, DoubleArray, FloatArray, IntArray, bounds
from rulerank.features.feature_set import FeatureSet
from rulerank.features.standing import OF_PASSAGES, Standing, standings
from rulerank.learn.out_of_fold import OutOfFold
from rulerank.learn.ranker.groups import AT_ONCE, question_weights

SETTLED = 1e-7
"""L-BFGS ends when it lowers the loss by a smaller share than this."""

BLOCK = 16_384
"""Candidates whose loss is computed together, few enough for a processor's cache: memory is read once."""

FACTORS = 0.0, 100.0
"""Limits of the factor. The order of trees that know nothing must not be reversed, and where trees know
everything, the factor would grow without bound.
"""


@dataclass(frozen=True, eq=False)
class StandingExamples:
    """Training questions and the standings of their candidates.

    Parameters
    ----------
    names : tuple of str
        The features.
    standings : array of shape (pairs, features)
        From `features.standing.standings`.
    scores : array of shape (pairs,)
        The trees' scores by models that have not seen the question.
    relevance : array of shape (pairs,)
        The judgements; every question has a relevant candidate.
    sizes : int array of shape (questions,)
        Number of candidates of each question.
    folds : int array of shape (questions,)
        The fold of each question.
    weights : array of shape (questions,)
        How much each question counts.

    """

    names: tuple[str, ...]
    standings: FloatArray
    scores: DoubleArray
    relevance: DoubleArray
    sizes: IntArray
    folds: IntArray
    weights: DoubleArray

    @classmethod
    def of(
        cls, rows: pl.LazyFrame, scored: pl.DataFrame, features: FeatureSet, several: float
    ) -> StandingExamples:
        """Return the standings of training rows.

        Parameters
        ----------
        rows : polars.LazyFrame
            The features of the rows, read a few columns at a time.
        scored : polars.DataFrame
            Columns query_id, relevance, fold and score of the same rows, those of one question together.
        features : FeatureSet
            The features of the ranker.
        several : float
            Weight of a question with two or more relevant candidates; a question with one has weight 1.

        """
        sizes = scored["query_id"].rle().struct.field("len").to_numpy().astype(np.int64)
        starts = bounds(sizes)
        names = tuple(each.name for each in features if each.group not in OF_PASSAGES)
        matrix = np.empty((scored.height, len(names)), np.float32)
        for first in range(0, len(names), AT_ONCE):
            part = rows.select(names[first : first + AT_ONCE]).collect()
            matrix[:, first : first + part.width] = standings(part.to_numpy().astype(np.float32), starts)
        relevance = scored["relevance"].to_numpy().astype(np.int64)
        return cls(
            names,
            matrix,
            scored["score"].to_numpy(),
            relevance.astype(np.float64),
            sizes,
            scored["fold"].to_numpy().astype(np.int64)[starts[:-1]],
            question_weights(relevance, sizes, several),
        )

    def ranked(self, standing: Standing, rows: BoolArray) -> DoubleArray:
        """Return the scores of the selected candidates, including what a standing adds."""
        # The product makes a copy in double precision: of all candidates, it would take a gigabyte.
        return standing.factor * self.scores[rows] + self.standings[rows] @ standing.weights


def fit_standing(examples: StandingExamples, penalty: float) -> tuple[OutOfFold[Standing], DoubleArray]:
    """Learn what standings add to the trees' scores.

    Parameters
    ----------
    examples : StandingExamples
        The training questions.
    penalty : float
        Factor of the sum of the squared weights, against the summed loss of the questions. So few questions
        give small weights.

    Returns
    -------
    standing : OutOfFold of Standing
        The one on all questions is the mean of those without each fold.
    scores : array of shape (pairs,)
        The scores by models that have not seen the question.

    """
    scores, without = np.empty(len(examples.scores)), {}
    for fold in np.unique(examples.folds).tolist():
        hidden = examples.folds == fold
        without[fold] = _fit(examples, ~hidden, penalty)
        rows = np.repeat(hidden, examples.sizes)
        scores[rows] = examples.ranked(without[fold], rows)
    return OutOfFold(_mean(list(without.values())), without), scores


def _fit(examples: StandingExamples, learned: BoolArray, penalty: float) -> Standing:
    """Minimise the listwise cross-entropy of some of the questions (ListNet; Cao et al. 2007, eq. 5).

    Each candidate's share of its question's relevance is compared with the softmax of the scores. The factor
    has no penalty, but its limits are `FACTORS`.
    """
    starts, weight = np.cumsum(examples.sizes) - examples.sizes, learned * examples.weights
    share = examples.relevance * np.repeat(
        weight / np.add.reduceat(examples.relevance, starts), examples.sizes
    )
    blocks = [slice(first, last) for first, last in pairwise(_bounds(starts))]

    def of_block(block: slice, factor: float, weights: FloatArray) -> tuple[float, DoubleArray]:
        sizes, counted = examples.sizes[block], weight[block]
        rows = slice(starts[block.start], starts[block.start] + sizes.sum())
        scores, matrix, wanted = examples.scores[rows], examples.standings[rows], share[rows]
        begin = np.cumsum(sizes) - sizes
        score = factor * scores + matrix @ weights
        score -= np.repeat(np.maximum.reduceat(score, begin), sizes)
        chance = np.exp(score)
        total = np.add.reduceat(chance, begin)
        off = chance * np.repeat(counted / total, sizes) - wanted
        slope = np.concatenate([[off @ scores], off.astype(np.float32) @ matrix])
        return float(counted @ np.log(total) - wanted @ score), slope

    def loss(parameters: DoubleArray) -> tuple[float, DoubleArray]:
        factor, weights = parameters[0], parameters[1:]
        parts = [of_block(block, factor, weights.astype(np.float32)) for block in blocks]
        slope = np.sum([part for _, part in parts], axis=0)
        slope[1:] += 2 * penalty * weights
        return sum(part for part, _ in parts) + penalty * float(weights @ weights), slope

    start = np.concatenate([[1.0], np.zeros(len(examples.names))])
    bounds = [FACTORS, *[(None, None)] * len(examples.names)]
    found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options={"ftol": SETTLED})
    return Standing(examples.names, found.x[1:], float(found.x[0]))


def _bounds(starts: IntArray) -> list[int]:
    """Return the question with which each block begins, and finally the number of questions."""
    blocks = starts // BLOCK
    return [*np.flatnonzero(np.diff(blocks, prepend=-1)).tolist(), len(starts)]


def _mean(each: Sequence[Standing]) -> Standing:
    weights = np.mean([standing.weights for standing in each], axis=0)
    return Standing(each[0].names, weights, float(np.mean([standing.factor for standing in each])))
