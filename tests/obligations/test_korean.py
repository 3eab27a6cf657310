from __future__ import annotations

import pytest

from rulerank.obligations import statements


@pytest.mark.parametrize(
    ("sentence", "modality"),
    [
        ("예인업자는 3일 전까지 면허를 신청하여야 한다.", "obligation"),
        ("누구든지 면허 없이 예인을 하여서는 아니 된다.", "prohibition"),
        ("면허를 받지 아니하면 예인을 할 수 없다.", "prohibition"),
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
