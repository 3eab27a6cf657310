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
    numbers = parts(section.numbers[0][0], mention.kind, mention.numbers, style)
    return replace(section, start=mention.start, end=mention.end, numbers=numbers) if numbers else None


def parts(section: Path, kind: str, numbers: Ranges, style: Style) -> Ranges:
    """Return numbers as those of parts of a section: "(1)" and "paragraph 2"; empty if one is no part."""
    found = list[tuple[Path, Path]]()
    inner = kind in style.divisions and style.divisions[kind].inner
    for ends in numbers:
        named = [each for each in ends if each]
        plain = inner and all(len(each) == 1 and each[0].isdigit() for each in named)
        if not plain and not (named and named[0][0].startswith("(")):
            return ()
        own = [(f"({each[0]})",) if plain else each for each in named]
        first, last = (style.inside(section, each) for each in (own[0], own[-1]))
        found.append((first, last if ends[1] else ()))
    return tuple(found)
