from __future__ import annotations

import time

import pytest

from rulerank.obligations import statements


@pytest.mark.parametrize(
    ("sentence", "modality"),
    [
        ("예인업자는 3일 전까지 면허를 신청하여야 한다.", "obligation"),
        ("누구든지 면허 없이 예인을 하여서는 아니 된다.", "prohibition"),
        ("면허를 받지 아니하면 예인을 할 수 없다.", "prohibition"),
        ("면허가 없는 사람은 조타실에 들어갈 수 없다.", "prohibition"),
        ("수습 중인 사람은 혼자 예인하지 못한다.", "prohibition"),
        ("예인업자는 사고를 알릴 의무를 진다.", "obligation"),
        ("기한까지 보고할 수 없는 경우에는 연장을 신청하여야 한다.", "obligation"),
        ("예인할 수 있는 배는 시행규칙으로 정한다.", None),
        ("면허 없이는 예인을 할 수 없는 것으로 한다.", "prohibition"),
        ("검사관은 배에 출입할 수 있다.", "permission"),
        ("“예인”이란 배가 다른 배를 줄로 끄는 것을 말한다.", "definition"),
        ("신청의 방법은 시행규칙으로 정한다.", None),
    ],
)
def test_korean_statements_have_their_modality(sentence: str, modality: str | None) -> None:
    assert [each.modality for each in statements(sentence)] == [modality]


def test_korean_sentences_are_statements_of_their_own_in_place() -> None:
    text = "예인업자는 면허를 신청하여야 한다. 전화로 한 신청은 효력이 없다."

    found = statements(text)

    assert [text[span.start : span.end] for each in found for span in each.spans] == [
        "예인업자는 면허를 신청하여야 한다.",
        "전화로 한 신청은 효력이 없다.",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "예인업자는 면허를 갖추어야 한다. 별표는 2019. 1. 8.부터, 서식은 2020. 2. 18. 이후 쓴다.",
            ["예인업자는 면허를 갖추어야 한다.", "별표는 2019. 1. 8.부터, 서식은 2020. 2. 18. 이후 쓴다."],
        ),
        (
            "검사는 매년 한다. <개정 2019. 1. 8., 2020. 2. 18.>",
            ["검사는 매년 한다. <개정 2019. 1. 8., 2020. 2. 18.>"],
        ),
        # A year may end a sentence, and a number begin the next.
        ("The log ended in 2019. 12 pilots must sign.", ["The log ended in 2019.", "12 pilots must sign."]),
    ],
)
def test_full_stops_of_a_day_end_no_sentence(text: str, expected: list[str]) -> None:
    assert [each.text for each in statements(text)] == expected


def test_korean_statements_are_not_divided_by_english_words() -> None:
    assert statements("예인업자는 3일 전까지 면허를 신청하여야 한다.")[0].parts == {}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "신청서에 다음 각 호의 서류를 붙여야 한다.\n1. 경력증명서\n2. 진단서",
            [
                ("신청서에 다음 각 호의 서류를 붙여야 한다. 1. 경력증명서", "obligation"),
                ("신청서에 다음 각 호의 서류를 붙여야 한다. 2. 진단서", "obligation"),
            ],
        ),
        (
            "배에 적합한 다음 각 호의 장비를 갖추어야 한다.\n1. 조끼\n2. 소화기",
            [
                ("배에 적합한 다음 각 호의 장비를 갖추어야 한다. 1. 조끼", "obligation"),
                ("배에 적합한 다음 각 호의 장비를 갖추어야 한다. 2. 소화기", "obligation"),
            ],
        ),
        (
            "다음 각 호의 요건을 모두 갖추어야 한다.\n1. 나이\n2. 경력",
            [("다음 각 호의 요건을 모두 갖추어야 한다. 1. 나이 2. 경력", "obligation")],
        ),
        (
            "용어의 뜻은 다음과 같다.\n1. “예인”이란 배를 끄는 것을 말한다.\n2. “배”란 뜨는 것을 말한다.",
            [
                ("용어의 뜻은 다음과 같다.", "definition"),
                ("“예인”이란 배를 끄는 것을 말한다.", "definition"),
                ("“배”란 뜨는 것을 말한다.", "definition"),
            ],
        ),
    ],
)
def test_items_are_read_with_their_korean_lead_in(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(each.text, each.modality) for each in statements(text)] == expected


def test_many_days_are_read_in_linear_time() -> None:
    start = time.process_time()
    (said,) = statements("2021. 1. 5. " * 20_000)
    assert time.process_time() - start < 5
    assert said.modality is None
