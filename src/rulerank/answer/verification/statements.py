"""The statements of a passage, each with its place in the text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from rulerank.text import MARKER

_ABBREVIATION = "".join(
    rf"(?<!\b{word}\.)" for word in (r"e\.g", r"i\.e", "cf", "vs", "No", "Nos", "Art", "Sec", "para", "Mr")
)
_END = re.compile(rf"(?<=[.!?]){_ABBREVIATION}[\"'”’)\]]*[^\S\n]+(?=[\"'“‘(\[]*[A-Z0-9])|[。！？]\s*|\n+")
_ITEM = re.compile(rf"\s*(?:{MARKER.pattern})(?=\s)")


class Statement(NamedTuple):
    """A sentence or an item, `text[start:end]`, and the words that lead into it, empty if none do."""

    start: int
    end: int
    lead: tuple[int, int]

    def words(self, text: str) -> str:
        """Return the statement in full, the lead-in before it."""
        return f"{text[slice(*self.lead)]} {text[self.start : self.end]}".strip()


def statements(text: str) -> list[Statement]:
    """Return the statements of a passage in reading order, in time linear in its length.

    An enumerated item, or a line that begins in lower case, goes with the sentence before it that ends
    in a colon or a dash.
    """
    found: list[Statement] = []
    lead = (0, 0)
    for start, end in _sentences(text):
        item = _ITEM.match(text, start, end)
        goes_on = bool(item) or text[start].islower()
        if not goes_on:
            lead = (0, 0)
        found.append(Statement(start, end, lead))
        if text[end - 1] in ":—–-" and not goes_on:
            lead = (start, end)
    return found


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in [*_END.finditer(text), None]:
        stop = len(text) if match is None else match.start()
        # The closing quotation mark of a sentence belongs to it.
        if match is not None:
            stop += len(match[0]) - len(match[0].lstrip("\"'”’)]。！？"))
        part = text[start:stop]
        begin, end = start + len(part) - len(part.lstrip()), start + len(part.rstrip())
        # A marker belongs to what follows it; one that nothing follows stands by itself.
        if end > begin and (match is None or not MARKER.fullmatch(text[begin:end])):
            yield begin, end
            start = len(text) if match is None else match.end()
        elif end <= begin:
            start = len(text) if match is None else match.end()
