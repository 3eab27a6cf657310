"""Passages are text by others: nothing that a terminal would act on reaches it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from rulerank.passages import Passage, RankedPassage, Reason

HOSTILE = "Pay.\x1b]0;owned\x07\x9b31m\u202eeyb"


class Found:
    """A ranker that finds one passage."""

    def rank(self, question: str, k: int, **more: object) -> list[RankedPassage]:
        place = {"passage_id": HOSTILE, "document_id": "act", "document": HOSTILE, "section": HOSTILE}
        reasons = (Reason("q_len", 7.0, -0.1),)
        return [
            RankedPassage(**place, text=HOSTILE, voided_by=(HOSTILE,), rank=1, score=0.2, reasons=reasons)
        ]


def test_title_of_two_lines_is_shown_on_one() -> None:
    forged = {"passage_id": "a1", "document_id": "act", "document": "Act\n  2. Other", "section": "9\t.9"}
    assert Passage(**forged, text="x").place == "Act 2. Other 9 .9"


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_rank_prints_no_control_character(
    call: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, form: list[str]
) -> None:
    monkeypatch.setattr("rulerank.load", lambda bundle: Found())
    said = call("rank", "bundle", "Who pays?", *form)
    assert said.code == 0
    assert "Pay." in said.out
    assert not set(said.out) & set("\x1b\x07\x9b\u202e")
    if form:
        assert json.loads(said.out)[0]["text"] == HOSTILE
