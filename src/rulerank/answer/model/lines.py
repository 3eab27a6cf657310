"""The lines of a reply: what each says and cites, without the markup before and in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rulerank.answer.model.citations import cited, only_cites

_QUOTED = re.compile(r"^[ \t]*+(?:>[ \t]?+)++")
_BULLET = re.compile(
    r"\s*+(?P<marker>[-*+•·▪◦–]|\(?\d{1,3}[.)]|\(?(?:[a-z]|[ivx]{2,4})\))\s++(?:\[[ xX]\]\s++)?+"
)
_HEADING = re.compile(r"^\s*+(?P<signs>#{1,6})\s++")
_BOLD = re.compile(r"\s*+\*\*[^*]++(?<!:)\*\*\s*+")
# The word that answers the question; not "No. 5 buoy" and not "No-one".
_PARTICLE = re.compile(r"(?:yes|no)(?:[,;:!]|\.(?!\s*\d)|\s+[-–—](?=\s)|\s*[–—])\s*", re.IGNORECASE)

TITLES = range(1, 8)
"""The levels of titles: headings by their signs, then lines in bold."""


@dataclass(frozen=True)
class Line:
    """A line of a reply, with the indented lines that go on with it.

    Parameters
    ----------
    words : str
        What it says, without markup and marks.
    numbers : tuple of int
        The numbers of the sources that its marks name.
    marker : str
        The sign that makes it an item of a list, "1" for any number and "a" for any letter; empty if none.
    level : int
        One of `TITLES`, or more the further the line is indented; items are below other lines.

    """

    words: str
    numbers: tuple[int, ...]
    marker: str
    level: int

    @property
    def bullet(self) -> bool:
        """Whether it is an item of a list."""
        return bool(self.marker)


def lines_of(text: str, most: int) -> Iterator[Line]:
    """Yield the lines of a printable text that are not blank, `most` being the number of sources."""
    for line in _joined(text):
        bullet = _BULLET.match(line)
        words, numbers = cited(line[bullet.end() :] if bullet else line, most)
        # A mark may stand before the bullet.
        late = None if bullet else _BULLET.match(words)
        words = plain(words[late.end() :] if late else words)
        if words:
            marker = _marker(bullet or late)
            yield Line(words, tuple(numbers), marker, _level(line, marker, bool(numbers)))


def item(words: str) -> Line:
    """Return an item of a list without marks."""
    return Line(words, (), "-", _level("", "-", marked=False))


def _marker(bullet: re.Match[str] | None) -> str:
    sign = bullet["marker"].strip("().") if bullet else ""
    return "1" if sign.isdigit() else "a" if sign.isalpha() else sign


def _level(line: str, marker: str, marked: bool) -> int:
    if heading := _HEADING.match(line):
        return len(heading["signs"])
    if not marker and not marked and _BOLD.fullmatch(line):
        return TITLES[-1]
    indent = len(line) - len(line.lstrip(" \t"))
    return TITLES.stop + 2 * indent + bool(marker)


def plain(words: str) -> str:
    """Return the words of a claim without markup and without the "yes" or "no" before them.

    That word answers the question, which verification does not read: there it would be one denial too many.
    """
    words = " ".join(words.replace("**", "").split())
    words = _of_cells(words) if words.startswith("|") else _HEADING.sub("", words)
    words = words.strip("`*_ ")
    particle = _PARTICLE.match(words)
    if particle:
        words = words[particle.end() :]
        words = words[:1].upper() + words[1:]
    return words


def _of_cells(row: str) -> str:
    """Return what the cells of a row of a table say, numbers of rows apart."""
    return ": ".join(cell.strip() for cell in row.split("|") if re.search(r"[^\W\d_]", cell))


def _joined(text: str) -> list[str]:
    """Return the lines of a text, each with those that go on with it.

    These are the indented lines after an item of a list, and marks alone on a line after one without marks.
    """
    found: list[list[str]] = []
    for raw in text.splitlines():
        line = _QUOTED.sub("", raw)
        indented = line[:1] in (" ", "\t") and line.strip() and not _BULLET.match(line)
        goes_on = indented and found and _BULLET.match(found[-1][0])
        if goes_on or (found and only_cites(line) and not cited(found[-1][-1], 0).numbers):
            found[-1].append(line.strip())
        else:
            found.append([line])
    return [" ".join(parts) for parts in found]
