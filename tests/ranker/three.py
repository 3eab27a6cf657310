"""Three questions of a batch, the run that answers them, and what it answers: nothing to the second."""

from __future__ import annotations

from datetime import date

from rulerank.answer import Answer, Claim

DAY = date(2024, 5, 1)
RUN = {"as_of": "2024-05-01", "bundle": "abc", "model": "ranker", "k": 10, "llm": None}
ASKED = [("q1", "Who?"), ("q2", "What?"), ("q3", "When?")]


def answer_to(question: str) -> Answer:
    claims = () if question == "What?" else (Claim(question, None, ("p",)),)
    return Answer(question, DAY, claims, (), None if claims else "nothing")
