"""When a whole document comes into force."""

from __future__ import annotations

import time
from datetime import date

import polars as pl
import pytest

from rulerank.authority.commencement import commencements, dated


def _read(*texts: str) -> date | None:
    passages = pl.DataFrame({"document_id": ["d"] * len(texts), "text": texts})
    return commencements(passages).get(("d", ""))


@pytest.mark.parametrize(
    "text",
    [
        "These Rules come into force on 1 January 2030.",
        "(1) These Regulations shall come into operation on the 1st January 2030.",
        "This Order may be cited as the Pilots Order 2029 and comes into force on 1 January 2030.",
        "This Act enters into force on and from 2030-01-01.",
        "DATES: This final rule is effective January 1, 2030.",
        "DATES: This rule is effective on January 1, 2030. Comments are due by May 1, 2029.",
        "The amendments in this interim final rule are effective on January 1, 2030.",
        "이 규칙은 2030년 1월 1일부터 시행한다.",
        "This Regulation shall enter into force on 1 January 2030.",
        "This Regulation shall enter into force on 1 May 2029. It shall apply from 1 January 2030.",
        "This Directive shall enter into force on the day after its publication. It shall apply as from "
        "1 January 2030.",
        "2. This Regulation shall apply from 1 January 2030.",
        "Rule 4 comes into force on 1 May 2029. The remaining provisions come into force on 1 January 2030.",
        "Rule 4 comes into force on 1 May 2029 and the remainder of these Rules comes into force on "
        "1 January 2030.",
        "DATES: This final rule is effective May 1, 2029. The effective date of this final rule is "
        "delayed until "
        "January 1, 2030.",
    ],
)
def test_a_document_says_when_it_comes_into_force(text: str) -> None:
    assert _read("A master must keep a log.", text) == date(2030, 1, 1)


@pytest.mark.parametrize(
    "text",
    [
        "This rule comes into force on 1 January 2030.",
        "These Rules come into force on 1 January 2030, except rule 5(2).",
        "These Rules come into force on 1 January 2030, except Part 5.",
        "This final rule is effective January 1, 2030, except for § 7.1.",
        "Comments on this final rule are due January 1, 2030.",
        "This rule is effective January 1, 2030.",
        "This regulation comes into force on 1 January 2030.",
        "The fees of this Regulation shall apply from 1 January 2030.",
        "It shall apply from 1 January 2030. However, Article 1(2) shall apply from 1 May 2030.",
        "These Rules come into force on such day as the Minister may appoint.",
        "The Harbour Rules 2018 come into force on 1 January 2030.",
        "Part 3 of these Rules comes into force on 1 January 2030.",
        "A licence under these Rules comes into force on 1 January 2030.",
        "For the purposes of these Rules, the tariff comes into force on 1 January 2030.",
        "Except for rule 1, these Rules come into force on 1 January 2030.",
        "These Rules come into force on 1 January 2030 for ferries.",
        "These Rules apply to a tariff that comes into force on 1 January 2030.",
        "For rule 9 substitute “9 These Rules come into force on 1 January 2030.”",
        "A licence granted after the coming into force of these Rules lasts until 1 January 2030.",
    ],
)
def test_the_day_of_a_part_or_of_another_document_is_not_its_day(text: str) -> None:
    assert _read(text) is None


def test_a_document_that_names_two_days_has_none() -> None:
    texts = ("These Rules come into force on 1 January 2030.", "These Rules come into force on 1 May 2030.")
    assert _read(*texts) is None
    assert _read(texts[0], texts[0]) == date(2030, 1, 1)


def test_the_day_of_a_part_does_not_hide_that_of_the_whole() -> None:
    text = "These Rules come into force on 1 May 2020. Rule 7 of these Rules comes into force on 1 May 2030."
    assert _read(text) == date(2020, 5, 1)


def test_passages_without_a_day_have_that_of_their_document() -> None:
    own, document = date(2020, 5, 1), date(2030, 5, 1)
    passages = pl.DataFrame(
        {
            "document_id": ["d", "d", "e"],
            "section": ["1", "2", "1"],
            "text": ["This Act comes into force on 1 May 2030.", "A tug must stop.", "A pilot must rest."],
            "effective_from": [None, own, None],
        }
    )
    assert dated(passages)["effective_from"].to_list() == [document, own, None]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "These Rules come into force on 1 May 2030, except rule 2, which comes into force on 1 May 2031.",
            "2",
        ),
        (
            "These Rules come into force on 1 May 2030, other than rules 2 and 4, which come into force on "
            "1 May 2031.",
            "2 4",
        ),
        ("These Rules come into force on 1 May 2030. Rules 2 to 4 come into force on 1 May 2031.", "2 3 4"),
        (
            "(1) These Rules come into force on 1 May 2030. (2) Rule 2 of these Rules shall come into force "
            "on 1 May 2031.",
            "2",
        ),
        (
            "This Regulation shall enter into force on 1 May 2029. It shall apply from 1 May 2030. However, "
            "Articles 2 and 3 shall apply from 1 May 2031.",
            "2 3",
        ),
        ("These Rules come into force on 1 May 2030, except rule 2.", ""),
        ("These Rules come into force on 1 May 2030, but rule 2 comes into force on 1 May 2031.", "2"),
        ("These Rules come into force on 1 May 2030, save that rule 2 comes into force on 1 May 2031.", "2"),
        (
            "(1) Subject to paragraph (2), these Rules come into force on 1 May 2030. (2) Rule 2 comes into "
            "force on 1 May 2031.",
            "2",
        ),
    ],
)
def test_provisions_may_begin_on_a_day_of_their_own(text: str, parts: str) -> None:
    found = commencements(pl.DataFrame({"document_id": ["d"], "text": [text]}))
    assert found == {("d", ""): date(2030, 5, 1)} | {("d", part): date(2031, 5, 1) for part in parts.split()}


