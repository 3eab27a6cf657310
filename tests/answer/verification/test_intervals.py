from __future__ import annotations

import time
from fractions import Fraction

import pytest

from rulerank.answer.verification.intervals import Interval, intervals, lengths


@pytest.mark.parametrize(
    ("text", "length", "unit"),
    [
        ("monthly", 1, "month"),
        ("once a month", 1, "month"),
        ("twice a month", Fraction(1, 2), "month"),
        ("twice monthly", Fraction(1, 2), "month"),
        ("three times a year", 4, "month"),
        ("every two months", 2, "month"),
        ("every second month", 2, "month"),
        ("every other week", 2 * 168, "hour"),
        ("each calendar quarter", 3, "month"),
        ("at intervals of not more than three months", 3, "month"),
        ("at three-month intervals", 3, "month"),
        ("six-monthly", 6, "month"),
        ("semi-annually", 6, "month"),
        ("once in any 12 month period", 12, "month"),
        ("per annum", 12, "month"),
        ("biennially", 24, "month"),
        ("each business day", 24, "hour"),
        ("bimonthly", 1, "bimonth"),
        ("half yearly", 6, "month"),
        ("a report (six-monthly)", 6, "month"),
        ("at six monthly intervals", 6, "month"),
        ("USD 50 monthly", 1, "month"),
        ("a fee of USD 2,000 annually", 12, "month"),
        ("the 2024 annual report", 12, "month"),
        ("two quarterly returns", 3, "month"),
    ],
)
def test_intervals_are_read_however_they_are_written(text: str, length: Fraction, unit: str) -> None:
    assert list(intervals(text)) == [Interval(Fraction(length), unit)]


@pytest.mark.parametrize("text", ["within five days", "a month", "the annex", "every tug"])
def test_other_times_are_no_intervals(text: str) -> None:
    assert not intervals(text)


def test_an_interval_has_a_length_in_every_unit_in_which_it_is_whole() -> None:
    (year,), (week,), (half,) = map(intervals, ("annually", "weekly", "twice a month"))
    assert [*lengths(year)] == [(12, "month"), (4, "quarter"), (1, "year")]
    assert [*lengths(week)] == [(168, "hour"), (7, "day"), (1, "week")]
    assert [*lengths(half)] == []


@pytest.mark.parametrize(
    "piece", ["every ", "one ", "twice ", "intervals of a ", "bi", "3 ", "five-", "half-"]
)
def test_time_is_linear(piece: str) -> None:
    start = time.process_time()
    intervals(piece * (40_000 // len(piece)))
    assert time.process_time() - start < 2
