import time
from datetime import date

import polars as pl
import pytest

from rulerank.authority.commencement import dated
from rulerank.authority.in_force import InForce, Voiding, voidings
from rulerank.tables import EDGES, PASSAGES

RULE, FIRST, SECOND = "rule", "first", "second"
KNOWN = [
    Voiding(FIRST, RULE, "", date(2019, 4, 1)),
    Voiding(SECOND, FIRST, "", date(2022, 10, 1)),
    Voiding("always", "other", "", None),
]


@pytest.mark.parametrize(
    ("day", "by"),
    [(date(2019, 3, 31), ()), (date(2019, 4, 1), (FIRST,)), (date(2022, 10, 1), (SECOND,))],
)
def test_what_voids_a_rule_depends_on_the_day(day: date, by: tuple[str, ...]) -> None:
    assert InForce(KNOWN, day).voided_by(RULE) == by


def test_change_without_a_date_is_in_force_on_every_day() -> None:
    assert InForce(KNOWN, date.min).voided_by("other") == ("always",)


def test_change_ends_with_its_last_day() -> None:
    known = [Voiding(FIRST, RULE, "", date(2019, 4, 1), date(2019, 4, 30))]
    assert InForce(known, date(2019, 4, 30)).voided_by(RULE) == (FIRST,)
    assert InForce(known, date(2019, 5, 1)).voided_by(RULE) == ()


def test_changes_are_those_of_the_rule_and_of_its_changes_in_order() -> None:
    assert [each.by for each in InForce(KNOWN, date.max).changes(RULE)] == [FIRST, SECOND]
    assert [each.by for each in InForce(KNOWN, date(2020, 1, 1)).changes(RULE)] == [FIRST]
    assert InForce(KNOWN, date.max).changes("unknown") == []


def test_rules_at_the_root_of_a_change() -> None:
    law = InForce(KNOWN, date.max)
    assert law.changed(SECOND) == law.changed(FIRST) == [RULE]
    assert law.changed(RULE) == []


def test_change_begins_when_its_passage_does_or_as_its_words_say() -> None:
    rows = [
        ("a", "d", "1", "", "Rule 2 is repealed.", None, "rule", 1, date(2020, 1, 1), None),
        ("b", "d", "2", "", "From 1 May 2021, Rule 3 is repealed.", None, "rule", 2, date(2020, 1, 1), None),
        ("c", "d", "3", "", "Rest.", None, "rule", 3, None, None),
    ]
    passages = pl.DataFrame(rows, schema=dict(PASSAGES.columns), orient="row")
    edges = [("a", "b", "SUPERSEDES", "x"), ("b", "c", "SUPERSEDES", "y"), ("z", "c", "SUPERSEDES", "")]
    table = pl.DataFrame(edges, schema=dict(EDGES.columns), orient="row")
    assert voidings(table, passages) == [
        Voiding("a", "b", "x", date(2020, 1, 1)),
        Voiding("b", "c", "y", date(2021, 5, 1)),
    ]


def test_change_without_a_day_begins_with_its_document() -> None:
    rows = [
        ("a", "new", "1", "", "These Rules come into force on 1 January 2030.", None, "rule", 1, None, None),
        ("b", "new", "2", "", "Rule 2 is repealed.", None, "rule", 2, None, None),
        ("c", "new", "3", "", "From 1 May 2021, Rule 3 is repealed.", None, "rule", 3, None, None),
        ("d", "new", "4", "", "Rule 4 is repealed.", None, "rule", 4, date(2025, 6, 1), None),
        ("e", "old", "2", "", "Rest.", None, "rule", 1, None, None),
    ]
    passages = pl.DataFrame(rows, schema=dict(PASSAGES.columns), orient="row")
    edges = [(source, "e", "SUPERSEDES", "is repealed") for source in ("b", "c", "d")]
    found = voidings(pl.DataFrame(edges, schema=dict(EDGES.columns), orient="row"), dated(passages))
    # Before the document is in force, it repeals nothing.
    assert [each.since for each in found] == [date(2030, 1, 1), date(2030, 1, 1), date(2025, 6, 1)]


def test_a_schedule_of_repeals_is_read_in_linear_time() -> None:
    numbers = [str(number) for number in range(1, 2_001)]
    text = "\n".join(f"Rule {number} is repealed." for number in numbers)
    passages = pl.DataFrame(
        {"passage_id": ["s", *numbers], "text": [text, *numbers], "section": ["0", *numbers]}
    ).with_columns(document_id=pl.lit("d"))
    edges = pl.DataFrame({"target_id": numbers, "evidence": [f"Rule {number} is" for number in numbers]})
    start = time.process_time()
    found = voidings(
        edges.with_columns(source_id=pl.lit("s"), type=pl.lit("SUPERSEDES")),
        passages.with_columns(effective_from=pl.lit(None, pl.Date)),
    )
    assert time.process_time() - start < 5
    assert len(found) == 2_000


ADDENDA = (
    "부칙 <법률 제1234호, 2021. 1. 5.>\n제1조(시행일) 이 법은 공포 후 6개월이 경과한 날부터 시행한다. "
    "다만, 제3조부터 제5조까지의 개정규정은 2022년 3월 1일부터 시행하고, "
    "제9조의2의 개정규정은 공포한 날부터 시행한다."
)


@pytest.mark.parametrize(
    ("section", "addenda", "since", "appointed"),
    [
        ("제2조", ADDENDA, date(2021, 7, 6), False),
        ("제1장.제4조.제1항", ADDENDA, date(2022, 3, 1), False),
        ("제9조의2", ADDENDA, date(2021, 1, 5), False),
        # Without the day of promulgation, only days that are named are known.
        ("제2조", ADDENDA.replace(" <법률 제1234호, 2021. 1. 5.>", ""), None, True),
        ("제4조", ADDENDA.replace(" <법률 제1234호, 2021. 1. 5.>", ""), date(2022, 3, 1), False),
        ("제9조의2", ADDENDA.replace(" <법률 제1234호, 2021. 1. 5.>", ""), None, False),
        ("제2조", "이 법은 공포한 날부터 시행한다.", None, False),
        (
            "제2조",
            "이 법은 2021. 7. 1.부터 시행한다. "
            "다만, 제2조의 개정규정은 공포 후 1년이 경과한 날부터 시행한다.",
            date(2021, 7, 1),
            True,
        ),
    ],
)
def test_amended_articles_begin_when_the_addenda_say(
    section: str, addenda: str, since: date | None, appointed: bool
) -> None:
    rows = [
        ("l", "L", section, "", "선장은 3년간 보존한다.", 1, "rule", 0, None, None),
        ("a", "A", "", "", "위 조 중 “3년”을 “5년”으로 한다.", 1, "rule", 0, None, None),
        ("b", "A", "부칙", "", addenda, 1, "rule", 1, None, None),
    ]
    passages = dated(pl.DataFrame(rows, schema=dict(PASSAGES.columns), orient="row"))
    edges = pl.DataFrame([("a", "l", "SUPERSEDES", "“3년”을")], schema=dict(EDGES.columns), orient="row")
    found = voidings(edges, passages)[0]
    assert (found.since, found.appointed) == (since, appointed)
