"""The days on which changes begin and end, from the citation to the answer."""

from __future__ import annotations

from datetime import date

import pytest

from tests.answer.rules import as_read, changes_read

REST = "A pilot must rest for six hours."
LOGS = "A master must keep six logs."


@pytest.mark.parametrize(
    ("change", "first", "second"),
    [
        (
            "(a) from 1 January 2023, rule 1 is repealed; (b) from 1 June 2025, rule 2 is repealed.",
            date(2023, 1, 1),
            date(2025, 6, 1),
        ),
        ("From 1 January 2023— (a) rule 1 is repealed, and (b) rule 2 is repealed.", *[date(2023, 1, 1)] * 2),
        ("From 1 January 2023, rule 1 is repealed; rule 2 is repealed.", *[date(2023, 1, 1)] * 2),
        ("(a) rule 1 is revoked; and (b) rule 2 is revoked, as from 1 May 2030.", *[date(2030, 5, 1)] * 2),
        ("From 1 January 2030 rule 1 is revoked; and rule 2 is revoked.", *[date(2030, 1, 1)] * 2),
        ("On January 1, 2030, rule 1 is revoked; and rule 2 is revoked.", *[date(2030, 1, 1)] * 2),
        (
            "Rule 1 is revoked; and rule 2 is revoked, both with effect from 1 January 2030.",
            *[date(2030, 1, 1)] * 2,
        ),
        ("Rules 1 and 2 are revoked. They cease to have effect on 1 January 2030.", *[date(2030, 1, 1)] * 2),
        (
            "These Rules may be cited as the Rules 2029 and come into force on 1 January 2030."
            " Rules 1 and 2 are revoked.",
            *[date(2030, 1, 1)] * 2,
        ),
        ("Rule 1 is repealed; from 1 January 2023 rule 2 is repealed.", None, date(2023, 1, 1)),
        ("Rule 1 is repealed on 1 June 2025. Rule 2 is repealed.", date(2025, 6, 1), None),
    ],
)
def test_each_rule_gets_its_own_day(change: str, first: date | None, second: date | None) -> None:
    assert [(each.of, each.since) for each in changes_read([REST, LOGS, change])] == [
        ("p1", first),
        ("p2", second),
    ]


@pytest.mark.parametrize(
    "change",
    [
        "Rule 1 is revoked on 1 June 2024.",
        "Rule 1 is repealed on 2 May 2024.",
        "Rule 1 expires on 1 May 2024.",
        "Rule 1 is suspended until 30 April 2024.",
    ],
)
def test_a_rule_stands_until_the_day_of_its_repeal(change: str) -> None:
    assert as_read(REST, change).startswith("- A pilot must rest for six hours. [P1]")


def test_a_change_ends_with_the_passage_that_makes_it() -> None:
    texts = (
        REST,
        "In rule 1, for “six” substitute “ten”. This rule ceases to have effect on 31 December 2023.",
    )
    assert "read as “ten”" in as_read(*texts, day=date(2023, 6, 1))
    assert "read as" not in as_read(*texts, day=date(2023, 12, 31))


def test_what_ends_under_a_rule_does_not_end_the_change() -> None:
    change = (
        "For rule 1 substitute the following rule: A pilot must rest. A permit under this rule expires on"
    )
    (found,) = changes_read([REST, f"{change} 31 March 2021."])
    assert found.until is None


@pytest.mark.parametrize(
    ("lead", "day"),
    [
        ("From May 2020", "1 May 2020"),
        ("From 01/02/2020", "1 February 2020"),
        ("At the end of 31 December 2020", "1 January 2021"),
        ("After 30 April 2020", "1 May 2020"),
        ("From 2020-05-01", "1 May 2020"),
        ("From 31 June 2020", "30 June 2020"),
    ],
)
def test_the_day_of_a_change_is_stated_however_it_is_written(lead: str, day: str) -> None:
    stated = as_read(REST, f"{lead}, in rule 1, “six” is replaced by “ten”.")
    assert stated == f"- A pilot must rest for six [read as “ten” from {day}] hours. [P2][P1]"


def test_a_document_that_ends_takes_its_rules_with_it_on_that_day() -> None:
    ending = "These Rules expire on 31 December 2023."
    assert as_read(REST, ending, day=date(2023, 12, 31)).startswith(f"- {REST} [P1]")
    assert as_read(REST, ending, day=date(2024, 1, 1)) == f"- {ending} [P2][P1]"


@pytest.mark.parametrize("end", ["expire on 31 December 2023", "cease to have effect on 1 January 2024"])
def test_a_document_may_say_in_one_sentence_when_it_begins_and_ends(end: str) -> None:
    ending = f"These Rules may be cited as such, come into force on 1 May 2020 and {end}."
    assert as_read(REST, ending, day=date(2023, 12, 31)).startswith(f"- {REST} [P1]")
    assert as_read(REST, ending, day=date(2024, 1, 1)) == f"- {ending} [P2][P1]"


@pytest.mark.parametrize(
    "end",
    [
        "expire at the end of the period of one year beginning with the day they are made",
        "cease to have effect on the third anniversary of the day on which they come into force",
        "cease to have effect two years after they come into force",
        "cease to have effect at the end of two years",
        "cease to have effect at the expiration of 2 years",
        "cease to have effect 12 months from the date of their making",
        "cease to have effect one year later",
        "cease to have effect on the expiry of the Ports Act",
        "cease to have effect upon the coming into operation of the Ports Act",
        "cease to have effect on the same day as the Ports Act",
        "cease to have effect once the Minister so orders",
        "cease to have effect whenever the port is closed",
        "cease to be in force as soon as a code is made",
    ],
)
def test_the_end_of_a_document_on_a_day_that_is_not_known_stands_beside_its_rules(end: str) -> None:
    ending = f"These Rules {end}."
    assert as_read(REST, ending) == f"- {REST} [{ending}] [P2][P1]"


