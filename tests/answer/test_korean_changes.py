"""Changes that are worded in Korean, up to the answer."""

from __future__ import annotations

import time
from datetime import date

import pytest

from rulerank.answer.changes import (
    Substitution,
    excepts_from_change,
    limited,
    renews,
    repeals,
    stated_substitutions,
    substitutions,
)
from rulerank.authority.period import stated_since, stated_until
from tests.answer.rules import as_verified, changes


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("제5조제1항 중 “12시간”을 “6시간”으로 한다.", "12시간", "6시간"),
        ("「예선규칙」 제3조 중 “3년”을 2019년 4월 1일부터 “5년”으로 개정한다.", "3년", "5년"),
        ('제2조제1항의 "소방대장"을 "소방서장"으로 본다.', "소방대장", "소방서장"),
        ("제4조(보고) 중 “3일”을 “1개월”로, 제5조를 삭제한다.", "3일", "1개월"),
    ],
)
def test_words_that_take_the_place_of_others(text: str, old: str, new: str) -> None:
    assert substitutions(text) == [Substitution(old, new)]
    assert not repeals(text)
    assert not limited(text)


def test_two_substitutions_of_one_sentence() -> None:
    text = "제5조 중 “1명”을 “2명”으로, “갑판원”을 “선원”으로 한다."
    assert substitutions(text) == [Substitution("1명", "2명"), Substitution("갑판원", "선원")]


def test_time_is_linear_in_quotation_marks() -> None:
    start = time.process_time()
    for piece in ("“가”를 ", "“가", "”를 “", "경우 ", "종전 "):
        assert substitutions(piece * 5_000) == []
        excepts_from_change(piece * 5_000)
        limited(piece * 5_000)
    assert time.process_time() - start < 2


@pytest.mark.parametrize(
    "text", ["제3조를 삭제한다.", "「예선규칙」 제3조는 폐지한다.", "종전의 고시는 폐지되었다."]
)
def test_repeal_puts_nothing_in_its_place(text: str) -> None:
    assert repeals(text)
    assert substitutions(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "배가 얼음에 갇힌 경우에는 2019년 1월 1일 전의 제3조를 그대로 적용한다.",
        "고시 제2조는 배가 얼음에 갇힌 경우에는 효력이 없다.",
        "이 규칙 전에 한 신청은 종전의 규정에 따른다.",
    ],
)
def test_when_a_change_does_not_apply(text: str) -> None:
    assert excepts_from_change(text)


def test_change_that_holds_in_some_cases_only() -> None:
    assert limited("야간의 경우에는 제3조 중 “1명”을 “2명”으로 한다.")
    assert limited("제3조 중 “또는 갑판원”을 삭제한다.")
    assert not limited("제3조 중 “야간의 경우”를 “밤에”로 한다.")
    assert not limited("유류 하역에 관한 제3조 중 “1명”을 “2명”으로 한다.")


def test_new_words_of_a_whole_rule() -> None:
    assert renews("제3조를 다음과 같이 개정한다. 선장은 기록부를 갖추어야 한다.")
    assert not renews("제3조에 단서를 신설한다.")


def test_days_of_a_change() -> None:
    text = "제3조 중 “1명”을 2019년 4월 1일부터 2020년 3월 31일까지 “2명”으로 한다."
    assert stated_since(text, "제3조") == date(2019, 4, 1)
    assert stated_until(text, "제3조") == date(2020, 3, 31)
    assert stated_since("제3조를 삭제한다. 이 규칙은 2021. 7. 1.부터 시행한다.", "제3조를 삭제") == date(
        2021, 7, 1
    )
    assert stated_until("2020년 3월 31일까지 제3조 중 “1명”을 “2명”으로 한다.", "제3조") == date(2020, 3, 31)
    assert stated_until("2020년 3월 31일까지 받은 허가에는 제3조를 적용하지 아니한다.", "제3조") is None


def test_answer_states_a_rule_as_it_is_read_now() -> None:
    said = as_verified(
        ["도선사는 12시간을 쉬어야 한다.", "제1조 중 “12시간”을 2019년 4월 1일부터 “6시간”으로 한다."],
        changes((2, 1)),
    )
    assert said == "- 도선사는 12시간 [→ “6시간” 2019년 4월 1일부터]을 쉬어야 한다. [P2][P1]"


def test_answer_puts_an_exception_beside_a_changed_rule() -> None:
    held = "배가 얼음에 갇힌 경우에는 제1조를 그대로 적용한다."
    said = as_verified(
        ["도선사는 12시간 안에 보고하여야 한다.", "제1조 중 “12시간”을 “6시간”으로 한다.", held],
        changes((2, 1)),
        citing={"p1": ["p3"]},
    )
    assert (
        said.splitlines()[0] == f"- 도선사는 12시간 [→ “6시간”] 안에 보고하여야 한다. [{held}] [P2][P3][P1]"
    )


def test_answer_states_the_repeal_of_a_rule() -> None:
    said = as_verified(["선장은 기록부를 갖추어야 한다.", "제1조를 폐지한다."], changes((2, 1)))
    assert said == "- 제1조를 폐지한다. [P2][P1]"


@pytest.mark.parametrize(
    "text",
    [
        "In Rule 2 (하역), for “six hours” substitute “twelve hours”.",
        "In Rule 2, for “하역” substitute “cargo handling (하역)” from 1 April 2019.",
    ],
)
def test_an_english_change_that_quotes_korean_words_is_read_in_english(text: str) -> None:
    assert len(substitutions(text)) == 1
    assert not renews(text)


def test_an_english_repeal_of_a_korean_title() -> None:
    assert repeals("Rule 2 (하역) is repealed.")


AMENDING = (
    "예선법 일부를 다음과 같이 개정한다.\n제3조 중 “2년”을 “3년”으로 하고, 제4조 중 “1명”을 “2명”으로 한다.\n"
    "제9조를 다음과 같이 한다.\n제9조(신고) 선장은 변경사항을 신고하여야 한다.\n"
    "제5조제1항 중 “가”를 “나”로 한다.\n제5조제2항을 삭제한다."
)


@pytest.mark.parametrize(
    ("evidence", "stated", "whole", "part"),
    [
        ("제3조 중 “2년”을", [Substitution("2년", "3년")], False, False),
        ("제4조 중 “1명”을", [Substitution("1명", "2명")], False, False),
        ("제9조를 다음과 같이 한다", [], True, False),
        ("제5조제1항 중 “가”를", [Substitution("가", "나")], False, True),
    ],
)
def test_each_article_of_an_amending_law_has_its_own_change(
    evidence: str, stated: list[Substitution], whole: bool, part: bool
) -> None:
    assert stated_substitutions(AMENDING, evidence) == stated
    assert renews(AMENDING, evidence) is whole
    assert limited(AMENDING, evidence) is part


def test_answer_keeps_the_signs_of_a_changed_rule() -> None:
    rule = "① 도선사는 출항ㆍ입항 후 12시간을 쉬어야 한다."
    said = as_verified([rule, "제1조 중 “12시간”을 “6시간”으로 한다."], changes((2, 1)))
    assert said.startswith("- ① 도선사는 출항ㆍ입항 후 12시간 [→ “6시간”]을 쉬어야 한다.")
