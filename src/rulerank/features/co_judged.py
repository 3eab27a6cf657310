"""Passages that training questions judge together: what a likely relevant passage says about the others."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rulerank.arrays import DoubleArray, FloatArray, IntArray, numbered
from rulerank.features.judged import Judged
from rulerank.features.judgement_index import JudgementIndex
from rulerank.features.withheld import Withheld
from rulerank.retrieve.hits import lookup

RESIDUE = 1e-6
"""The rounding error in a sum that should be 0. A tree must not learn from it."""


def co_judged(index: JudgementIndex, judged: Judged, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return what the judgements shared with weighted passages say about each candidate.

    Parameters
    ----------
    index : JudgementIndex
        The judgements.
    judged : Judged
        From `of_pairs` of the index.
    weights : array of shape (pairs,)
        How much each candidate counts for its question.

    Returns
    -------
    support, rate : arrays of shape (pairs,)
        As in `JudgementEvidence`.

    """
    own = weights.astype(np.float64)
    shared = own / np.maximum(judged.prior, 1)
    return judged.known(handed_on(index, judged, own)), judged.known(handed_on(index, judged, shared))


def _spread(index: JudgementIndex, judged: Judged, weights: DoubleArray) -> tuple[IntArray, DoubleArray]:
    """Return the cell (row x M + training question) of each judgement, and each cell's summed weight."""
    cells = judged.rows[judged.pairs] * len(index.clusters) + judged.questions
    size = (int(judged.rows.max(initial=-1)) + 1) * len(index.clusters)
    return cells, _sums(cells, weights[judged.pairs], size)


def handed_on(index: JudgementIndex, judged: Judged, weights: DoubleArray) -> FloatArray:
    """Spread the weights over the training questions that judge several passages together.

    For every training question to which its passage is relevant, a pair receives the weight of the other
    passages that are relevant to that question.
    """
    cells, by_cell = _spread(index, judged, weights)
    return _without_residue(judged.total(by_cell[cells]) - weights * judged.prior)


def two_hops(index: JudgementIndex, judged: Judged, shared: DoubleArray, withheld: Withheld) -> FloatArray:
    """Pass the rate on once more, through passages that need not be candidates."""
    size, width = len(index.clusters), len(index.judged)
    cells, by_cell = _spread(index, judged, shared)
    touched = np.flatnonzero(by_cell)
    owner, places = index.sets.places(touched % max(size, 1))
    keys = (touched // max(size, 1))[owner] * width + index.sets.items[places]
    reached, number = numbered(keys)
    own = judged.rows * width + judged.columns
    # A passage passes nothing on to itself, so its own weight is subtracted.
    mine = lookup(own, shared, reached, missing=0)
    pairs, questions = index.judging(reached // width, reached % width, withheld, judged.visible)
    prior = np.bincount(pairs, minlength=len(reached))
    weight = _sums(number, by_cell[touched[owner]], len(reached))
    rate = _without_residue(weight - mine * prior)
    further = (rate / np.maximum(prior, 1)).astype(np.float64)
    handed = (reached // width)[pairs] * size + questions
    by_cell = _sums(handed, further[pairs], len(by_cell))
    own_share = lookup(reached, further, own, missing=0)
    return _without_residue(judged.total(by_cell[cells]) - own_share * judged.prior)


def completed_sets(index: JudgementIndex, judged: Judged, probability: FloatArray) -> FloatArray:
    """Return how likely the rest of a judged set is relevant.

    Parameters
    ----------
    index : JudgementIndex
        The judgements.
    judged : Judged
        From `of_pairs` of the index.
    probability : array of shape (pairs,)
        How likely each candidate is relevant.

    Returns
    -------
    array of shape (pairs,)
        For each training question to which the passage is relevant, the mean probability of the other
        candidates that are relevant to it; the highest of these means. NaN for a passage that is judged with
        no other candidate.

    """
    cells, by_cell = _spread(index, judged, probability.astype(np.float64))
    others = np.bincount(cells)[cells] - 1
    several = np.flatnonzero(others > 0)
    pairs = judged.pairs[several]
    rest = (by_cell[cells[several]] - probability[pairs]) / others[several]
    highest = np.full(len(judged.rows), np.nan, np.float32)
    np.fmax.at(highest, pairs, _without_residue(rest))
    return highest


def _without_residue(values: NDArray[np.floating]) -> FloatArray:
    return np.where(values > RESIDUE, values, 0).astype(np.float32)


def _sums(owners: IntArray, values: NDArray[np.floating], size: int) -> DoubleArray:
    """Sum values by owner, shape (size,)."""
    return np.bincount(owners, values, size).astype(np.float64, copy=False)
