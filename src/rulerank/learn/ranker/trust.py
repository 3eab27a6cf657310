"""The limits above which judgements are trusted: the usual ones, or better ones on training questions."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np

from rulerank.arrays import BoolArray, DoubleArray, FloatArray
from rulerank.features.trust import COVERED, Limits, trusted

STEPS = tuple(step / 10 for step in range(12))
"""The limits of `leaders_judged` to try; no question has the last, above 1."""

USUAL = 0.5, 0.8
"""The limits of `leaders_judged` that hold on ObliQA."""

SURE = 2.0
"""How many standard errors better than the usual limits others must be."""


@dataclass(frozen=True, eq=False)
class TrustExamples:
    """Questions, each ranked in three ways by models that have not seen it.

    Parameters
    ----------
    shares : array of shape (questions, 2)
        The values of `features.trust.LOOKED_AT`.
    unjudged : boolean array of shape (questions,)
        Whether the judgements of all its answers are hidden, as if it asked for rules that nobody has judged.
    found : array of shape (questions, 3)
        The quality of its ranking without judgements, by the mean of both scores, and with judgements.

    """

    shares: FloatArray
    unjudged: BoolArray
    found: DoubleArray

    def under(self, limits: Limits) -> DoubleArray:
        """Return the quality of the ranking of each question under some limits, shape (questions,)."""
        way = (2 * trusted(self.shares, limits)).astype(np.int64)
        return self.found[np.arange(len(way)), way]


def fit_limits(examples: TrustExamples, unjudged: float) -> Limits:
    """Choose the limits under which the rankings are best, or the usual ones unless that is significant.

    If few leaders are judged, judgements gain little, on few questions, and may cost much on questions about
    new rules. If most are, most questions are about judged rules and gain. In between the mean of both scores
    loses less than the wrong one of them. How much they gain and cost differs from corpus to corpus.

    Parameters
    ----------
    examples : TrustExamples
        The same questions as they are, and with the judgements of their answers hidden.
    unjudged : float
        Share of the questions to expect that are about rules that nobody has judged.

    Returns
    -------
    mapping of str to pair of floats
        The limits of `leaders_judged` from which judgements are trusted by half, and fully, and those of
        `leaders_covered`. Of equally good ones the highest are taken: judgements are trusted where they are
        known to help.

    """
    weights = np.where(examples.unjudged, unjudged, 1 - unjudged)
    pairs = [_limits(half, full) for full, half in combinations_with_replacement(reversed(STEPS), 2)]
    best, usual = max(pairs, key=lambda limits: float(weights @ examples.under(limits))), _limits(*USUAL)
    gains = weights * (examples.under(best) - examples.under(usual))
    return best if len(gains) and gains.sum() > SURE * np.sqrt(len(gains)) * gains.std() else usual


def _limits(half: float, full: float) -> Limits:
    return {"leaders_judged": (half, full), "leaders_covered": (COVERED, COVERED)}
