"""Section ids as paths, and the numbering of a document: which passage a cited number is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

from rulerank.text import normalise

Path = tuple[str, ...]

LABELS = ("part", "chapter", "app", "schedule")
"""Divisions cited by their own name: `Part 3` is not `3`. An appendix is `app` however it is written."""

# A component is a bracketed item, or what stands between dots; `93)` loses its bracket.
_COMPONENT = re.compile(r"\([^()\s]+\)|[^.\s()]+(?:\s+[^.\s()]+)*")
_DIVISION = re.compile(rf"({'|'.join(LABELS)})(?:\d\w*|[ivxl]+|[a-z])")
_LETTERED = re.compile(r"[a-z]{1,2}\d")
_WORD = re.compile(r"[^\W\d_]{2,}\d*")


@lru_cache(maxsize=1 << 16)
def parse(section: str) -> Path:
    """Return the components of a section id: `APP4.A4.3.5.(1)` is (app4, a4, 3, 5, (1)).

    Case, spaces, trailing dots and the closing bracket of `93)` make no difference. A label given twice
    (`APP7.APP7`, the heading of APP7) counts once.
    """
    path = [
        component.replace(" ", "").replace("appendix", "app")
        for component in _COMPONENT.findall(normalise(section))
    ]
    if len(path) > 1 and path[-1] == path[-2] and _WORD.fullmatch(path[-1]):
        path.pop()
    return tuple(path)


def first_at(paths: Iterable[Path]) -> dict[Path, int]:
    """Return where each path stands first; a repeated section never takes its first holder's place."""
    places: dict[Path, int] = {}
    for place, path in enumerate(paths):
        places.setdefault(path, place)
    return places


class Numbering:
    """The sections of one document, found as a citation names them.

    Parts and chapters may be left out of a citation (`section 58` is `Part 6.Chapter 1.58.`), and so may an
    appendix whose numbers carry its letter (`A4.3` is `APP4.A4.3`). A name that fits several sections fits
    none of them.

    Parameters
    ----------
    sections : sequence of str
        The section ids of the document's passages, in position.

    """

    def __init__(self, sections: Sequence[str]) -> None:
        self._paths = [parse(section) for section in sections]
        self._places = first_at(self._paths)
        self._short: dict[Path, int | None] = {}
        for path, place in self._places.items():
            short = _shorten(path)
            self._short[short] = None if short in self._short else place
        found = (_DIVISION.fullmatch(part) for path in self._places for part in path)
        self._labels = {division[1] for division in found if division}

    def divisions(self, place: int) -> Path:
        """Return the parts, chapters, schedules and appendices that the passage at `place` stands in."""
        path = self._paths[place]
        count = next((i for i, part in enumerate(path) if not _DIVISION.fullmatch(part)), len(path))
        return path[:count]

    def resolve(self, kind: str, number: str, within: Path = (), beside: Path = ()) -> int | None:
        """Return the place of a cited section, None when it is not in the document.

        Parameters
        ----------
        kind : str
            One of `LABELS`, or any other word (rule, section, paragraph).
        number : str
            As it is cited: `4.3.2(a)`. Sub-paragraphs that do not exist roll up to the closest that does.
        within : Path
            The division that the citation counts the number in.
        beside : Path
            Divisions that the citing passage stands in: the number may be counted in one of them, tried from
            the innermost, where the citation names none.

        """
        path = parse(number)
        # `Chapter 4` of a document without labelled chapters is its section 4; others need their label.
        labelled = kind in self._labels or (kind in LABELS and kind != "chapter")
        if labelled and not path[0][0].isalpha():
            path = (kind + path[0], *path[1:])
        scopes = [within] if within else [beside[:length] for length in range(len(beside), -1, -1)]
        while path:
            found = (self._find((*scope, *path)) for scope in scopes)
            place = next((place for place in found if place is not None), None)
            if place is not None or not path[-1].startswith("("):
                return place
            path = path[:-1]
        return None

    def between(self, first: int, last: int) -> list[int]:
        """Return the places of a range: sections as deep as its ends, from the one to the other."""
        depth = len(_shorten(self._paths[first]))
        return [
            place
            for place in range(first, last + 1)
            if len(_shorten(self._paths[place])) == depth and self._places[self._paths[place]] == place
        ]

    def _find(self, path: Path) -> int | None:
        place = self._places.get(path)
        return self._short.get(path) if place is None else place


def _shorten(path: Path) -> Path:
    """Return `path` without the divisions that a citation may leave out."""
    kept = [
        part
        for part, following in pairwise((*path, ""))
        if not following
        or not (division := _DIVISION.fullmatch(part))
        or division[1] == "schedule"
        or (division[1] == "app" and not _LETTERED.match(following))
    ]
    return tuple(kept)
