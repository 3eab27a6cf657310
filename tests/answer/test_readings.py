from __future__ import annotations

from datetime import date

import pytest

from rulerank.answer.changes import Substitution
from rulerank.answer.readings import Reading, Wording, annotated, positions, reworded, wording
from rulerank.authority.in_force import Voiding


def _read(rule: str, *changes: str) -> list[tuple[str, str, tuple[str, ...]]]:
    """Return the readings of a rule that each change names directly."""
    words = {f"c{number}": text for number, text in enumerate(changes, start=1)}
    now = wording("rule", [Voiding(by, "rule", "", None) for by in words], {"rule": rule, **words})
    return [(each.old, each.new, each.by) for each in now.readings]


@pytest.mark.parametrize(
    ("text", "words", "places"),
    [
        ("Rest Six\n hours.", "six hours", [(5, 15)]),
        ("Rest sixty hours", "six", []),
        ("1,100 dollars or 100 dollars", "100 dollars", [(17, 28)]),
        ("1.5% a year", "5%", []),
        ("rule 3.1", "3", []),
        ("ten days, ten days", "ten days", [(0, 8), (10, 18)]),
    ],
)
def test_positions_ignore_case_and_spacing_but_not_the_ends_of_words_and_numbers(
    text: str, words: str, places: list[tuple[int, int]]
) -> None:
    assert list(positions(text, words)) == places


def test_every_occurrence_is_annotated() -> None:
    read = [
        Reading("ten days", "5 days", None, ("a",)),
        Reading("a day", "5 days", date(2020, 5, 1), ("a",), until=date(2021, 4, 30)),
    ]
    assert annotated("Within ten days, or ten days after a day.", read) == (
        "Within ten days [read as “5 days”], or ten days [read as “5 days”] after "
        "a day [read as “5 days” from 1 May 2020 until 30 April 2021]."
    )


def test_words_are_put_in_place_of_others_at_once() -> None:
    said = [Substitution("one", "two"), Substitution("two", "three"), Substitution("", "four")]
    assert reworded("One and two.", said) == "two and three."


def test_all_substitutions_of_a_change_are_applied_at_once() -> None:
    change = "In rule 1, for “2 tugs” there is substituted “3 tugs” and for “1 tug” substitute “2 tugs”."
    assert _read("Call 1 tug or 2 tugs.", change) == [
        ("2 tugs", "3 tugs", ("c1",)),
        ("1 tug", "2 tugs", ("c1",)),
    ]


def test_later_change_of_the_same_words_replaces_the_earlier() -> None:
    first, second = (f"In rule 1, for “24 hours” there is substituted “{hours} hours”." for hours in (12, 6))
    assert _read("Report within 24 hours.", first, second) == [("24 hours", "6 hours", ("c2", "c1"))]


def test_change_on_a_condition_is_no_reading() -> None:
    change = "Where children swim, in rule 1 for “4 hours” there is substituted “2 hours”."
    now = wording("rule", [Voiding("c", "rule", "", None)], {"rule": "Test every 4 hours.", "c": change})
    assert now == Wording(("rule",), (), ("c",))
