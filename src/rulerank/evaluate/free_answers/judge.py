"""A language model that judges free answers by the expected one, and prefers one of two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any, Literal, get_args

from rulerank.console import printable
from rulerank.llm import LanguageModel
from rulerank.llm.asking import object_in, reply_to
from rulerank.llm.prompts import read_prompt
from rulerank.llm.replies import Replies

Grade = Literal["right", "partly", "wrong"]
Preference = Literal[1, 0, -1]
"""The first of two answers is better, neither, or the second."""

_PROMPTS = files("rulerank.evaluate.free_answers") / "prompts"
_MAX_TOKENS = 64


@dataclass(frozen=True)
class FreeJudge:
    """Judges answers to questions whose answer is known.

    Parameters
    ----------
    model : LanguageModel
        The model that judges, at temperature 0.
    replies : Replies, optional
        Keeps the model's replies. It is not asked again for a reply that is kept.

    """

    model: LanguageModel
    replies: Replies = field(default_factory=Replies)

    def grade(self, question: str, expected: str, answer: str) -> Grade | None:
        """Return how far an answer says what is expected; None for a reply that cannot be read.

        Raises
        ------
        ModelError
            The model cannot be reached, or the token budget is spent.

        """
        said = self._asked("grade", question=question, expected=expected, answer=answer)
        return next((grade for grade in get_args(Grade) if grade == said), None)

    def prefer(self, question: str, expected: str, one: str, other: str) -> Preference:
        """Return which of two answers is closer to the expected one.

        Models prefer an answer for its place (Zheng et al., NeurIPS 2023, section 3.3). So both orders are
        asked, and a preference counts only if both give it. Of two equal answers neither is better.

        Raises
        ------
        ModelError
            The model cannot be reached, or the token budget is spent.

        """
        if one == other:
            return 0
        asked = {"question": question, "expected": expected}
        first = self._asked("prefer", **asked, a=one, b=other)
        swapped = self._asked("prefer", **asked, a=other, b=one)
        if (first, swapped) == ("A", "B"):
            return 1
        return -1 if (first, swapped) == ("B", "A") else 0

    def _asked(self, name: str, **values: str) -> Any:
        """Return what the model's reply, `{"verdict": ...}`, says; None if it cannot be read."""
        shown = {key: printable(value) for key, value in values.items()}
        prompt = read_prompt(_PROMPTS, name)
        return object_in(reply_to(prompt, shown, self.model, self.replies, _MAX_TOKENS)).get("verdict")


def win_rate(preferences: Sequence[Preference]) -> float:
    """Return the share of the questions on which the first answer is better; a tie counts half."""
    return sum((preference + 1) / 2 for preference in preferences) / len(preferences)
