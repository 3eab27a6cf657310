from __future__ import annotations

import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulerank.refwalk.anchor import VIEWED, Anchor
from rulerank.refwalk.rules import rule_anchor
from rulerank.text import visible


@pytest.mark.parametrize(
    ("question", "anchor"),
    [
        (
            "Must a tank operator who stores more than 200 tonnes tell the Fire Marshal within 24 hours"
            " if a valve leaks?",
            Anchor(
                "Fire Marshal", "tank operator", "within 24 hours", "more than 200 tonnes", "if a valve leaks"
            ),
        ),
        (
            "When the lock gate is shut, which landing fee does the harbour levy on 5 % of its berths?",
            Anchor("landing fee; harbour levy", "", "", "5 %", "When the lock gate is shut"),
        ),
        (
            "What must a bank do before 1 March 2025 where its capital falls below USD 50,000?",
            Anchor(
                "",
                "bank",
                "before 1 March 2025",
                "below USD 50,000",
                "where its capital falls below USD 50,000",
            ),
        ),
        (
            "Is the mooring licence renewed every year, or at least every three years?",
            Anchor("mooring licence renewed", "", "every year; at least every three years", "", ""),
        ),
        ("The crew must rest. Who is told of a parted line?", Anchor("rest; parted line", "crew")),
        ("Who rests?", Anchor("rests")),
    ],
)
def test_anchor_of_a_question(question: str, anchor: Anchor) -> None:
    assert rule_anchor(question) == replace(anchor, language="en")


@pytest.mark.parametrize(
    ("question", "anchor"),
    [
        (
            "제연덕트의 방화구획 관통부에 방화댐퍼를 설치해야 하나요?",
            Anchor("제연덕트의 방화구획 관통부", language="ko"),
        ),
        (
            "소방안전관리자는 「소방시설법」 제33조에 따라 30일 이내에 자체점검 결과를 보고해야 하나요?",
            Anchor("자체점검 결과", "소방안전관리자", "30일 이내", domain="소방시설법", language="ko"),
        ),
        (
            "연면적이 1,000㎡ 이상인 경우 옥내소화전 설비가 필요한가요?",
            Anchor("옥내소화전 설비", "", "", "1,000m2 이상", "연면적이 1,000m2 이상인 경우", language="ko"),
        ),
    ],
)
def test_anchor_of_a_korean_question_is_in_its_slots(question: str, anchor: Anchor) -> None:
    assert rule_anchor(question) == anchor


def test_domain_is_the_body_of_rules_that_is_named() -> None:
    assert rule_anchor("Does the Harbour Safety Act 2010 bind a tug?").domain == "Harbour Safety Act 2010"


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Is it due within ten business days?", "within ten business days"),
        ("Is it due by 2024-05-01?", "by 2024-05-01"),
        ("Is it due in March 2024?", "in March 2024"),
        ("Is a 30-day notice due?", "30-day"),
        ("Is it filed annually and not later than 5 April?", "annually; not later than 5 April"),
        ("Is it due today?", ""),
    ],
)
def test_temporal_conditions(question: str, found: str) -> None:
    assert rule_anchor(question).temporal == found


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Is a fine of €1,500 due?", "€1,500"),
        ("Is a fine of GBP 2 million due?", "GBP 2 million"),
        ("Is twenty per cent enough?", "twenty per cent"),
        ("Are boats under 12.5 metres exempt?", "under 12.5 metres"),
        ("Are at most 40 passengers and 3 kg let aboard?", "at most 40 passengers; 3 kg"),
        ("Does Rule 4.3.2(a) apply to 7 boats?", ""),
    ],
)
def test_magnitudes(question: str, found: str) -> None:
    assert rule_anchor(question).magnitude == found


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("When does the permit lapse?", ""),
        ("Where and when is it filed?", ""),
        ("Is it void when the holder dies?", "when the holder dies"),
        (
            "Is it void unless Rule 6.1.1(b) is met, or where it is lost?",
            "unless Rule 6.1.1(b) is met; where it is lost",
        ),
        ("In the event of fire aboard, who is told?", "In the event of fire aboard"),
        ("If so, who is told?", ""),
    ],
)
def test_question_words_are_no_conditions(question: str, found: str) -> None:
    assert rule_anchor(question).situational == found


@pytest.mark.parametrize(
    ("question", "found"),
    [
        (
            "What is asked of a diving contractor and of third-party service providers?",
            "diving contractor; third-party service providers",
        ),
        ("Must Recognised Bodies keep it?", "Recognised Bodies"),
        ("Which rules bind the pilotage company?", "pilotage company"),
        ("The crew must rest. The gate must be shut.", "crew"),
    ],
)
def test_actors_hold_a_role_or_a_duty(question: str, found: str) -> None:
    assert rule_anchor(question).actor == found


@pytest.mark.parametrize("question", ["", "Of the?", "  \u200e "])
def test_question_without_a_word_of_its_own_has_no_anchor(question: str) -> None:
    assert not rule_anchor(question)


@pytest.mark.parametrize("piece", ["1,", "for ", "1 "])
def test_time_is_linear(piece: str) -> None:
    start = time.process_time()
    rule_anchor(piece * (8_000 // len(piece)))
    assert time.process_time() - start < 1


def test_invisible_characters_are_of_no_matter() -> None:
    assert rule_anchor("Is it due with\u200bin 3\u00a0days?").temporal == "within 3 days"


@given(st.text(st.characters(exclude_characters=";"), max_size=40))
def test_any_text_is_anchored_in_its_own_words(question: str) -> None:
    said, anchor = " ".join(visible(question).split()), rule_anchor(question)
    for slot in VIEWED:
        assert all(phrase in said for phrase in getattr(anchor, slot).split("; "))
