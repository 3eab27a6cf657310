"""The topic and conditions of a question in seven slots, and what extracts them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from enum import StrEnum


@dataclass(frozen=True)
class Anchor:
    """The topic of a question and the conditions it states; a slot is empty if the question does not fill it.

    Parameters
    ----------
    topic : str, optional
        What is asked about, without who, when, how much and in which case.
    actor : str, optional
        Whom the rules bind.
    temporal : str, optional
        Dates, periods and intervals.
    magnitude : str, optional
        Amounts, percentages and quantities.
    situational : str, optional
        In which case: "if ...", "when ...", "unless ...".
    domain : str, optional
        The body of rules that the question names.
    language : str, optional
        The question's language, as an ISO 639-1 code.

    """

    topic: str = ""
    actor: str = ""
    temporal: str = ""
    magnitude: str = ""
    situational: str = ""
    domain: str = ""
    language: str = ""

    def __bool__(self) -> bool:
        return any(getattr(self, slot) for slot in VIEWED)


SLOTS = tuple(field.name for field in fields(Anchor))
"""The names of the slots."""

VIEWED = SLOTS[:5]
"""The slots that views show, in their order: topic and conditions. An anchor without any is empty."""


AnchorModel = Callable[[str], Anchor]
"""From a question to its anchor: `rules.rule_anchor`, or a `prompted.PromptedAnchors`."""


class AnchorSource(StrEnum):
    """What extracts the anchor: the configured language model, the rules, or the first of them available."""

    auto = "auto"
    llm = "llm"
    rules = "rules"
