"""Whether what training questions judged bears on a question, or is about other rules than those it asks for.

Trees cannot learn this from the judgements alone: a value that all candidates of a question share never
changes their order, so no tree splits on it first. It is decided beforehand, question by question.
"""

from __future__ import annotations

import numpy as np

from rulerank.arrays import BoolArray, FloatArray, IntArray
from rulerank.features.judgements import JudgementIndex
from rulerank.features.withheld import Withheld

LOOKED_AT = "leaders_judged"
"""The feature that decides: one value a question, in [0, 1]."""


def believed(shares: FloatArray, least: float) -> BoolArray:
    """Say for which questions judgements are to be believed.

    Parameters
    ----------
    shares : array of shape (questions,)
        Their values of `LOOKED_AT`; a missing one counts 0.
    least : float
        From which share on.

    Returns
    -------
    boolean array of shape (questions,)

    """
    enough: BoolArray = np.nan_to_num(shares) >= least
    return enough


def share_judged(probability: FloatArray, judged: BoolArray) -> FloatArray:
    """Return the share of each question's leaders that are judged, by probability, shape (questions,).

    Parameters
    ----------
    probability : array of shape (questions, leaders)
        How likely each is relevant.
    judged : boolean array of shape (questions, leaders)
        Whether each is relevant to a training question.

    """
    total = np.maximum(probability.sum(axis=1), np.finfo(np.float32).tiny)
    share: FloatArray = (probability * judged).sum(axis=1) / total
    return share.astype(np.float32)


def share_seen(
    known: JudgementIndex, leaders: IntArray, probability: FloatArray, withheld: Withheld
) -> FloatArray:
    """Return that share as far as the questions may see the judgements, shape (questions,).

    Parameters
    ----------
    known : JudgementIndex
        What was judged.
    leaders : int array of shape (questions, leaders)
        The passages of each question's first ranks by the first pass, -1 where there are fewer.
    probability : array of shape (questions, leaders)
        How likely each is relevant, 0 where there are fewer.
    withheld : Withheld
        What each question must not see.

    """
    rows, places = np.nonzero(leaders >= 0)
    pairs, _ = known.judging(rows, leaders[rows, places], withheld, known.visible(withheld))
    judged = np.zeros(leaders.shape, np.bool_)
    judged[rows[pairs], places[pairs]] = True
    return share_judged(probability, judged)
