"""Replies that were cut off: asked for once more with more room, and never taken as whole."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from rulerank.answer.model import Replies, model_answer
from rulerank.answer.verify import verified
from rulerank.settings import ModelAnswers

QUESTION, DAY = "How long must a pilot rest?", date(2026, 1, 31)
RESTS = "A pilot must rest for six hours after each watch."
TUG = "A tug may anchor in the roads."
WHOLE = {"list": f"- {RESTS} [P1]\n- {TUG} [P3]", "per-rule": json.dumps({"act:1": [RESTS], "act:3": [TUG]})}


@pytest.mark.parametrize("style", ["list", "per-rule"])
def test_a_reply_that_is_cut_off_is_asked_for_once_more_with_twice_the_room(chat, sources, style) -> None:
    settings = ModelAnswers(style=style, max_tokens=40)
    chat.cuts = lambda request: request["max_tokens"] == 40
    chat.says = lambda request: WHOLE[style][:60] if chat.cuts(request) else WHOLE[style]
    answer = model_answer(QUESTION, sources, DAY, model=chat.model, settings=settings)
    assert [claim.text for claim in answer.claims] == [RESTS, TUG]
    assert not answer.incomplete
    assert [request["max_tokens"] for request in chat.asked] == [40, 80]
    assert chat.asked[0]["messages"] == chat.asked[1]["messages"]


def test_what_is_read_of_a_reply_cut_off_twice_is_whole_lines_and_said_to_be_incomplete(
    chat, sources
) -> None:
    chat.cuts = lambda request: True
    chat.says = lambda request: f"- {RESTS} [P1]\n- According to [P3], a tug may anchor in the roads"
    answer = verified(model_answer(QUESTION, sources, DAY, model=chat.model))
    assert [claim.text for claim in answer.claims] == [RESTS]
    assert answer.incomplete
    assert len(chat.asked) == 2


@pytest.mark.parametrize(
    ("style", "said"),
    [("per-rule", WHOLE["per-rule"][:-10]), ("list", f"- {RESTS} [P1]"), ("list", "<think>Hm")],
)
def test_a_reply_of_which_nothing_is_whole_gives_the_cut_as_the_reason(chat, sources, style, said) -> None:
    chat.cuts = lambda request: True
    chat.says = lambda request: said
    settings = ModelAnswers(style=style)
    answer = model_answer(QUESTION, sources, DAY, model=chat.model, settings=settings)
    assert (answer.claims, answer.incomplete) == ((), True)
    assert answer.abstained_because == (
        "the language model's reply could not be read: it was cut off at its maximum length"
    )


def test_a_reply_that_is_cut_off_after_an_unreadable_one_is_not_asked_for_a_third_time(chat, sources) -> None:
    said = iter(["Sure!", f"- {RESTS} [P1]\n- A tug"])
    chat.cuts = lambda request: len(chat.asked) == 2
    chat.says = lambda request: next(said)
    answer = model_answer(QUESTION, sources, DAY, model=chat.model)
    assert ([claim.text for claim in answer.claims], answer.incomplete) == ([RESTS], True)


def test_an_endpoint_that_has_no_more_room_leaves_what_came_first(chat, sources) -> None:
    chat.cuts = lambda request: True
    chat.refuses = lambda request: 400 if request["max_tokens"] > 1024 else None
    chat.says = lambda request: f"- {RESTS} [P1]\n- A tug"
    answer = model_answer(QUESTION, sources, DAY, model=chat.model)
    assert ([claim.text for claim in answer.claims], answer.incomplete) == ([RESTS], True)


@pytest.mark.parametrize(("said", "cut"), [(f"- {RESTS} [P1]\n", True), ("Sure!", False)])
def test_a_faulty_reply_is_not_kept(chat, sources, tmp_path: Path, said: str, cut: bool) -> None:
    path = tmp_path / "replies.jsonl"
    chat.cuts, chat.says = (lambda request: cut), (lambda request: said)
    model_answer(QUESTION, sources, DAY, model=chat.model, replies=Replies(path))
    assert len(Replies(path)) == 0
    chat.cuts, chat.says = (lambda request: False), (lambda request: WHOLE["list"])
    answer = model_answer(QUESTION, sources, DAY, model=chat.model, replies=Replies(path))
    assert ([claim.text for claim in answer.claims], answer.incomplete) == ([RESTS, TUG], False)
    assert len(Replies(path)) == 1
