from __future__ import annotations

import pytest

from rulerank.corpora.kinds import kind_of, tier_of
from rulerank.text import ENGLISH, KOREAN, Language, language_of, modality


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("관계인은 소방시설을 유지하여야 한다.", "obligation"),
        ("비상구를 폐쇄하여서는 아니 된다.", "prohibition"),
        ("누구든지 이를 사용할 수 없다.", "prohibition"),
        ("소방청장은 기준을 정할 수 있다.", "permission"),
        ("안전관리에 노력하여야 한다.", "recommendation"),
        ("이 법은 공포한 날부터 시행한다.", None),
    ],
)
def test_korean_duty_is_read_from_korean_words(sentence: str, said: str | None) -> None:
    assert modality(sentence) == said


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("", ENGLISH),
        ("2019 — 12", ENGLISH),
        ("The master shall keep a log.", ENGLISH),
        ("Rule 2 (하역) is repealed.", ENGLISH),
        ("The ship’s 항해일지 must be kept.", ENGLISH),
        ("선장은 항해일지를 갖추어야 한다.", KOREAN),
        ("IMDG Code에 따른 위험물은 12시간 이내에 신고한다.", KOREAN),
    ],
)
def test_language_is_that_of_most_words(text: str, language: Language) -> None:
    assert language_of(text) is language


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("“소방시설”이란 소화설비, 경보설비를 말한다.", "definition"),
        ("이 법에서 사용하는 용어의 뜻은 다음과 같다.", "definition"),
        ("별지 제3호의2서식에 따라 신고한다.", "form"),
        ("다만, 주택에는 적용하지 아니한다.", "exception"),
        ("관계인은 소방시설을 유지하여야 한다.", "rule"),
        (" ", "heading"),
    ],
)
def test_korean_kind_is_read_from_korean_words(text: str, kind: str) -> None:
    assert kind_of("제2조", text, 1) == kind


@pytest.mark.parametrize(
    ("name", "tier"),
    [
        ("소방시설 설치 및 관리에 관한 법률", 1),
        ("건축법", 1),
        ("건축법 시행령", 2),
        ("건축법 시행규칙", 3),
        ("유도등 및 유도표지의 화재안전기술기준(NFTC 303)", 4),
        ("소방시설 업무처리 지침", 5),
        ("행정규칙", 4),
        ("총리령", 3),
        ("Harbour Act", 1),
        ("이야기", None),
    ],
)
def test_korean_document_names_state_their_tier(name: str, tier: int | None) -> None:
    assert tier_of([name]) == tier
