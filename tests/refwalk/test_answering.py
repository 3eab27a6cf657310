from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import partial

from rulerank.answer.model import model_answer
from rulerank.passages import Passage
from rulerank.refwalk.answering import anchored
from rulerank.refwalk.rules import rule_anchor


def test_prompt_says_what_the_question_is_about(chat) -> None:
    chat.says = lambda request: "- The tug operator keeps a log. [P1]"
    sources: Sequence[Passage] = [
        Passage(
            passage_id="p1",
            document_id="rules",
            document="Rules",
            section="4",
            text="The tug operator must keep a log for two years.",
        )
    ]
    ask = anchored(partial(model_answer, model=chat.model), rule_anchor)
    answered = ask("Must a tug operator keep a log for two years?", sources, date(2026, 1, 1))
    assert answered.claims[0].passages == ("p1",)
    asked = chat.asked[0]["messages"][-1]["content"] + chat.asked[0]["messages"][0]["content"]
    assert "actor: tug operator; temporal: for two years; language: en" in asked
