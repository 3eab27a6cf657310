"""The words of a grammar that define terms."""

from __future__ import annotations

from pydantic import Field

from rulerank.graph.citations.regular import OptionalPattern, Part, Terms


class Defining(Part):
    """How terms are defined, and how they are written when used."""

    verbs: OptionalPattern = ""
    """Between a term and its meaning. If empty, no definitions are read by verbs."""
    joiner: OptionalPattern = ""
    """Between two quoted terms that are defined together."""
    unquoted: OptionalPattern = ""
    """Shape of a term without quotation marks, at the beginning of a line."""
    lead: OptionalPattern = ""
    """What may come before such a term."""
    bracketed: OptionalPattern = ""
    """What may come before a quoted term in brackets: (the "Scheme Report")."""
    other: Terms = ()
    """Further definitions, in which the term is the group `term`."""
    table: OptionalPattern = ""
    """The heading of a table of terms and meanings, separated by a tab."""
    table_end: OptionalPattern = ""
    """What ends such a table, besides the end of the passage."""
    never: tuple[str, ...] = ()
    """First words, in lower case, of what is not a term: "this means"."""
    capitals: bool = True
    """Whether a term counts as used only with its capitals. If not, only its own documents use it."""
    endings: dict[str, str] = Field(default_factory=dict)
    """Endings of a word, and what replaces them in its basic form. The first that fits is used."""
    kept_endings: tuple[str, ...] = ()
    """Endings that are kept."""
    shortest: int = 1
    """Length in characters of the shortest word that loses an ending."""
