"""The sentences of a passage, each enumeration below the sentence that leads into it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rulerank.obligations.korean import LEAD_IN
from rulerank.obligations.modality import modal
from rulerank.obligations.sentences import cites, sentence_spans
from rulerank.text import MARKER

_NO_CITATION = r"(?![ \n](?:and|or|to(?= [(\d])|above|below|appl(?:y|ies)|(?:does|do|shall|may) not apply)\b)"
"""What cannot follow the marker of an item, but can follow "(2)" as the name of a paragraph."""
_MARKER = re.compile(rf"(?:{MARKER.pattern})(?=[ \n(]){_NO_CITATION}")
_ROMAN = re.compile(r"[ivxl]+|[IVXL]+")
_LATER = re.compile(r"\n\(?(?!1\b)\d")
"""A line that begins with a number other than 1, which cannot be the first of a list below an item."""
_LINE_END = re.compile(
    r"\n|(?:(?<=[.:;—–])|(?<=\w-)|(?<=; and)|(?<=; or)) "
    rf"(?=\((?:[a-z]{{1,2}}|[ivxl]{{1,6}}|[A-Z]|\d{{1,3}})\)(?= ){_NO_CITATION})"
)
"""A line break, or the space before an item that begins within the line."""


@dataclass
class Provision:
    """A sentence, text[start:end], and the enumerated items below it."""

    start: int
    end: int
    marker: str = ""
    level: str | None = None
    items: list[Provision] = field(default_factory=list)
    whole: bool = False
    """Whether a closing line refers back to all items, so that no item is complete without the others."""
    alone: bool = False
    """Whether it follows an item as its own sentence, which needs no lead-in."""


def provisions(text: str) -> list[Provision]:
    """Read `text`, in which no white space follows another, as sentences and the items below them."""
    roots: list[Provision] = []
    path: list[Provision] = []  # the open provision and, below it, its open items
    for start, end in _lines(text):
        parts = [Provision(*span) for span in sentence_spans(text, start, end)]
        opened = bool(path) and (
            bool(path[0].items) or _leads(text[path[0].start : path[0].end], text[start:end])
        )
        marker, body = _marker(text, start, end)
        level = _level(marker, text, path) if marker else None
        for part in parts:
            part.marker, part.level = marker, level
        if marker:
            depth = next((at for at, provision in enumerate(path) if provision.level == level), len(path))
            goes_on = depth == len(path) > 1 and _LATER.match(text, start - 1)
            if opened and depth > 0 and not goes_on:
                for part in parts[1:]:
                    part.alone = True
                path[depth - 1].items.extend(parts)
                path[depth:] = parts[-1:]
                continue
            parts[0].start = min(body, parts[0].end - 1)
        elif opened and text[start].islower():
            path[0].items.append(parts.pop(0))
            path[0].whole = True
            # An item after the closing line is not below one before it, or the items would not be in order.
            path = path[:1]
            if not parts:
                continue
        roots.extend(parts)
        path = [roots[-1]]
    return roots


def _lines(text: str) -> Iterator[tuple[int, int]]:
    """Yield the lines of `text`; a marker alone on a line begins the next line."""
    start = 0
    for match in _LINE_END.finditer(text):
        stop, after = match.span()
        cited = match[0] == " " and text[stop - 1] == "." and cites(text, start, stop - 1, after)
        if not cited and not MARKER.fullmatch(text, start, stop):
            yield start, stop
            start = after
    if start < len(text):
        yield start, len(text)


def _leads(sentence: str, line: str) -> bool:
    """Whether `sentence` leaves something open that the next line completes.

    A Korean sentence is complete before its items, which are sentences of their own or not.
    """
    if LEAD_IN.search(sentence):
        return not line.endswith("다.")
    return sentence[-1] in ":;,—–-" or (sentence[-1] not in ".!?。" and modal(sentence) is not None)


def _marker(text: str, start: int, end: int) -> tuple[str, int]:
    """Return the last marker at the start of a line, if any, and where the words after it begin."""
    marker, body = "", start
    while match := _MARKER.match(text, body, end):
        marker, body = match[0], match.end()
        if text[body] != "(":
            return marker, body + 1
    return marker, body


def _level(marker: str, text: str, path: Sequence[Provision]) -> str:
    """Return the form of a marker, the same for all items of a list: "(1)", "(a)", "(A)", "(i)", "•"."""
    label = marker.strip("().")
    if not label.isalnum():
        return marker
    if _ROMAN.fullmatch(label) and not _follows_letter(label, marker, text, path):
        first = "i"
    else:
        first = "1" if label.isdigit() else "a"
    return marker.replace(label, first.upper() if label.isupper() else first)


def _follows_letter(label: str, marker: str, text: str, path: Sequence[Provision]) -> bool:
    """Whether "(i)" is the letter after an open "(h)" rather than the first Roman number below it."""
    before = marker.replace(label, chr(ord(label[0]) - 1))
    return len(label) == 1 and any(
        item.marker == before and not item.items and text[item.end - 1] != ":" for item in path
    )
