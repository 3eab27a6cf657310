from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rulerank.errors import UnansweredError
from rulerank.llm.asking import object_in, read_reply
from rulerank.llm.prompts import Prompt
from rulerank.llm.replies import Replies, key_of

PROMPT = Prompt("greet", 1, "0" * 64, "You greet.", "Greet $name.")


def _greeting(reply: str) -> str | None:
    return reply if reply.startswith("GREET") else None


def _greeted(chat: Any, replies: Replies, name: str = "Ann") -> str:
    return read_reply(PROMPT, {"name": name}, chat.model, replies, 8, _greeting)


def test_a_reply_is_kept_under_prompt_model_and_values(chat, tmp_path: Path) -> None:
    chat.says = lambda request: request["messages"][1]["content"].upper()
    path = tmp_path / "replies.jsonl"

    asked = [_greeted(chat, Replies(path), name) for name in ("Ann", "Bo", "Ann")]

    assert asked == ["GREET ANN.", "GREET BO.", "GREET ANN."]
    assert [request["max_tokens"] for request in chat.asked] == [8, 8]
    kept = [json.loads(line) for line in path.read_text().splitlines()]
    assert kept[0] == {"key": key_of("0" * 64, chat.model.name, {"name": "Ann"}), "reply": "GREET ANN."}


def test_a_reply_that_cannot_be_read_is_sent_back_once(chat) -> None:
    said = iter(["No.", "GREET ANN."])
    chat.says = lambda request: next(said)

    assert _greeted(chat, Replies()) == "GREET ANN."
    first, second = ([message["role"] for message in request["messages"]] for request in chat.asked)
    assert (first, second) == (["system", "user"], ["system", "user", "assistant", "user"])
    assert chat.asked[1]["messages"][2]["content"] == "No."


def test_a_reply_that_was_cut_off_is_asked_for_with_twice_the_room(chat) -> None:
    chat.cuts = lambda request: request["max_tokens"] == 8
    chat.says = lambda request: "GRE" if chat.cuts(request) else "GREET ANN."

    assert _greeted(chat, Replies()) == "GREET ANN."
    assert [request["max_tokens"] for request in chat.asked] == [8, 16]
    assert chat.asked[0]["messages"] == chat.asked[1]["messages"]


@pytest.mark.parametrize("reply", ["", "No."])
def test_replies_that_cannot_be_read_are_an_error_and_not_kept(chat, tmp_path: Path, reply: str) -> None:
    path = tmp_path / "replies.jsonl"
    chat.says = lambda request: reply
    with pytest.raises(
        UnansweredError, match=rf"^written: expected a reply in the form .* found '{reply}' when"
    ):
        _greeted(chat, Replies(path))
    assert len(chat.asked) == 2

    chat.says = lambda request: "GREET ANN."
    assert _greeted(chat, Replies(path)) == "GREET ANN."


def test_a_kept_reply_that_cannot_be_read_is_asked_for_again(chat) -> None:
    replies, key = Replies(), key_of("0" * 64, chat.model.name, {"name": "Ann"})
    replies.keep(key, "No.")
    chat.says = lambda request: "GREET ANN."

    assert _greeted(chat, replies) == replies.kept(key) == "GREET ANN."


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
