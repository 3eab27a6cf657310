from __future__ import annotations

import json

import pytest

from rulerank.errors import ModelError
from rulerank.refwalk.anchor import Anchor
from rulerank.refwalk.prompted import PromptedAnchors
from tests.plugins.chat import Chat

ANCHOR = {
    "topic": "berth fees",
    "actor": "ship agent",
    "temporal": "daily",
    "magnitude": None,
    "situational": "",
}


@pytest.mark.parametrize("wrapped", ["{}", "```json\n{}\n```", "Here it is:\n{}", "{so}</think>{}"])
def test_anchor_is_read_from_the_json_in_the_answer(chat: Chat, wrapped: str) -> None:
    chat.says = lambda request: wrapped.replace("{}", json.dumps(ANCHOR))
    assert PromptedAnchors(chat.model)("Who pays?") == Anchor("berth fees", "ship agent", "daily")


def test_question_is_sent_as_it_is_and_every_slot_is_asked_for(chat: Chat) -> None:
    chat.says = lambda request: "{}"
    PromptedAnchors(chat.model)("Who pays?")
    system, user = chat.asked[0]["messages"]
    assert user == {"role": "user", "content": "Who pays?"}
    assert all(f'"{slot}"' in system["content"] for slot in ANCHOR)


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ("I cannot help.", "found 'I cannot help.'"),
        ("", "found ''"),
        ("{'topic': 'fees'}", "found .*topic"),
        ('{"topic": ["fees", "berths"]}', r"found \['fees', 'berths'\] for 'topic'"),
        ("[1, 2]", r"found '\[1, 2\]'"),
        ('{"topic": ' * 50_000 + "}", 'found \'{"topic": '),
    ],
)
def test_answer_that_is_no_anchor_is_an_error_and_not_replaced(chat: Chat, answer: str, found: str) -> None:
    chat.says = lambda request: answer
    with pytest.raises(
        ModelError, match=rf"written: expected a JSON object of strings under topic, .*{found}"
    ):
        PromptedAnchors(chat.model)("Who pays?")
