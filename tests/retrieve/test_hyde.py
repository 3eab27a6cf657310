from __future__ import annotations

from pathlib import Path

from rulerank.llm.replies import Replies
from rulerank.retrieve.hyde import Hypothetical


def test_each_question_gets_its_own_provision_and_is_asked_once(chat, tmp_path: Path) -> None:
    chat.says = lambda request: f" A rule on {request['messages'][1]['content']} "
    kept = tmp_path / "hyde.jsonl"

    written = Hypothetical(chat.model, Replies(kept))(["tugs", "pilots"])
    again = Hypothetical(chat.model, Replies(kept))(["pilots", "tugs"])

    assert written == ["A rule on tugs", "A rule on pilots"]
    assert again == written[::-1]
    assert len(chat.asked) == 2


def test_a_blank_reply_leaves_the_question_and_is_not_kept(chat) -> None:
    chat.says = lambda request: "\n"

    replies = Replies()
    assert Hypothetical(chat.model, replies)(["tugs"]) == ["tugs"]

    chat.says = lambda request: "A rule on tugs"
    assert Hypothetical(chat.model, replies)(["tugs"]) == ["A rule on tugs"]
