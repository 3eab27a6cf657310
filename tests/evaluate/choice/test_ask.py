from __future__ import annotations

from pathlib import Path

import pytest

from rulerank.corpora.multiple_choice import ChoiceQuestion
from rulerank.evaluate.choice.ask import Chooser, chosen
from rulerank.llm.replies import Replies

QUESTION = ChoiceQuestion(
    "1", "언제 점검하나요?", ("4", "7"), ("매년", "매월", "매주", "매일", "알 수 없음"), 1, 5
)


@pytest.mark.parametrize(
    ("reply", "number"),
    [
        ("3", 3),
        ("정답: 5번.", 5),
        ("Option 2", 2),
        ("1 or 2", None),
        ("none", None),
        ("7", None),
        ("12", None),
    ],
)
def test_a_choice_is_the_one_number_of_an_option(reply: str, number: int | None) -> None:
    assert chosen(reply, 5) == number


def test_provisions_and_options_are_shown_and_replies_kept(chat, tmp_path: Path) -> None:
    chat.says = lambda request: "1"
    chooser = Chooser(chat.model, Replies(tmp_path / "replies.jsonl"))

    assert chooser(QUESTION, ["창고는 매년 점검한다."]) == 1
    assert Chooser(chat.model, Replies(tmp_path / "replies.jsonl"))(QUESTION, ["창고는 매년 점검한다."]) == 1

    assert len(chat.asked) == 1
    said = chat.asked[0]["messages"][1]["content"]
    for part in ("창고는 매년 점검한다.", "언제 점검하나요?", "1. 매년", "5. 알 수 없음"):
        assert part in said


def test_thoughts_name_no_option(chat) -> None:
    chat.says = lambda request: "<think>1 or 2?</think>2"

    assert Chooser(chat.model)(QUESTION, []) == 2
    assert len(chat.asked) == 1


def test_a_reply_that_names_no_option_is_asked_for_once_more_and_not_kept(chat) -> None:
    replies = Replies()
    chat.says = lambda request: "1 or 2"

    assert Chooser(chat.model, replies)(QUESTION, []) is None
    assert (len(chat.asked), len(replies)) == (2, 0)
