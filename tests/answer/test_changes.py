import time

import pytest

from rulerank.answer.changes import Substitution, holds_off, position, repeals, substitution


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("In Rule 3.3.1 (towage), “twelve hours” is replaced by “one day”.", "twelve hours", "one day"),
        ("Rule 3 is amended: for “six hours” there is substituted “two hours”.", "six hours", "two hours"),
        ('Substitute "two hours" for "six hours" in Rule 3.', "six hours", "two hours"),
        ("From 1 May 2016, Rule 2.1 has effect as if “ten days” read “one day”.", "ten days", "one day"),
        ("The words “one hour” in Rule 5, on tugs, are to be read as “two hours”.", "one hour", "two hours"),
        (
            "In towage, the period of ten days in Rule 4.1 ceases to have effect and the period is one day.",
            "ten days",
            "one day",
        ),
        ("Paragraph 4.3 ceases to have effect. The period in article 5.2 is two years.", "", "two years"),
    ],
)
def test_words_that_take_the_place_of_others(text: str, old: str, new: str) -> None:
    assert substitution(text) == Substitution(old, new)
    assert not repeals(text)


@pytest.mark.parametrize(
    "text", ["Rule 2 is hereby repealed.", "This Rule revokes Rule 2.", "Rule 2 ceases to have effect."]
)
def test_repeal_puts_nothing_in_its_place(text: str) -> None:
    assert substitution(text) is None
    assert repeals(text)


def test_apostrophes_within_words_do_not_end_quoted_words() -> None:
    text = "In Rule 4, ‘the master’s log’ (the ship's) is replaced by “the tug's log”."
    assert substitution(text) == Substitution("the master’s log", "the tug's log")
    text = "For ‘Clients’ Money Rules’ there is substituted ‘Client Asset Rules’."
    assert substitution(text) == Substitution("Clients’ Money Rules", "Client Asset Rules")


@pytest.mark.parametrize("piece", ["‘a’a", "‘a’ ", " ‘a’", "“a’ ", "'a' ", " 'a", "“a” ", "for ‘a’ there "])
def test_time_is_linear_in_quotation_marks(piece: str) -> None:
    start = time.process_time()
    assert substitution(piece * 5_000) is None
    assert time.process_time() - start < 2


def test_what_changes_nothing() -> None:
    text = "The master must keep “the log” and replaced lamps."
    assert substitution(text) is None
    assert not repeals(text)
    assert not holds_off(text)


@pytest.mark.parametrize(
    "text",
    ["Rule 7 has no effect where ice closes it.", "Rule 2 continues to apply as it stood before 1 May 2017."],
)
def test_where_a_change_does_not_apply(text: str) -> None:
    assert holds_off(text)


def test_position_ignores_case_and_spacing_but_not_word_ends() -> None:
    assert position("Rest Six\n hours.", "six hours") == (5, 15)
    assert position("Rest sixty hours", "six") is None
