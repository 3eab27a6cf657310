from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from rulerank.evaluate.free_answers import FreeJudge, win_rate
from rulerank.llm.replies import Replies

QUESTION, EXPECTED = "When is the tank inspected?", "Every year, before the thaw."


@pytest.mark.parametrize(
    ("reply", "grade"),
    [
        ('{"verdict": "right"}', "right"),
        ('Here it is: {"verdict": "partly"}.', "partly"),
        ('<think>{"verdict": ...}?</think>{"verdict": "right"}', "right"),
        ('{"verdict": "wrong"}', "wrong"),
        ('{"verdict": "perfect"}', None),
        ('{"grade": "right"}', None),
        ("[1]", None),
        ("right", None),
        ("", None),
    ],
)
def test_a_grade_is_one_of_three_words(chat: Any, reply: str, grade: str | None) -> None:
    chat.says = lambda request: reply

    assert FreeJudge(chat.model).grade(QUESTION, EXPECTED, "Each spring.") == grade


def test_question_and_both_answers_are_shown_and_replies_kept(chat: Any, tmp_path: Path) -> None:
    chat.says = lambda request: '{"verdict": "right"}'
    for _ in range(2):
        FreeJudge(chat.model, Replies(tmp_path / "kept.jsonl")).grade(QUESTION, EXPECTED, "Each spring.")

    assert len(chat.asked) == 1
    said = chat.asked[0]["messages"][1]["content"]
    assert all(part in said for part in (QUESTION, EXPECTED, "Each spring."))


def _closer(request: dict[str, Any]) -> str:
    """Prefer the answer that says `year`, whichever place it has."""
    said = request["messages"][1]["content"]
    first = said.index("Answer A:") < said.index("Each year") < said.index("Answer B:")
    return json.dumps({"verdict": "A" if first else "B"})


def test_the_better_answer_is_preferred_in_either_order(chat: Any) -> None:
    chat.says = _closer
    judge = FreeJudge(chat.model)

    assert judge.prefer(QUESTION, EXPECTED, "Each year.", "Never.") == 1
    assert judge.prefer(QUESTION, EXPECTED, "Never.", "Each year.") == -1


@pytest.mark.parametrize("verdict", ["A", "B", "neither"])
def test_a_preference_for_a_place_is_a_tie(chat: Any, verdict: str) -> None:
    chat.says = lambda request: json.dumps({"verdict": verdict})

    assert FreeJudge(chat.model).prefer(QUESTION, EXPECTED, "Each year.", "Never.") == 0


@pytest.mark.parametrize("unread", ["Answer A:\nEach", "Answer B:\nEach"])
def test_a_preference_of_which_one_order_cannot_be_read_is_none(chat: Any, unread: str) -> None:
    chat.says = lambda request: "both" if unread in request["messages"][1]["content"] else _closer(request)

    assert FreeJudge(chat.model).prefer(QUESTION, EXPECTED, "Each year.", "Never.") is None


def test_equal_answers_are_a_tie_and_not_asked_about(chat: Any) -> None:
    chat.says = lambda request: '{"verdict": "A"}'

    assert FreeJudge(chat.model).prefer(QUESTION, EXPECTED, "Never.", "Never.") == 0
    assert not chat.asked


def test_a_tie_counts_half_a_win() -> None:
    assert win_rate([1, 1, 0, -1]) == pytest.approx(5 / 8)


def test_a_preference_that_could_not_be_read_is_left_out() -> None:
    assert win_rate([1, None, 0]) == pytest.approx(3 / 4)
    assert math.isnan(win_rate([None]))
