"""Answers by a language model that is given the anchor of the question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import date
from typing import Protocol

from rulerank.answer import Answer, Answerer
from rulerank.passages import Passage
from rulerank.refwalk.anchor import Anchor, AnchorModel


class Asks(Protocol):
    """`rulerank.answer.model.model_answer` with its model bound."""

    def __call__(
        self, question: str, sources: Sequence[Passage], as_of: date, *, anchor: dict[str, str]
    ) -> Answer:
        """Answer a question from its sources."""
        ...


def anchored(ask: Asks, anchors: AnchorModel) -> Answerer:
    """Return an answerer whose prompt holds the anchor of the question, slot by slot."""

    def answer(question: str, sources: Sequence[Passage], as_of: date) -> Answer:
        anchor: Anchor = anchors(question)
        return ask(question, sources, as_of, anchor=asdict(anchor))

    return answer
