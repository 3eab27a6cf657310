"""How likely it is that each passage of a ranked list is evidence for a question, given the others."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rulerank.arrays import BoolArray, DoubleArray, FloatArray, IntArray

POOL = 30
"""The number of passages of a list that are used."""

LEADERS = 10
"""The number of them whose probabilities say how much evidence there is."""

AT_ONCE = 4096
"""Lists whose best sets are computed together; this bounds the memory, whatever their number."""

NAMES = (
    "log_odds",
    "log_rank",
    "first",
    "behind_first",
    "before_next",
    "first_log_odds",
    "second_log_odds",
    "expected",
    "ahead",
    "cited",
    "citing",
    "cited_by_first",
    "citing_first",
)


def membership(log_odds: FloatArray, cites: NDArray[np.float32]) -> DoubleArray:
    """Describe each passage of one list, shape (passages, len(NAMES)).

    Parameters
    ----------
    log_odds : array of shape (passages,)
        The log-odds that the ranker's own curve gives the scores, highest first.
    cites : array of shape (passages, passages)
        1 if the row's passage cites, changes or fills in the column's passage.

    Notes
    -----
    log_odds, log_rank and first describe the passage. behind_first and before_next are its differences to the
    first log-odds and to the next. first_log_odds, second_log_odds and expected describe the list; expected
    is the logarithm of the sum of its leaders' probabilities. ahead is the sum of the probabilities of the
    passages ranked before. cited and citing are the highest probability among the passages of the list that
    cite the passage, and among those that it cites. cited_by_first and citing_first consider the first
    passage alone.

    """
    count = len(log_odds)
    if not count:
        return np.empty((0, len(NAMES)))
    odds = np.asarray(log_odds, np.float64)
    chance = np.exp(-np.logaddexp(0, -odds))
    rank = np.arange(1, count + 1)
    whole = np.ones(count)
    linked = cites.astype(np.float64)
    columns = (
        odds,
        np.log(rank),
        rank == 1,
        odds - odds[0],
        np.append(odds[:-1] - odds[1:], 0.0),
        odds[0] * whole,
        odds[min(1, count - 1)] * whole,
        np.log(chance[:LEADERS].sum()) * whole,
        np.cumsum(chance) - chance,
        (linked * chance[:, None]).max(axis=0),
        (linked * chance[None, :]).max(axis=1),
        linked[0] * chance[0],
        linked[:, 0] * chance[0],
    )
    return np.stack([np.asarray(column, np.float64) for column in columns], axis=1)


def best_set(probability: NDArray[np.floating], beta: float) -> BoolArray:
    """Choose the passages whose expected F_beta is highest (see `_best_sizes`); at least one of a list.

    Parameters
    ----------
    probability : array of shape (passages,)
        The probability of membership. Time grows with the cube of their number; a ranking gives `POOL`.
    beta : float
        Weight of recall against precision.

    Returns
    -------
    boolean array of shape (passages,)

    """
    return best_sets([probability], beta)[0]


def best_sets(probabilities: Sequence[NDArray[np.floating]], beta: float) -> list[BoolArray]:
    """Return the `best_set` of each of many lists; those of one length are computed together."""
    lengths = np.array([len(each) for each in probabilities])
    kept = [np.zeros(length, np.bool_) for length in lengths]
    for length in np.unique(lengths[lengths > 0]):
        lists = np.flatnonzero(lengths == length).tolist()
        for start in range(0, len(lists), AT_ONCE):
            block = lists[start : start + AT_ONCE]
            chance = np.array([probabilities[each] for each in block], np.float64)
            order = np.argsort(-chance, axis=1, kind="stable")
            sizes = _best_sizes(np.take_along_axis(chance, order, axis=1), beta)
            for each, ranked, size in zip(block, order, sizes, strict=True):
                kept[each][ranked[:size]] = True
    return kept


def _best_sizes(chance: DoubleArray, beta: float) -> IntArray:
    """Return how many of the first passages of each list, shape (lists,), make the best set.

    Members are taken to be independent. The best set of a given size holds the most likely passages, so only
    such sets are compared (Lewis 1995; Ye et al. 2012): E[F_beta] of the first k is the sum over h, the
    relevant among them, and m, those left out, of P(h) P(m) (1 + beta^2) h / (beta^2 (h + m) + k).

    Parameters
    ----------
    chance : array of shape (lists, passages)
        Probabilities of membership, highest first.
    beta : float
        As in `best_set`.

    """
    lists, count = chance.shape
    left = [np.ones((lists, 1))]
    for column in range(count)[::-1]:
        left.append(_with_another(left[-1], chance[:, column]))
    inside = np.ones((lists, 1))
    best, chosen = np.full(lists, -1.0), np.zeros(lists, np.int64)
    for size in range(1, count + 1):
        inside = _with_another(inside, chance[:, size - 1])
        expected = ((inside @ _f_beta(size, count, beta)) * left[count - size]).sum(axis=1)
        better = expected > best + 1e-12
        best[better], chosen[better] = expected[better], size
    return chosen


@lru_cache(maxsize=512)
def _f_beta(size: int, count: int, beta: float) -> DoubleArray:
    """Return F_beta of the first of a list by the relevant among them and those left out."""
    hits, missed = np.arange(size + 1)[:, None], np.arange(count - size + 1)[None, :]
    table = np.asarray((1 + beta**2) * hits / (beta**2 * (hits + missed) + size))
    table.setflags(write=False)
    return table


def _with_another(counts: DoubleArray, chance: DoubleArray) -> DoubleArray:
    """Return the distribution of the number of members, shape (lists, n + 1), with one more passage."""
    grown = np.zeros((len(counts), counts.shape[1] + 1))
    grown[:, :-1] = counts * (1 - chance[:, None])
    grown[:, 1:] += counts * chance[:, None]
    return grown
