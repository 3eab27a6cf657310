"""The numbering of a document: which passage a cited number means."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from rulerank.graph.citations.style import LETTERED, Style
from rulerank.graph.sections import Path, first_at

Reason = Literal["no such section", "ambiguous", "unknown document"]

_MARKER = re.compile(r"\([0-9a-zA-Z]{1,5}\)(?=\s)")


class Numbering:
    """The sections of one document, looked up as a citation names them.

    A citation may leave out parts and chapters (`section 58` is `Part 6.Chapter 1.58.`). It may also leave
    out an appendix whose numbers carry its letter (`A4.3` is `APP4.A4.3`). A name that fits several sections
    fits none of them.

    Parameters
    ----------
    sections : sequence of str
        The section ids of the document's passages, by position.
    style : Style
        How section ids are written.
    openings : sequence of str, optional (default=())
        How the text of each passage begins. Of several passages with one section id, the one that opens with
        "(1)" is that section's paragraph (1).

    """

    def __init__(self, sections: Sequence[str], style: Style, openings: Sequence[str] = ()) -> None:
        self._style = style
        self.paths = [style.parse(section) for section in sections]
        self._places = first_at(self.paths)
        for place, opening in enumerate(openings):
            marker = _MARKER.match(opening)
            if marker and self._places[self.paths[place]] != place:
                self._places.setdefault((*self.paths[place], marker[0].casefold()), place)
        self._short: dict[Path, int | None] = {}
        for path, place in self._places.items():
            short = style.shorten(path)
            self._short[short] = None if short in self._short else place
        # The sections of which paragraphs are passages.
        self._outlines = {path[:end] for path in self._places if (end := style.start(path)) < len(path)}
        firsts = {path[0] for path in self._places if len(path) > 1 and not style.kind(path[0])}
        # The number of a part comes before those of its sections: 1002.15(c)(3).
        self.part = tuple(firsts) if style.by_level and len(firsts) == 1 else ()
        self._components = {part for path in self._places for part in path}
        self._labels = {style.kind(part) for part in self._components} - {""}
        self._units = {
            place: kind
            for place, section in enumerate(sections)
            for kind, units in style.units.items()
            if units.fullmatch(section.strip())
        }

    def divisions(self, place: int) -> Path:
        """Return the parts, chapters, schedules and appendices that contain the passage at `place`."""
        path = self.paths[place]
        count = next((i for i, part in enumerate(path) if not self._style.kind(part)), len(path))
        return path[:count]

    def resolve(
        self, kind: str, number: Path, within: Sequence[Path] = (), beside: Path = ()
    ) -> int | Reason:
        """Return the place of a cited section, or why there is none.

        Parameters
        ----------
        kind : str
            The grammar's name of the division (rule, part), empty if the text has no word for it.
        number : Path
            The number as cited. Sub-paragraphs that do not exist roll up to the closest that does.
        within : sequence of Path, optional
            Kind and number of each division in which the citation counts the number, the innermost first.
        beside : Path, optional
            Divisions that contain the citing passage. If the citation names no division, the number may be
            counted in one of them; the innermost is tried first.

        """
        path = self._labelled(kind, number)
        division = self._style.divisions.get(kind)
        if division and beside and self._style.kind(beside[0]) in division.outside:
            beside = ()
        levels = [self._labelled(level[0], level[1:]) for level in reversed(within)]
        outer = tuple(part for level in levels for part in level)
        if path[: len(outer)] == outer:  # "Form A-3 in Appendix A"
            outer = ()
        scopes = [outer] if outer else [beside[:length] for length in range(len(beside), -1, -1)]
        reason: Reason = "no such section"
        while path:
            for scope in scopes:
                found = self._find((*scope, *path), kind)
                if isinstance(found, int):
                    return found
                if found == "ambiguous":
                    reason = found
            if not self._style.sub.fullmatch(path[-1]):
                break
            path = path[:-1]
        if outer and reason != "ambiguous":
            return self._find(outer, within[0][0])
        if (
            kind in self._style.labels
            and number
            and LETTERED.match(number[0])
            and path == number[: len(path)]
        ):
            return self._find((kind + re.sub(r"\D", "", number[0]),), kind)
        return reason

    def holds(self, kind: str, number: Path) -> bool:
        """Return whether the document has paragraphs of a section, which itself may be no passage."""
        return self._labelled(kind, number) in self._outlines

    def is_relative(self, number: Path) -> bool:
        """Return whether a number gives only a place within a section: (1)(a)."""
        return bool(number) and bool(self._style.sub.fullmatch(number[0]))

    def full_path(self, place: int, number: Path) -> Path:
        """Return the whole path of a number that gives only a place in the section of passage `place`."""
        paths = self._style.continuations(self._explained(self.paths[place]), number)
        return next((path for path in paths if path in self._places), paths[0])

    def _explained(self, path: Path) -> Path:
        """Return the section that a comment explains, or else the path itself."""
        if self.part and path and self._style.kind(path[0]) == "comment":
            return (*self.part, path[0].removeprefix("comment"), *path[1:])
        return path

    def between(self, first: int, last: int) -> list[int]:
        """Return the places of a range: divisions of the same kind and depth as its first, up to its last."""
        alike = self._level(first)
        return [
            place
            for place in range(first, last + 1)
            if self._level(place) == alike and self._places[self.paths[place]] == place
        ]

    def _level(self, place: int) -> tuple[int, str]:
        """Return how deep a passage's section is, and the labelled division that it is, if any."""
        path = self.paths[place]
        return len(self._style.shorten(path)), self._style.kind(path[-1]) if path else ""

    def _labelled(self, kind: str, number: Path) -> Path:
        """Return the path with its label, if it has one.

        `Part 3` is not `3`, but the `Chapter 4` of a document without labelled chapters is its section 4. The
        `Article 3` of a document whose section ids have the word is `Article 3`.
        """
        if number and kind not in self._style.labels and kind + number[0] in self._components:
            return (kind + number[0], *number[1:])
        if not kind or kind not in self._style.labels or self._style.kind((*number, "")[0]):
            return number
        if not number:
            return (kind,)
        if self._style.divisions[kind].plain and kind not in self._labels:
            return number
        return number if LETTERED.match(number[0]) else (kind + number[0], *number[1:])

    def _find(self, path: Path, kind: str) -> int | Reason:
        place = self._places.get(path, self._short.get(path, -1))
        if place == -1 and kind == "paragraph" and len(path) > 1:
            place = self._places.get((*self.part, *path), -1)
        if place is None:
            return "ambiguous"
        if place < 0 or self._units.get(place, kind) not in (kind, ""):
            return "no such section"
        return place
