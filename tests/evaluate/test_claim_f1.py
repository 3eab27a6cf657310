from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulerank.errors import UnansweredError
from rulerank.evaluate.claim_f1 import ClaimVerdict, Judge, claim_score
from rulerank.llm.replies import Replies


@pytest.mark.parametrize(
    ("predicted", "expected", "judged", "score"),
    [
        (0, 0, [], (1, 1, 1)),
        (2, 0, [], (0, 0, 0)),
        (0, 2, [], (0, 0, 0)),
        (2, 4, [ClaimVerdict(0, 0, "match"), ClaimVerdict(1, 1, "match")], (1, 0.5, 2 / 3)),
        (2, 2, [ClaimVerdict(0, 0, "partial"), ClaimVerdict(1, 1, "match")], (0.75, 0.75, 0.75)),
        # A match takes its expected claim even if a partial agreement comes before it.
        (2, 2, [ClaimVerdict(0, 0, "partial"), ClaimVerdict(1, 0, "match")], (0.5, 0.5, 0.5)),
        # An expected claim is matched only once.
        (3, 1, [ClaimVerdict(number, 0, "match") for number in range(3)], (1 / 3, 1, 0.5)),
        (
            2,
            2,
            [ClaimVerdict(0, 7, "match"), ClaimVerdict(-1, 0, "match"), ClaimVerdict(1, 1, "none")],
            (0, 0, 0),
        ),
    ],
)
def test_claim_f1_on_examples_worked_by_hand(predicted, expected, judged, score) -> None:
    assert claim_score(predicted, expected, judged) == pytest.approx(score)


def _written(request) -> str:
    system, user = (message["content"] for message in request["messages"])
    if "take a text" in system:
        return f"```json\n{json.dumps({'claims': [*user.split('; '), ' ', 7]})}\n```"
    assert "1. A rests.\n2. B rings." in user
    verdicts = [
        {"claim": 1, "expected": 1, "verdict": "match"},
        {"claim": 2, "expected": None, "verdict": "none"},
    ]
    return json.dumps({"verdicts": [*verdicts, {"claim": "x", "expected": 1, "verdict": "match"}, 3]})


def test_a_judge_takes_both_answers_apart_and_compares_them(chat) -> None:
    chat.says = _written
    assert Judge(chat.model)("A rests.; B rings.", "A must rest.") == pytest.approx((0.5, 1, 2 / 3))
    assert len(chat.asked) == 3
    assert {request["temperature"] for request in chat.asked} == {0}


def test_what_a_judge_said_is_kept(chat, tmp_path: Path) -> None:
    chat.says = _written
    scores = [
        Judge(chat.model, Replies(tmp_path / "judged.jsonl"))("A rests.; B rings.", "A must rest.")
        for _ in range(2)
    ]
    assert scores[0] == scores[1]
    assert len(chat.asked) == 3


def test_blank_answers_are_not_judged(chat) -> None:
    assert Judge(chat.model)("", " ").f1 == 1
    assert chat.asked == []


def test_twenty_claims_count(chat) -> None:
    chat.says = _written
    assert len(Judge(chat.model).claims("; ".join(f"A{number} rests." for number in range(30)))) == 20


@pytest.mark.parametrize(
    "reply",
    ["", "I cannot do that.", "[]", "{broken", '{"claims": 3}', '{"claims": [1]}', "[" * 99_999],
)
def test_answers_whose_claims_cannot_be_read_have_no_score(chat, reply: str) -> None:
    chat.says = lambda request: reply
    with pytest.raises(UnansweredError, match=r"expected a reply in the form that the prompt decompose@"):
        Judge(chat.model)("A rests.", "A rests.")


@pytest.mark.parametrize(
    "reply", ["no", '{"verdicts": {}}', '{"verdicts": [{"claim": 1, "verdict": "yes"}, 3]}']
)
def test_answers_whose_verdicts_cannot_be_read_have_no_score(chat, reply: str) -> None:
    chat.says = lambda request: (
        reply if "compare" in str(request["messages"][0]) else '{"claims": ["A rests."]}'
    )
    with pytest.raises(UnansweredError, match="the prompt compare@"):
        Judge(chat.model)("A rests.", "A rests.")


def test_a_text_in_which_the_judge_finds_no_claim_has_none(chat) -> None:
    chat.says = lambda request: '{"claims": []}'
    assert Judge(chat.model)("Good day.", "Hello.") == (1, 1, 1)
    assert len(chat.asked) == 2


def test_thoughts_of_a_judge_are_left_out(chat) -> None:
    chat.says = lambda request: '<think>use {"claims"} form</think>{"claims": ["A rests."]}'
    assert Judge(chat.model).claims("A rests.") == ["A rests."]
    assert len(chat.asked) == 1
