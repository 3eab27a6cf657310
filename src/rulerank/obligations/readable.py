"""A text as patterns read it: nothing invisible, no runs of white space, and the place of each character."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rulerank.text import INVISIBLE

_SPACE = re.compile(r"\s+")
_LINE_BREAK = re.compile(r"[\n\r\v\f\x85\u2028\u2029]")


@dataclass(frozen=True)
class Span:
    """A part of a text: text[start:end], in characters."""

    start: int
    end: int


@dataclass(frozen=True)
class Readable:
    """A text without invisible characters, in which each run of white space is one space or one line break.

    No pattern needs to skip white space, where backtracking would become quadratic.

    Parameters
    ----------
    text : str
        The text that patterns read.
    places : sequence of int
        Where each of its characters is in the original text.

    """

    text: str
    places: Sequence[int]

    def span(self, start: int, end: int) -> Span:
        """Return where text[start:end], at least one character, is in the original text."""
        return Span(self.places[start], self.places[end - 1] + 1)


def readable(text: str) -> Readable:
    """Return `text` as patterns read it."""
    kept = text.translate(INVISIBLE)
    visible: Sequence[int] = range(len(text))
    if len(kept) < len(text):
        visible = [place for place, character in enumerate(text) if ord(character) not in INVISIBLE]
    pieces: list[str] = []
    places: list[int] = []
    end = len(kept) - len(kept.lstrip())
    for run in _SPACE.finditer(kept, end, len(kept.rstrip())):
        pieces += kept[end : run.start()], "\n" if _LINE_BREAK.search(run[0]) else " "
        places += visible[end : run.start() + 1]
        end = run.end()
    pieces.append(kept[end:].rstrip())
    return Readable("".join(pieces), [*places, *visible[end : end + len(pieces[-1])]])


def lowered(text: str) -> str:
    """Return `text` in lower case, or unchanged if that would change its length and so its places."""
    lower = text.lower()
    return lower if len(lower) == len(text) else text
