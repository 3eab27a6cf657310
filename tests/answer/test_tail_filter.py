from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rulerank.answer.tail_filter import keep

# Whole numbers keep normalised scores either on the thresholds or further from them than the tolerance.
ranked = st.lists(st.integers(-1000, 1000), min_size=1, max_size=12).map(lambda s: sorted(s, reverse=True))
threshold = st.sampled_from([0.0, 0.1, 0.2, 0.5, 0.7, 0.9, 1.0])


def test_keep_of_an_empty_list_is_nothing() -> None:
    assert keep([]) == 0


def test_keep_always_keeps_the_first() -> None:
    assert keep([3.0]) == 1
    assert keep([3.0, 1.0]) == 1


def test_keep_all_equal_scores_keeps_all() -> None:
    assert keep([0.4, 0.4, 0.4]) == 3


def test_keep_stops_below_the_smallest_score() -> None:
    assert keep([1.0, 0.85, 0.7, 0.69, 0.0]) == 3


def test_keep_stops_at_the_first_drop() -> None:
    assert keep([1.0, 0.95, 0.75, 0.74, 0.0], tau_min=0.0) == 2


def test_keep_counts_a_score_on_the_smallest_as_kept_and_a_drop_on_the_limit_as_a_drop() -> None:
    assert (1.9 - 1.2) / (2.2 - 1.2) < 0.7
    assert keep([2.2, 2.05, 1.9, 1.2]) == 3
    assert 1.0 - 0.8 < 0.2
    assert keep([1.0, 0.8, 0.0]) == 1


def test_keep_with_open_thresholds_keeps_all() -> None:
    assert keep([5.0, 3.0, 1.0], tau_min=0.0, tau_delta=1.1) == 3


def test_keep_takes_an_array() -> None:
    assert keep(np.array([1.0, 0.9, 0.8, 0.0])) == 3


@pytest.mark.parametrize("scores", [[0.1, 0.2], [1.0, math.nan], [math.inf, 1.0]])
def test_keep_refuses_scores_that_are_not_ranked_and_finite(scores: list[float]) -> None:
    with pytest.raises(ValueError, match="ranked order"):
        keep(scores)


@settings(deadline=None)
@given(ranked, threshold, threshold)
def test_keep_is_a_prefix_in_which_every_score_passes(
    scores: list[int], tau_min: float, tau_delta: float
) -> None:
    kept = keep(scores, tau_min, tau_delta)
    assert 1 <= kept <= len(scores)
    span = scores[0] - scores[-1]
    normal = [(score - scores[-1]) / span if span else 1.0 for score in scores]
    for before, score in pairwise(normal[:kept]):
        assert score >= tau_min - 1e-6
        assert before - score < tau_delta + 1e-6
    if kept < len(scores):
        assert normal[kept] < tau_min or normal[kept - 1] - normal[kept] >= tau_delta - 1e-6


@settings(deadline=None)
@given(ranked, st.integers(-50, 50), st.sampled_from([0.25, 0.5, 2.0, 1024.0]))
def test_keep_is_blind_to_shift_and_scale(scores: list[int], shift: int, factor: float) -> None:
    assert keep([factor * score + shift for score in scores]) == keep(scores)


@settings(deadline=None)
@given(ranked, threshold, threshold, threshold)
def test_keep_shrinks_as_the_filter_grows_stricter(
    scores: list[int], low: float, high: float, other: float
) -> None:
    assume(low <= high)
    assert keep(scores, tau_min=high, tau_delta=other) <= keep(scores, tau_min=low, tau_delta=other)
    assert keep(scores, tau_min=other, tau_delta=low) <= keep(scores, tau_min=other, tau_delta=high)
