from __future__ import annotations

import pytest

from rulerank.errors import ModelError
from rulerank.refwalk.decomposition import PromptedParts, rule_parts


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("Who keeps the log?", ("Who keeps the log?",)),
        ("Keep the log.", ("Keep the log.",)),
        ("Who keeps the log, and when is it shown?", ("Who keeps the log", "when is it shown?")),
        ("Who keeps the log and the chart?", ("Who keeps the log and the chart?",)),
        (
            "We run a tug. Must we keep a log? Who reads it?",
            ("We run a tug. Must we keep a log?", "We run a tug. Who reads it?"),
        ),
        (
            "수신기를 설치해야 하는지, 그리고 점검 주기는 어떻게 되는지 알 수 있을까요?",
            ("수신기를 설치해야 하는지", "점검 주기는 어떻게 되는지", "알 수 있을까요?"),
        ),
    ],
)
def test_a_question_is_cut_where_another_one_begins(question: str, parts: tuple[str, ...]) -> None:
    assert rule_parts(question) == parts


def test_no_question_has_more_than_five_parts() -> None:
    parts = rule_parts(" ".join(f"What is {letter}?" for letter in "abcdefg"))
    assert len(parts) == 5
    assert parts[4] == "What is e? What is f? What is g?"


def test_parts_of_a_language_model_are_its_lines(chat) -> None:
    chat.says = lambda request: "1. Who keeps the log?\n\n- When is it shown?\n"
    assert PromptedParts(chat.model)("?") == ("Who keeps the log?", "When is it shown?")
    chat.says = lambda request: "Two parts?\n</think>\nWho keeps the log?"
    assert PromptedParts(chat.model)("?") == ("Who keeps the log?",)
    chat.says = lambda request: " \n"
    with pytest.raises(ModelError, match="expected the parts of a question, one a line, found nothing"):
        PromptedParts(chat.model)("Who?")
