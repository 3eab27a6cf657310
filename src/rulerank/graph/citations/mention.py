"""One mention of sections in a text."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rulerank.graph.citations.names import Named
from rulerank.graph.citations.patterns import Ranges
from rulerank.graph.citations.register import Documents
from rulerank.graph.citations.style import Style
from rulerank.graph.sections import Path


@dataclass(frozen=True)
class Mention:
    """One mention of one or more sections, as it occurs in a text."""

    start: int
    end: int
    kind: str
    """The grammar's name of the division, empty if no word gives it."""
    numbers: Ranges
    within: tuple[Path, ...]
    """Kind and number of each division in which the numbers are counted, the innermost first."""
    documents: Documents | None
    """The documents named in the text: None if there are none, empty for a document outside the corpus."""
    named: Named
    """The documents that the same text names."""


def part_of(section: Mention, mention: Mention, style: Style) -> Mention | None:
    """Return a mention as one of parts of a section, if its numbers may be theirs: "(1)", "paragraph 2"."""
    if len(section.numbers) != 1 or section.numbers[0][1] or not mention.numbers:
        return None
    whole, numbers = section.numbers[0][0], list[tuple[Path, Path]]()
    inner = mention.kind in style.divisions and style.divisions[mention.kind].inner
    for first, last in mention.numbers:
        plain = inner and len(first) == 1 and first[0].isdigit() and not last
        if not plain and not (first and first[0].startswith("(")):
            return None
        own = (f"({first[0]})",) if plain else first
        numbers.append((style.inside(whole, own), last and style.inside(whole, last)))
    return replace(section, start=mention.start, end=mention.end, numbers=tuple(numbers))
