"""A language model that judges free answers by the expected one, and prefers one of two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Literal, get_args

from rulerank.console import printable
from rulerank.errors import UnansweredError
from rulerank.llm import LanguageModel
from rulerank.llm.asking import object_in, read_reply
from rulerank.llm.prompts import read_prompt
from rulerank.llm.replies import Replies

Grade = Literal["right", "partly", "wrong"]
Preference = Literal[1, 0, -1]
"""The first of two answers is better, neither, or the second."""

_PROMPTS = files("rulerank.evaluate.free_answers") / "prompts"
_MAX_TOKENS = 64
_PREFERRED = ("A", "B", "neither")


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
        """Return how far an answer says what is expected; None if no reply can be read.

        Raises
        ------
        ModelError
            The model cannot be reached, or the token budget is spent.

        """
        said = self._asked("grade", get_args(Grade), question=question, expected=expected, answer=answer)
        return next((grade for grade in get_args(Grade) if grade == said), None)

    def prefer(self, question: str, expected: str, one: str, other: str) -> Preference | None:
        """Return which of two answers is closer to the expected one; None if no reply can be read.

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
        first = self._asked("prefer", _PREFERRED, **asked, a=one, b=other)
        swapped = first and self._asked("prefer", _PREFERRED, **asked, a=other, b=one)
        if swapped is None:
            return None
        if (first, swapped) == ("A", "B"):
            return 1
        return -1 if (first, swapped) == ("B", "A") else 0

    def _asked(self, name: str, verdicts: Sequence[str], **values: str) -> str | None:
        """Return which of some verdicts the model gives, `{"verdict": ...}`; None if no reply can be read."""

        def read(reply: str) -> str | None:
            said = object_in(reply).get("verdict")
            return said if isinstance(said, str) and said in verdicts else None

        shown = {key: printable(value) for key, value in values.items()}
        try:
            prompt = read_prompt(_PROMPTS, name)
            return read_reply(prompt, shown, self.model, self.replies, _MAX_TOKENS, read)
        except UnansweredError:
            return None


def win_rate(preferences: Sequence[Preference | None]) -> float:
    """Return the share of the questions on which the first answer is better; a tie counts half.

    Questions whose preference could not be read are left out; NaN if no other is left.
    """
    read = [each for each in preferences if each is not None]
    return sum((preference + 1) / 2 for preference in read) / len(read) if read else float("nan")