@pytest.mark.parametrize("section", ["2", "Rule 2", "2(1)", "2.1", "2.1(a)", "Article 2(1)"])
def test_passages_of_a_provision_have_its_day(section: str) -> None:
    text = "These Rules come into force on 1 May 2030, except rule 2, which comes into force on 1 May 2031."
    passages = pl.DataFrame(
        {"document_id": ["d", "d"], "section": ["1", section], "text": [text, "A tug must stop."]}
    ).with_columns(effective_from=pl.lit(None, pl.Date))
    assert dated(passages)["effective_from"].to_list() == [date(2030, 5, 1), date(2031, 5, 1)]


def test_a_long_text_is_read_in_linear_time() -> None:
    start = time.process_time()
    assert _read("these rules " * 50_000 + "come into force on ") is None
    assert _read("Rule 1, 2 and 3. " * 30_000 + "come into force on ") is None
    assert _read("These Rules come into force on 1 May 2030, except rule 2. " * 5_000) == date(2030, 5, 1)
    assert _read("come into force. Rule " + "1." * 50_000 + "1" * 50_000) is None
    assert _read("Rule 1" + ", 2" * 100_000 + "come into force on ") is None
    assert time.process_time() - start < 5


@pytest.mark.parametrize(
    "texts",
    [
        (
            "DATES: This final rule is effective May 1, 2029.",
            "If no comments arrive, the effective date of this final rule is delayed until January 1, 2030.",
        ),
        (
            "DATES: This final rule is effective May 1, 2029.",
            "The effective date of this final rule is delayed until January 1, 2030, except for § 7.1.",
        ),
        (
            "DATES: This final rule is effective May 1, 2029.",
            "Commenters asked whether the effective date of this final rule, published today, is delayed "
            "until January 1, 2030.",
        ),
        (
            "These Rules come into force on 1 May 2029.",
            "Sections 2 and 3 of the Harbour Act 2018 came into force on 1 May 2018. The remaining "
            "provisions come into force on 1 May 2031.",
        ),
    ],
)
def test_a_delay_that_is_uncertain_or_of_another_text_changes_no_day(texts: tuple[str, ...]) -> None:
    assert _read(*texts) == date(2029, 5, 1)


@pytest.mark.parametrize(
    ("period", "day"),
    [
        ("6개월이 경과한", date(2020, 12, 10)),
        ("1년이 경과한", date(2021, 6, 10)),
        ("30일이 경과한", date(2020, 7, 10)),
        ("3개월이 지난", date(2020, 9, 10)),
    ],
)
def test_a_period_after_promulgation_has_passed_on_the_day_after_its_last(period: str, day: date) -> None:
    assert _read(f"부칙 <제1234호, 2020.6.9>\n이 법은 공포 후 {period} 날부터 시행한다.") == day
    assert _read(f"부칙 이 법은 공포 후 {period} 날부터 시행한다.") is None


@pytest.mark.parametrize(
    ("promulgated", "day"),
    [
        ("2020. 8. 31.", date(2021, 3, 1)),
        ("2020. 8. 30.", date(2021, 3, 1)),
        ("2021. 2. 28.", date(2021, 9, 1)),
    ],
)
def test_a_period_around_the_end_of_a_month_follows_the_calendar(promulgated: str, day: date) -> None:
    assert _read(f"<제1234호, {promulgated}> 이 영은 공포 후 6개월이 경과한 날부터 시행한다.") == day


def test_own_articles_may_begin_apart_in_korean() -> None:
    text = "이 법은 2030년 1월 1일부터 시행한다. 다만, 제5조 및 제7조는 2031년 1월 1일부터 시행한다."
    passages = pl.DataFrame({"document_id": ["d"], "text": [text]})
    assert commencements(passages) == {
        ("d", ""): date(2030, 1, 1),
        ("d", "제5조"): date(2031, 1, 1),
        ("d", "제7조"): date(2031, 1, 1),
    }


@pytest.mark.parametrize(
    "text",
    [
        "부칙 <제1호, 9999. 12. 31.> 이 법은 공포 후 1년이 경과한 날부터 시행한다.",
        f"다만, 제{'9' * 5_000}조는 2022년 1월 1일부터 시행한다.",
        # The rest of the article begins with the law.
        "다만, 제5조제1항은 2022년 1월 1일부터 시행한다.",
    ],
)
def test_a_day_beyond_the_calendar_and_one_of_no_whole_article_are_left_out(text: str) -> None:
    assert commencements(pl.DataFrame({"document_id": ["d"], "text": [text]})) == {}
