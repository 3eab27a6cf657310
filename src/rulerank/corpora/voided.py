"""Conversion of published pairs of a document and the one that voids it into documents and questions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from rulerank.corpora.records import read_list
from rulerank.errors import InputError

Record = TypeVar("Record")


@dataclass(frozen=True)
class VoidedPair:
    """A document and the one that voids it.

    Parameters
    ----------
    id : str
        The beginning of the ids of both documents.
    texts : mapping of str to str
        Two texts by type: first the voided document's, then that of the one that voids it.
    scope : mapping of str to str
        The scope of both documents.
    since : str, optional
        The day of the second document; the first has none, so the second is the later one.

    """

    id: str
    texts: Mapping[str, str]
    scope: Mapping[str, str]
    since: str | None = None

    def documents(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the voided document and the one that voids it."""
        (before, voided), (after, voiding) = self.texts.items()
        return self._document(before, voided, None), self._document(after, voiding, self.since)

    def question(self, text: str) -> dict[str, Any]:
        """Return a question that the second document answers."""
        _, voiding = self.documents()
        return {"id": self.id, "text": text, "gold": [voiding["id"]]}

    def _document(self, kind: str, text: str, timestamp: str | None) -> dict[str, Any]:
        return {
            "id": f"{self.id}:{kind}",
            "type": kind,
            "text": text,
            "timestamp": timestamp,
            "scope": self.scope,
        }


def documents_of(pairs: Iterable[VoidedPair]) -> list[dict[str, Any]]:
    """Return both documents of each pair, pair by pair."""
    return [document for pair in pairs for document in pair.documents()]


def read_pairs(path: Path, record: type[Record]) -> list[Record]:
    """Read a JSON list of published pairs, each with an `id`.

    Raises
    ------
    InputError
        The file is missing or malformed, or holds no pair.

    """
    pairs = read_list(path, record, "id")
    if not pairs:
        raise InputError(path, "expected a list of pairs, found an empty one. Check the file.")
    return pairs
