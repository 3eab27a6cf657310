"""Rules that differ in a figure alone."""

from __future__ import annotations

import time

import pytest

from rulerank.answer import Claim
from rulerank.answer.conflicts import contradictions
from tests.answer.rules import answered


@pytest.mark.parametrize("piece", ["1,000", "1,", "two hundred ", "nine-", "1.000,"])
def test_time_to_find_a_conflict_is_linear_in_figures(piece: str) -> None:
    start = time.process_time()
    claim = Claim(piece * 4_000, None, ("a",))
    assert contradictions([claim]) == (claim,)
    assert time.process_time() - start < 2


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("500 dollars", "700 dollars"),
        ("1 May 2020", "1 June 2020"),
        ("80 degrees", "90 degrees"),
        ("3 metres", "4 metres"),
    ],
)
def test_amounts_days_and_measures_conflict_too(one: str, other: str) -> None:
    texts = [f"The owner of a licensed berth must note {figure} in the log." for figure in (one, other)]
    assert answered(texts).text == f"- In conflict: “{texts[0]}” “{texts[1]}” [P1][P2]"


def test_the_same_figure_in_other_words_is_no_conflict() -> None:
    texts = [
        f"The owner must renew the berth's insurance within {figure} months." for figure in ("12", "twelve")
    ]
    assert answered(texts).text == f"- {texts[0]} [P1]\n- {texts[1]} [P2]"


def test_rules_that_differ_in_a_figure_alone_are_stated_as_a_conflict() -> None:
    texts = [f"A master must report every fire within {hours} hours." for hours in ("six", "12")]
    (claim,) = answered(texts).claims
    assert claim.text == f"In conflict: “{texts[0]}” “{texts[1]}”"
    assert claim.passages == ("p1", "p2")
