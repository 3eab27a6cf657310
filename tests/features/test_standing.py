from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from rulerank.features.standing import FAR, Standing, standings

NAN = float("nan")
VALUES = st.floats(-1000, 1000, width=32)


def test_values_are_compared_with_those_of_the_same_question() -> None:
    matrix = np.array([[1], [3], [10], [10], [40]], np.float32)
    # The first two have the mean 2 and the deviation 1; the others 20 and the root of (100 + 100 + 400) / 3.
    expected = [-1, 1, -10 / 200**0.5, -10 / 200**0.5, 20 / 200**0.5]
    found = standings(matrix, np.array([0, 2, 5]))
    np.testing.assert_allclose(found[:, 0], expected, atol=1e-5)


def test_missing_and_equal_values_stand_nowhere() -> None:
    matrix = np.array([[1, NAN, 7], [3, NAN, 7], [NAN, NAN, 7]], np.float32)
    expected = [[-1, 0, 0], [1, 0, 0], [0, 0, 0]]
    np.testing.assert_allclose(standings(matrix, np.array([0, 3])), expected, atol=1e-5)


def test_a_value_far_from_all_others_counts_as_less_far() -> None:
    matrix = np.zeros((100, 1), np.float32)
    matrix[7] = 1
    assert standings(matrix, np.array([0, 100])).max() == FAR


def test_questions_without_candidates_are_passed_over() -> None:
    matrix = np.array([[1], [3]], np.float32)
    found = standings(matrix, np.array([0, 0, 2, 2]))
    np.testing.assert_allclose(found, [[-1], [1]], atol=1e-5)
    assert standings(matrix[:0], np.array([0, 0])).shape == (0, 1)


@given(arrays(np.float32, (7, 3), elements=VALUES), st.integers(0, 7))
def test_a_question_stands_alone(matrix: np.ndarray, cut: int) -> None:
    together = standings(matrix, np.array([0, cut, 7]))
    apart = [standings(part, np.array([0, len(part)])) for part in (matrix[:cut], matrix[cut:])]
    assert together.tobytes() == np.concatenate(apart).tobytes()


@given(arrays(np.float32, (6, 1), elements=st.integers(-50, 50).map(float)), st.sampled_from([2, 8, 32]))
def test_unit_and_zero_of_a_feature_do_not_matter(matrix: np.ndarray, unit: int) -> None:
    starts = np.array([0, 6])
    np.testing.assert_allclose(standings(matrix * unit + 16, starts), standings(matrix, starts), atol=1e-4)


def test_standing_weighs_the_features_and_the_trees() -> None:
    standing = Standing(("dense_score", "rrf_score"), np.array([0.5, -2.0]), 0.25)
    matrix = np.array([[1, 8], [3, 6]], np.float32)
    added = standing.added(np.array([4.0, 8.0]), matrix, np.array([0, 2]))
    # Three quarters of the trees' scores are taken away; the standings are -1, 1 and 1, -1.
    np.testing.assert_allclose(added, [-3 - 0.5 - 2, -6 + 0.5 + 2], atol=1e-4)


def test_standing_is_read_as_it_was_written() -> None:
    standing = Standing(("dense_score", "rrf_score"), np.array([0.5, -2.0]), 0.25)
    read = Standing.read(standing.as_json(), ["rrf_score", "pr", "dense_score"])
    assert read.as_json() == standing.as_json()


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"factor": 1, "weights": {"length": 1.0}}, "expected features of the ranker, found length"),
        ({"factor": 1, "weights": {"pr": NAN}}, "expected numbers below 1e\\+06"),
        ({"factor": 1, "weights": {"pr": -1e308}}, "expected numbers below 1e\\+06"),
        ({"factor": float("inf"), "weights": {}}, "expected numbers below 1e\\+06"),
        ({"factor": -0.1, "weights": {}}, "a factor of at least 0"),
        ({"factor": "1", "weights": {}}, "expected numbers"),
        ({"factor": 1, "weights": {"pr": True}}, "expected numbers"),
        ({"factor": 1, "weights": {"pr": None}}, "expected numbers"),
    ],
)
def test_standing_of_other_features_or_without_numbers_is_refused(said: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Standing.read(said, ["pr"])
