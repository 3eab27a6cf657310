"""Claim F1 from the verdicts on an answer's claims (RefWalk, arXiv 2605.29742, and its published code)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

Verdict = Literal["match", "partial", "none"]
WEIGHTS: dict[Verdict, float] = {"match": 1.0, "partial": 0.5, "none": 0.0}


class ClaimVerdict(NamedTuple):
    """A verdict on how a claim of an answer agrees with an expected claim, both numbered from 0."""

    predicted: int
    expected: int
    verdict: Verdict


class ClaimScore(NamedTuple):
    """Precision, recall and F1 of an answer's claims."""

    precision: float
    recall: float
    f1: float


def claim_score(predicted: int, expected: int, judged: Sequence[ClaimVerdict]) -> ClaimScore:
    """Return the Claim F1 of one answer.

    Each claim takes part in at most one agreement: matches are taken first, then partial agreements, each in
    the order of `judged`. A match weighs 1, a partial agreement 0.5. Precision is the sum of the weights
    divided by the number of predicted claims, recall the same sum divided by the number of expected claims.
    Two answers without claims agree (1). If only one has none, all three are 0.

    Parameters
    ----------
    predicted, expected : int
        Numbers of claims.
    judged : sequence of ClaimVerdict
        Verdicts. Those on claims that do not exist are ignored.

    """
    if predicted == expected == 0:
        return ClaimScore(1.0, 1.0, 1.0)
    taken: tuple[set[int], set[int]] = (set(), set())
    weight = 0.0
    for verdict in ("match", "partial"):
        for each in judged:
            known = 0 <= each.predicted < predicted and 0 <= each.expected < expected
            free = each.predicted not in taken[0] and each.expected not in taken[1]
            if each.verdict == verdict and known and free:
                taken[0].add(each.predicted)
                taken[1].add(each.expected)
                weight += WEIGHTS[each.verdict]
    if not weight:
        return ClaimScore(0.0, 0.0, 0.0)
    precision, recall = weight / predicted, weight / expected
    return ClaimScore(precision, recall, 2 * precision * recall / (precision + recall))