def test_the_end_of_a_document_stands_beside_its_rules_with_what_changes_that_day() -> None:
    ending, later = "These Rules expire on 31 December 2020.", "In rule 2, for “2020” substitute “2040”."
    assert as_read(REST, ending, later) == f"- {REST} [{ending}] [{later}] [P2][P3][P1]"


def test_the_end_of_a_document_that_is_revoked_ends_no_rule() -> None:
    assert (
        as_read(REST, "These Rules expire on 31 December 2020.", "Rule 2 is revoked.")
        == f"- {REST} [Rule 2 is revoked.] [P3][P1]"
    )


def test_a_change_of_the_day_of_a_repeal_is_stated_with_the_repeal() -> None:
    repeal, later = "Rule 1 is revoked on 1 May 2020.", "In rule 2, for “2020” substitute “2040”."
    assert as_read(REST, repeal, later) == f"- {REST} [{repeal}] [{later}] [P2][P3][P1]"


def test_a_repeal_begins_with_the_rule_that_makes_it() -> None:
    commencing = (
        "These Rules come into force on 1 May 2020, except rule 2, which comes into force on 1 May 2030."
    )
    repeal = "Rule 1 is revoked."
    assert as_read(REST, repeal, commencing).startswith(f"- {REST} [P1]")
    assert as_read(REST, repeal, commencing, day=date(2030, 5, 1)).startswith(f"- {repeal} [P2][P1]")


@pytest.mark.parametrize(
    "end",
    [
        "has effect until 31 December 2023",
        "does not apply after 31 December 2023",
        "expires on 31 December 2023",
    ],
)
def test_the_last_day_of_a_rule_is_its_own(end: str) -> None:
    assert as_read(REST, f"Rule 1 {end}.", day=date(2023, 12, 31)).startswith(f"- {REST} [P1]")
    assert as_read(REST, f"Rule 1 {end}.", day=date(2024, 1, 1)) == f"- Rule 1 {end}. [P2][P1]"


def test_the_day_of_an_excepted_rule_is_not_that_of_the_others() -> None:
    which = "rule 2(1), which ceases to apply on 1 January 2030"
    ending = f"Rules 1 and 2 are repealed, with the exception of {which}."
    assert as_read(REST, LOGS, ending).splitlines()[0] == f"- {REST} [{ending}] [P3][P1]"


def test_the_remaining_provisions_begin_on_their_day() -> None:
    texts = [
        REST,
        "Rule 1 is revoked.",
        "Rule 9 comes into force on 1 May 2030. The remaining provisions come into force on {}.",
    ]
    past, coming = (as_read(*texts[:2], texts[2].format(day)) for day in ("1 May 2020", "1 May 2031"))
    assert past.startswith("- Rule 1 is revoked. [P2][P1]")
    assert coming.startswith(f"- {REST} [P1]")


def test_the_last_day_of_a_paragraph_is_its_own() -> None:
    (read,) = changes_read([f"(1) {REST}", "Paragraph (1) of rule 1 expires on 31 December 2023."])
    assert (read.since, read.in_part) == (date(2024, 1, 1), True)


def test_a_rule_that_will_be_replaced_stands_until_then() -> None:
    change = "Rule 1 will be replaced with effect from 1 July 2025 by the following: A pilot must sleep."
    assert as_read(REST, change).startswith(f"- {REST} [P1]")
    assert as_read(REST, change, day=date(2025, 7, 1)).startswith("- Rule 1 will be replaced")


@pytest.mark.parametrize(
    "day",
    [
        "on such day as the Minister may appoint",
        "on a date to be notified",
        "on such days as the Minister may fix",
        "on the day that is specified in a notice",
        "on such day as is appointed by order",
        "on such day as is specified in regulations made by the Minister",
        "on the day that is prescribed in rules of the Board",
    ],
)
def test_changes_that_begin_on_a_day_to_be_appointed_stand_beside_their_rules(day: str) -> None:
    changes = "Rule 1 is revoked.", "In rule 2, for “six” substitute “ten”."
    read = as_read(REST, LOGS, *changes, f"These Rules come into force {day}.").splitlines()
    assert read[0] == f"- {REST} [{changes[0]}] [P3][P1]"
    assert read[1] == f"- {LOGS} [{changes[1]}] [P4][P2]"


@pytest.mark.parametrize(
    "day",
    [
        "on the day that is specified in the Schedule",
        "on the dates which are prescribed in the second column",
    ],
)
def test_a_day_that_a_schedule_names_is_not_yet_to_be_appointed(day: str) -> None:
    assert as_read(REST, "Rule 1 is revoked.", f"These Rules come into force {day}.").startswith(
        "- Rule 1 is revoked. [P2][P1]"
    )


def test_a_day_to_be_appointed_counts_no_more_than_one_that_is_named() -> None:
    other = "Rule 9 comes into force on such day as the Minister may appoint."
    begin = f"These Rules come into force on 1 May 2020. {other}"
    assert as_read(REST, "Rule 1 is revoked.", begin).startswith("- Rule 1 is revoked. [P2][P1]")
