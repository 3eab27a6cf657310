"""Whether training judgements bear on a question, or are about other rules than those it asks for.

Trees cannot learn this from the judgements alone. A value that all candidates of a question share never
changes their order, so no tree splits on it first. It is decided beforehand, question by question.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from rulerank.arrays import BoolArray, FloatArray, IntArray
from rulerank.features.judgement_index import JudgementIndex
from rulerank.features.withheld import Withheld

LOOKED_AT = ("leaders_judged", "leaders_covered")
"""The features that decide. Each has one value per question, in [0, 1]."""


def believed(shares: NDArray[np.floating], least: Mapping[str, float]) -> BoolArray:
    """Return for which questions judgements are to be trusted, shape (questions,).

    Parameters
    ----------
    shares : array of shape (questions, 2)
        Their values of `LOOKED_AT`, in this order; a missing value counts 0.
    least : mapping of str to float
        The least value that a question needs, by feature. A feature that is not named decides nothing.

    """
    needed = np.array([least.get(name, -np.inf) for name in LOOKED_AT])
    enough: BoolArray = (np.nan_to_num(shares) >= needed).all(axis=1)
    return enough


def share_of(probability: FloatArray, meant: BoolArray) -> FloatArray:
    """Return the probability-weighted share of each question's leaders that is meant, shape (questions,).

    Parameters
    ----------
    probability : array of shape (questions, leaders)
        How likely each leader is relevant.
    meant : boolean array of shape (questions, leaders)

    """
    total = np.maximum(probability.sum(axis=1), np.finfo(np.float32).tiny)
    share: FloatArray = (probability * meant).sum(axis=1) / total
    return share.astype(np.float32)


def shares_seen(
    known: JudgementIndex, leaders: IntArray, probability: FloatArray, withheld: Withheld
) -> FloatArray:
    """Return the values of `LOOKED_AT`, as far as the questions may see judgements, shape (questions, 2).

    Parameters
    ----------
    known : JudgementIndex
        The judgements.
    leaders : int array of shape (questions, leaders)
        The passages of each question's first ranks by the first pass, -1 if there are fewer.
    probability : array of shape (questions, leaders)
        How likely each is relevant, 0 if there are fewer.
    withheld : Withheld
        What each question must not see.

    """
    cells = np.nonzero(leaders >= 0)
    found = known.of_pairs(cells[0], leaders[cells], withheld)
    shares = []
    for seen in (found.prior > 0, found.in_document > 0):
        meant = np.zeros(leaders.shape, np.bool_)
        meant[cells] = seen
        shares.append(share_of(probability, meant))
    return np.stack(shares, axis=1)
