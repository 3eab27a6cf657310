from __future__ import annotations

import time

import pytest

from rulerank.answer.verification.bounds import other_bounds


@pytest.mark.parametrize(
    ("claim", "support", "kind"),
    [
        ("A tug must carry at most 5 lamps.", "A tug must carry at least 5 lamps.", "bound"),
        ("Pay more than 5 dollars.", "Pay less than 5 dollars.", "bound"),
        ("Hold no more than 5 lamps.", "Hold not less than 5 lamps.", "bound"),
        ("Test the water monthly.", "Test the water quarterly.", "interval"),
        ("Test the water every month.", "Test the water every year.", "interval"),
        ("Test the water each day.", "Test the water weekly.", "interval"),
        ("Close the port if it is calm.", "Close the port unless it is calm.", "condition"),
        ("Close the port unless it is calm.", "Close the port if it is calm.", "condition"),
    ],
)
def test_what_runs_against_the_support_is_a_fault(claim: str, support: str, kind: str) -> None:
    assert (other_bounds(claim, support) or "").startswith(kind)


@pytest.mark.parametrize(
    ("claim", "support"),
    [
        ("Report no later than ten days.", "Report within ten days."),
        ("Report at least 5 of up to 9 fires.", "Report at least 5 of up to 9 fires."),
        ("Hold at most 5 lamps.", "Nobody may hold, and no tug may carry, more than 5 lamps."),
        ("Fees must not exceed 5 dollars.", "The fee is at most 5 dollars."),
        ("Test the water quarterly.", "Test the water every three months."),
        ("Send each quarterly report.", "Report at three-month intervals."),
        ("Report at least ten days before the change.", "Report not later than ten days before the change."),
        ("Keep the list up to date.", "Renew the list at least every year."),
        ("Sail up to 10 knots.", "Sail at 10 knots or less, and at least 2 knots."),
        ("Pay 5 dollars per year.", "Pay 5 dollars per annum."),
        ("Test the water every day.", "Test the water daily."),
        ("Close the port unless it is calm.", "Close the port if it is not calm."),
        ("Close the port except when it is calm.", "Close the port unless it is calm."),
        ("Close the port where ice comes.", "Close the port if ice comes."),
    ],
)
def test_the_same_in_other_words_is_none(claim: str, support: str) -> None:
    assert other_bounds(claim, support) is None


@pytest.mark.parametrize("piece", ["if ", "every ", "not ", "at ", "more than ", "each x ", "-"])
def test_time_is_linear(piece: str) -> None:
    start = time.process_time()
    other_bounds(piece * 20_000, piece * 20_000)
    assert time.process_time() - start < 2
