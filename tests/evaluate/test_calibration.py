from __future__ import annotations

import numpy as np
import pytest

from rulerank.evaluate.calibration import calibration_error, calibration_table


def test_calibration_error_by_hand() -> None:
    assert calibration_error(np.array([0.05, 0.05, 0.95, 0.95]), np.array([0, 0, 1, 0])) == pytest.approx(
        0.25
    )


def test_calibration_table_holds_probabilities_against_judgements() -> None:
    # A curve of slope 1 through 0: a score of log(3) states 3/4.
    scores = np.array([np.log(3)] * 4 + [-np.log(3)] * 2)
    labels = np.array([1, 2, 1, 0, 0, 1])
    table = calibration_table(scores, labels, {"slope": 1.0, "intercept": 0.0})
    assert table["probability"].to_list() == pytest.approx([0.25, 0.75])
    assert table["relevant"].to_list() == [0.5, 0.75]
    assert table["pairs"].to_list() == [2, 4]
    # Wilson's interval for three of four.
    assert table.select("low", "high").row(1) == pytest.approx((0.3006, 0.9544), abs=1e-4)


def test_calibration_table_of_many_pairs_is_the_same_twice_to_the_last_digit() -> None:
    generator = np.random.default_rng(2)
    scores, labels = generator.normal(size=200_000), generator.integers(0, 2, 200_000)
    first, *others = (
        calibration_table(scores, labels, {"slope": 1.0, "intercept": -1.0}).write_csv() for _ in range(5)
    )
    assert others == [first] * 4


def test_calibration_table_takes_a_probability_of_one() -> None:
    table = calibration_table(np.array([1000.0]), np.array([1]), {"slope": 1.0, "intercept": 0.0})
    assert table.select("probability", "relevant", "pairs", "high").rows() == [(1.0, 1.0, 1, 1.0)]
