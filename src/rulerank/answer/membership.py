"""How likely it is that each passage of a ranked list is evidence for a question, given the others."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rulerank.arrays import FloatArray

POOL = 30
"""The number of passages of a list that are used."""

LEADERS = 10
"""The number of them whose probabilities say how much evidence there is."""

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


def membership(log_odds: FloatArray, cites: NDArray[np.float32]) -> NDArray[np.float64]:
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


def best_set(probability: NDArray[np.floating], beta: float) -> NDArray[np.bool_]:
    """Choose the passages whose expected F_beta is highest; at least one of a list.

    Members are taken to be independent. The best set of a given size holds the most likely passages, so only
    such sets are compared (Lewis 1995; Ye et al. 2012): E[F_beta] of the first k is the sum over h, the
    relevant among them, and m, those left out, of P(h) P(m) (1 + beta^2) h / (beta^2 (h + m) + k).

    Parameters
    ----------
    probability : array of shape (passages,)
        The probability of membership.
    beta : float
        Weight of recall against precision.

    Returns
    -------
    boolean array of shape (passages,)

    """
    order = np.argsort(-np.asarray(probability), kind="stable")
    chance = np.asarray(probability, np.float64)[order]
    count = len(chance)
    left = [np.ones(1)]
    for each in chance[::-1]:
        left.append(np.convolve(left[-1], [1 - each, each]))
    inside, best, chosen = np.ones(1), -1.0, 0
    for size in range(1, count + 1):
        inside = np.convolve(inside, [1 - chance[size - 1], chance[size - 1]])
        outside = left[count - size]
        hits, missed = np.arange(len(inside))[:, None], np.arange(len(outside))[None, :]
        gain = (1 + beta**2) * hits / (beta**2 * (hits + missed) + size)
        expected = float(inside @ gain @ outside)
        if expected > best + 1e-12:
            best, chosen = expected, size
    kept = np.zeros(count, np.bool_)
    kept[order[:chosen]] = True
    return kept
