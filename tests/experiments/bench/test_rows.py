from __future__ import annotations

import numpy as np

from experiments.bench.rows import call_row, rate_row, timed, value_row


def test_calls_are_told_by_their_percentiles_and_repeats_by_their_medians() -> None:
    clock = np.array([[0.001, 0.002, 0.003], [0.004, 0.005, 0.009]])
    processor = np.array([[0.001, 0.001, 0.001], [0.003, 0.003, 0.003]])
    assert call_row("rank", 1, np.stack([clock, processor], axis=-1)) == {
        "measurement": "rank",
        "unit": "ms",
        "threads": 1,
        "p50": 3.5,
        "p95": 8.0,
        "least": 2.0,
        "greatest": 5.0,
        "processor": 2.0,
        "repeats": 2,
    }


def test_rates_are_of_the_clock_and_of_the_processors() -> None:
    row = rate_row("rate", "pairs/s", 1, 100, np.array([[10.0, 4.0], [5.0, 2.0], [20.0, 5.0]]))
    assert [row[name] for name in ("p50", "least", "greatest", "processor")] == [10.0, 5.0, 20.0, 25.0]


def test_values_are_told_by_their_median_and_extremes() -> None:
    row = value_row("rate", "questions/s", 2, [30.0, 10.0, 20.0])
    said = [row[name] for name in ("p50", "p95", "least", "greatest", "processor", "repeats")]
    assert said == [20.0, None, 10.0, 30.0, None, 3]


def test_timed_calls_each_item_once_in_order() -> None:
    results, seconds = timed(lambda item: item * 2, [3, 1, 2])
    assert results == [6, 2, 4]
    assert seconds.shape == (3, 2)
    assert (seconds >= 0).all()
