"""The words of a grammar that say more of a citation than that something is cited."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import model_validator

from rulerank.graph.citations.regular import Name, OptionalPattern, Part, Patterns

Citing = Literal["REFERENCES", "DELEGATES_TO", "SPECIFIES", "REQUIRES_FORM", "SUPERSEDES"]


class Relation(Part):
    """Words around a citation that say more than that something is cited."""

    type: Citing
    before: Patterns = ()
    followed: OptionalPattern = ""
    """What must follow the words `before`, starting from the citation."""
    between: OptionalPattern = ""
    """What may stand between a citation and the words `after` it."""
    after: Patterns = ()
    unless: Patterns = ()
    """Words before a relation that take it back: "a permit under Rule 1 is revoked", "may repeal Rule 1"."""
    reverse: bool = False
    """Whether the cited section is the edge's source: "is repealed by Rule 2"."""

    @model_validator(mode="after")
    def _has_words(self) -> Self:
        if not self.before and not self.after:
            raise ValueError("expected words before or after a citation, found neither")
        return self


class Shared(Part):
    """How citations share the words of a relation: "Rule 1 of the Tug Rules and rule 2 are revoked"."""

    between: Patterns = ()
    """Between two of them."""
    last: Patterns = ()
    """Between the last two. If empty, no words are shared."""
    single: OptionalPattern = ""
    """After the last: words that are about it alone, "see rule 1 and rule 2 is revoked"."""
    closing: OptionalPattern = ""
    """What must follow the last if the words are before the first: "revokes rule 1 and rule 2 applies"."""


class Excepting(Part):
    """What is left as it is: ", other than rule 3," after what is changed, or at the end."""

    words: OptionalPattern = ""
    """What an exception begins with."""
    until: OptionalPattern = ""
    """What follows it."""

    @property
    def clause(self) -> str:
        """The pattern of an exception that may be missing, without what follows it."""
        return rf"(?:(?:{self.words}){self.kept}\)?,?)?" if self.words else ""

    @property
    def kept(self) -> str:
        """The pattern of what is excepted, up to what follows it."""
        return rf"(?:(?!{self.until})[^.;:“”\"]){{1,150}}(?={self.until})"


class Revocations(Part):
    """A sentence that takes documents out of force as a whole, or but for some of their rules."""

    name: Name | None = None
    """The documents, in the group `name`: a name or a list, or what `pointing.own` says of this document."""
    begun: OptionalPattern = ""
    """What may come after this document: "come into force on 1 May 2020 and"."""
    ends: Patterns = ()
    """What takes them out of force."""
    unless: OptionalPattern = ""
    """After that: what keeps some of their rules in force."""
    known_by: Name | None = None
    """The part of a title by which a document is known as surely as by all of it: its number."""
    leads: OptionalPattern = ""
    """What a list of documents follows instead, in items: "the following are revoked:"."""
