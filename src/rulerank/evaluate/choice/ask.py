"""A language model that answers multiple-choice questions from the provisions shown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.resources import files

from rulerank.console import printable
from rulerank.corpora.multiple_choice import ChoiceQuestion
from rulerank.errors import UnansweredError
from rulerank.evaluate.choice.score import Chosen
from rulerank.llm import LanguageModel
from rulerank.llm.asking import read_reply
from rulerank.llm.prompts import read_prompt
from rulerank.llm.replies import Replies

_MAX_TOKENS = 16
_NUMBER = re.compile(r"(?<!\d)([1-9])(?!\d)")


@dataclass(frozen=True)
class Chooser:
    """Lets a model choose options.

    Parameters
    ----------
    model : LanguageModel
        The model that chooses, at temperature 0.
    replies : Replies, optional
        Keeps the model's replies. It is not asked again for a reply that is kept.

    """

    model: LanguageModel
    replies: Replies = field(default_factory=Replies)

    def __call__(self, question: ChoiceQuestion, provisions: Sequence[str]) -> Chosen:
        """Return the number of the option that the model chooses from some provisions; None if it names none.

        Raises
        ------
        ModelError
            The model cannot be reached, or the token budget is spent.

        """
        prompt = read_prompt(files("rulerank.evaluate.choice") / "prompts", "choose")
        values = {
            "provisions": "\n\n".join(map(printable, provisions)),
            "question": printable(question.text),
            "options": "\n".join(f"{number}. {each}" for number, each in enumerate(question.options, 1)),
        }
        options = len(question.options)
        try:
            return read_reply(
                prompt, values, self.model, self.replies, _MAX_TOKENS, lambda reply: chosen(reply, options)
            )
        except UnansweredError:
            return None


def chosen(reply: str, options: int) -> Chosen:
    """Return the one option number that a reply names, or None if it names none or several."""
    named = {int(number) for number in _NUMBER.findall(reply)}
    return next(iter(named)) if len(named) == 1 and max(named) <= options else None
