"""What differs between the languages of the sample besides vocabulary: numbers, citations, finished texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Protocol

import yaml

from rulerank.corpora.sample.english import English
from rulerank.corpora.sample.korean import Korean

Language = Literal["english", "korean"]

_VOCABULARY = Path(__file__).parent / "vocabulary"
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Wording(Protocol):
    """How a language words the sample."""

    day: str
    """How dates are written, as `datetime.strptime` takes it."""

    either: tuple[str, ...]
    """The facts whose lay expression can stand wherever the rulebook's own can."""

    def derived(self, facts: Mapping[str, str]) -> dict[str, str]:
        """Return what follows from the facts of a regime, by the names of their slots."""

    def sections(self, places: Sequence[tuple[str, ...]]) -> list[str]:
        """Return the section ids of a document's places in reading order.

        Parameters
        ----------
        places : sequence of tuple of str
            Numbers of chapter, provisions within provisions and item; that of an item in brackets.

        """

    def cited(self, section: str, document: Mapping[str, Any], *, own: bool) -> str:
        """Return the citation of a section of a document, as worded in that document or in another."""

    def code(self, section: str, document_id: str, document: Mapping[str, Any]) -> str:
        """Return the name that an instruction uses for the provision it is about."""

    def joined(self, ask: str) -> str:
        """Return a question as the second part of a sentence, or unchanged if that is impossible."""

    def finished(self, text: str) -> str:
        """Return a text whose slots have been filled, as it is printed."""


WORDINGS: Mapping[Language, Wording] = {"english": English(), "korean": Korean()}


def vocabulary(language: Language, name: str) -> Any:
    """Read one of a language's vocabulary files."""
    text = (_VOCABULARY / language / f"{name}.yaml").read_text(encoding="utf-8")
    return yaml.load(text, _LOADER)  # noqa: S506 - a safe loader
