from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulerank.evaluate.claim_f1 import Judge, Judged, claim_score
from rulerank.llm.replies import Replies


@pytest.mark.parametrize(
    ("predicted", "expected", "judged", "score"),
    [
        (0, 0, [], (1, 1, 1)),
        (2, 0, [], (0, 0, 0)),
        (0, 2, [], (0, 0, 0)),
        (2, 4, [Judged(0, 0, "match"), Judged(1, 1, "match")], (1, 0.5, 2 / 3)),
        (2, 2, [Judged(0, 0, "partial"), Judged(1, 1, "match")], (0.75, 0.75, 0.75)),
        # A match takes its expected claim even if a partial agreement comes before it.
        (2, 2, [Judged(0, 0, "partial"), Judged(1, 0, "match")], (0.5, 0.5, 0.5)),
        # An expected claim is matched only once.
        (3, 1, [Judged(number, 0, "match") for number in range(3)], (1 / 3, 1, 0.5)),
        (2, 2, [Judged(0, 7, "match"), Judged(-1, 0, "match"), Judged(1, 1, "none")], (0, 0, 0)),
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


@pytest.mark.parametrize("reply", ["", "no", "[]", "{", '{"claims": 3}', '{"claims": [1]}', "[" * 99_999])
def test_a_reply_that_cannot_be_read_is_no_claim(chat, reply: str) -> None:
    chat.says = lambda request: reply
    assert Judge(chat.model)("A rests.", "") == (1, 1, 1)
