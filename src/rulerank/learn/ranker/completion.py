"""How much completing judged sets should count: chosen on training questions, out of fold."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rulerank.arrays import DoubleArray, IntArray
from rulerank.features.completion import Completion, companions
from rulerank.features.curve import probabilities
from rulerank.features.judgement_index import JudgementIndex
from rulerank.features.withheld import Withheld
from rulerank.learn.ranker.calibration import platt
from rulerank.learn.ranker.multi_passage import MultiPassageNdcg

WEIGHTS = (0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0)
"""The weights to try; the least of equals is taken."""

AT_ONCE = 512
"""How many questions have their judgements looked up together. This bounds the memory."""


def fit_completion(
    scores: DoubleArray,
    passages: IntArray,
    withheld: Withheld,
    index: JudgementIndex,
    measure: MultiPassageNdcg,
) -> tuple[Completion, DoubleArray]:
    """Choose the weight of completion for a ranker.

    Parameters
    ----------
    scores : array of shape (pairs,)
        Scores by a model that has not seen the question.
    passages : int array of shape (pairs,)
        The passage of each row, as numbered by the index.
    withheld : Withheld
        What each question must not see, in the order of the rows.
    index : JudgementIndex
        The judgements.
    measure : MultiPassageNdcg
        The measure on these rows.

    Returns
    -------
    completion : Completion
        With the best weight.
    scores : array of shape (pairs,)
        The scores after completion.

    """
    curve = platt(scores, measure.labels)
    gains = _companions(probabilities(scores, curve), passages, measure.sizes, withheld, index)
    weight = measure.best_weight(WEIGHTS, scores, gains)
    return Completion(weight, curve), scores + weight * gains


def _companions(
    probability: NDArray[np.floating],
    passages: IntArray,
    sizes: IntArray,
    withheld: Withheld,
    index: JudgementIndex,
) -> DoubleArray:
    """Return what completing adds to each row at weight 1, shape (pairs,)."""
    ends = np.cumsum(sizes)
    found = np.zeros(len(passages), np.float64)
    for first in range(0, len(sizes), AT_ONCE):
        last = min(first + AT_ONCE, len(sizes))
        rows = slice(ends[first] - sizes[first], ends[last - 1])
        asked = np.repeat(np.arange(last - first), sizes[first:last])
        judged = index.of_pairs(asked, passages[rows], withheld.part(first, last))
        found[rows] = companions(index, judged, probability[rows].astype(np.float32))
    return found
