"""The lines of a file of changes: what each may say."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, RootModel, StringConstraints

from rulerank.corpora.keys import Day, DocumentKey, Key, Kind, Label, PassageKey
from rulerank.corpora.records import OwnRecord

LAST = 2**31 - 1
"""The last position in a document that the table can hold."""


class _Change(OwnRecord):
    passage_id: Key

    @property
    def about(self) -> tuple[str, str]:
        """What the line changes: its kind and id."""
        return "passage", self.passage_id


class Withdrawal(_Change):
    """A passage that goes."""

    op: Literal["withdraw"]


class _Columns(_Change):
    section: str = ""
    title: str = ""
    tier: Annotated[int, Field(ge=1, le=5, strict=True)] | None = None
    kind: Kind = "text"
    position: Annotated[int, Field(ge=0, le=LAST, strict=True)] = 0
    effective_from: Day | None = None
    scope: Label = None
    cites: list[str] | None = None


class Amendment(_Columns):
    """A passage that changes; what is not given stays as it is."""

    op: Literal["amend"]
    document_id: DocumentKey = ""
    text: str = ""


class Addition(_Columns):
    """A new passage."""

    op: Literal["add"]
    passage_id: PassageKey
    document_id: DocumentKey
    text: str


class Naming(OwnRecord):
    """All names of a document, as `documents.json` gives them."""

    op: Literal["name"]
    document_id: DocumentKey
    names: list[Annotated[str, StringConstraints(strip_whitespace=True, pattern=r"^[^\x00-\x1f\x7f]+$")]]

    @property
    def about(self) -> tuple[str, str]:
        """What the line changes: its kind and id."""
        return "document", self.document_id


class ChangeLine(RootModel[Annotated[Withdrawal | Amendment | Addition | Naming, Field(discriminator="op")]]):
    """One line."""
