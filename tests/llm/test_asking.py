from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulerank.llm.asking import object_in, reply_to
from rulerank.llm.prompts import Prompt
from rulerank.llm.replies import Replies, key_of

PROMPT = Prompt("greet", 1, "0" * 64, "You greet.", "Greet $name.")


def test_a_reply_is_kept_under_prompt_model_and_values(chat, tmp_path: Path) -> None:
    chat.says = lambda request: request["messages"][1]["content"].upper()
    path = tmp_path / "replies.jsonl"

    asked = [reply_to(PROMPT, {"name": name}, chat.model, Replies(path), 8) for name in ("Ann", "Bo", "Ann")]

    assert asked == ["GREET ANN.", "GREET BO.", "GREET ANN."]
    assert [request["max_tokens"] for request in chat.asked] == [8, 8]
    kept = [json.loads(line) for line in path.read_text().splitlines()]
    assert kept[0] == {"key": key_of("0" * 64, chat.model.name, {"name": "Ann"}), "reply": "GREET ANN."}


def test_an_empty_reply_is_kept_too(chat) -> None:
    chat.says = lambda request: ""
    replies = Replies()

    assert [reply_to(PROMPT, {"name": "Ann"}, chat.model, replies, 8) for _ in range(2)] == ["", ""]
    assert len(chat.asked) == 1


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ('{"a": 1}', {"a": 1}),
        ('```json\n{"a": {"b": 2}}\n```', {"a": {"b": 2}}),
        ("[1, 2]", {}),
        ("no object", {}),
        ("} {", {}),
        ("{" * 100_000 + "}", {}),
        ("", {}),
    ],
    ids=["alone", "fenced", "a list", "none", "reversed", "too deep", "empty"],
)
def test_the_object_in_a_reply_may_stand_among_other_words(reply: str, said: dict) -> None:
    assert object_in(reply) == said
