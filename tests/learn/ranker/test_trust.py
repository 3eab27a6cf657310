"""Limits from where judgements are trusted, on rankings worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from rulerank.features.trust import COVERED
from rulerank.learn.ranker.trust import STEPS, SURE, USUAL, TrustExamples, fit_limits

# Each question as it is, then with the judgements of its answers hidden.
# How good it is ranked: without judgements, by the mean of both scores, with judgements.
SHARES = [0.25, 0.35, 1.0]
KNOWN = [[0.6, 0.6, 0.6], [0.5, 0.58, 0.6], [0.4, 0.6, 0.8]]
NEW = [[0.6, 0.3, 0.1], [0.5, 0.45, 0.1], [0.4, 0.3, 0.3]]


def _tried(
    known: list[list[float]] = KNOWN,
    new: list[list[float]] = NEW,
    covered: float = 1.0,
    times: int = 100,
) -> TrustExamples:
    judged = np.array([*SHARES, *SHARES])
    shares = np.column_stack([judged, np.full(len(judged), covered)]).astype(np.float32)
    unjudged = np.repeat([False, True], len(SHARES))
    return TrustExamples(
        np.tile(shares, (times, 1)), np.tile(unjudged, times), np.tile(np.array([*known, *new]), (times, 1))
    )


def _chosen(tried: TrustExamples, unjudged: float) -> tuple[float, ...]:
    limits = fit_limits(tried, unjudged)
    assert tuple(limits["leaders_covered"]) == (COVERED, COVERED)
    return tuple(limits["leaders_judged"])


def test_judgements_are_trusted_where_they_gain_more_than_they_cost() -> None:
    # The first loses by any trust. At a tenth, the second gains .072 by half trust and loses .005; full trust
    # gains .018 more and loses .035 more. The third gains .36 by full trust and loses .01.
    assert _chosen(_tried(), 0.1) == (0.3, 1)


def test_all_questions_about_judged_rules_are_answered_with_judgements() -> None:
    assert _chosen(_tried(), 0) == (0.3, 0.3)


def test_all_questions_about_new_rules_are_answered_without_judgements() -> None:
    assert _chosen(_tried(), 1) == (1.1, 1.1)


def test_judgements_that_help_everywhere_are_trusted_from_the_lowest_share_seen() -> None:
    better = [[0.1, 0.2, 0.3]] * 3
    assert _chosen(_tried(better, better), 0.5) == (0.2, 0.2)


def test_the_usual_limits_stay_unless_others_are_surely_better() -> None:
    assert _chosen(_tried(times=1), 0.1) == USUAL
    nothing = TrustExamples(np.empty((0, 2), np.float32), np.empty(0, np.bool_), np.empty((0, 3)))
    assert _chosen(nothing, 0.1) == USUAL


def test_documents_that_nobody_asked_about_are_left_to_the_other_ranker_under_all_limits() -> None:
    tried = _tried(covered=0.5)
    assert tried.under(fit_limits(tried, 0.1)).tolist() == [each[0] for each in [*KNOWN, *NEW]] * 100


@pytest.mark.hypothesis
@example(
    found=np.array([[0, 1, 0], [0, 0, 1], [0, 0, 0], [0, 0, 1], [0, 0, 0], [0, 0, 1]], np.float64),
    judged=np.zeros(6, np.float32),
    unjudged=0.25,
)
@given(
    found=arrays(np.float64, (6, 3), elements=st.floats(0, 1)),
    judged=arrays(np.float32, 6, elements=st.floats(0, 1, width=32)),
    unjudged=st.floats(0, 1),
)
def test_the_best_limits_are_chosen_if_they_are_surely_better_and_the_usual_ones_if_not(
    found: np.ndarray[tuple[int, int], np.dtype[np.float64]],
    judged: np.ndarray[tuple[int], np.dtype[np.float32]],
    unjudged: float,
) -> None:
    shares = np.column_stack([judged, np.ones(6, np.float32)])
    tried = TrustExamples(shares, np.arange(6) % 2 == 1, found)
    weights = np.where(tried.unjudged, unjudged, 1 - unjudged)
    usual = tried.under({"leaders_judged": USUAL})
    tables = [
        weights * (tried.under({"leaders_judged": (half, full)}) - usual)
        for half in STEPS
        for full in STEPS[STEPS.index(half) :]
    ]
    most = max(gains.sum() for gains in tables)
    best = [gains for gains in tables if gains.sum() >= most - 1e-9]
    excess = [gains.sum() - SURE * np.sqrt(6) * gains.std() for gains in best]
    chosen = fit_limits(tried, unjudged)
    if tuple(chosen["leaders_judged"]) == USUAL:
        assert min(excess) <= 1e-9 or most <= 1e-9
    else:
        gained = weights * (tried.under(chosen) - usual)
        assert gained.sum() >= most - 1e-9
        assert max(excess) >= -1e-9
