from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import date
from functools import partial
from pathlib import Path

import pytest

from rulerank.answer.model import model_answer
from rulerank.cli import main
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


def test_anchor_without_a_language_model_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        sys, "argv", ["rulerank", "answer", str(tmp_path), "Who keeps a log?", "--anchor", "rules"]
    )
    with pytest.raises(SystemExit) as done:
        main()
    assert done.value.code == 1
    assert "--anchor: is only for answers by a language model" in capsys.readouterr().err
