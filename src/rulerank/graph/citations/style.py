"""How sections are written in a jurisdiction."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

from rulerank.graph.citations.grammar import Grammar
from rulerank.graph.sections import Path, parse
from rulerank.text import normalise, visible

LETTERED = re.compile(r"[a-z]{1,2}\d")
"""A number that carries the letter of its division: A4."""


class Style:
    """How sections are written in a jurisdiction.

    Parameters
    ----------
    grammar : Grammar
        Its divisions and sections.

    """

    def __init__(self, grammar: Grammar) -> None:
        self.divisions = grammar.divisions
        self.sub = re.compile(grammar.sections.sub)
        self._component = re.compile(grammar.sections.component) if grammar.sections.component else None
        self._spelling = grammar.sections.spelling
        self.labels = {
            kind: re.compile(division.label) for kind, division in grammar.divisions.items() if division.label
        }
        self.units = {
            kind: re.compile(division.units) for kind, division in grammar.divisions.items() if division.units
        }
        self._levels = [re.compile(level) for level in grammar.sections.levels]
        self.parse = lru_cache(maxsize=1 << 16)(self._parse)
        self.kind = lru_cache(maxsize=1 << 16)(self._kind)

    def _kind(self, component: str) -> str:
        """Return the labelled division that a component is, or an empty string if it is none."""
        return next((kind for kind, label in self.labels.items() if label.fullmatch(component)), "")

    def shorten(self, path: Path) -> Path:
        """Return `path` without the divisions that a citation may leave out."""
        return tuple(
            part
            for part, following in pairwise((*path, ""))
            if not following or not self._elided(part, following)
        )

    def _elided(self, part: str, following: str) -> bool:
        kind = self.kind(part)
        elided = self.divisions[kind].elided if kind else "never"
        return elided == "always" or (elided == "lettered" and bool(LETTERED.match(following)))

    def continued(self, last: Path, sub: Path) -> Path:
        """Return the path that `sub` makes of the one before: 2.1(1)(a) and (b) are 2.1(1)(a) and 2.1(1)(b).

        It replaces everything from the last component that looks like its first, or follows the whole path.
        """
        return self.continuations(last, sub)[-1]

    def continuations(self, path: Path, sub: Path) -> list[Path]:
        """Return the paths that `sub` may stand for next to `path`, the shortest first."""
        if self._levels:
            start = self.start(path)
            depths = range(min(len(path) - start, len(self._levels) - len(sub)) + 1)
            fitting = [(*path[: start + depth], *sub) for depth in depths if self._fits(sub, depth)]
            return fitting or [(*path, *sub)]
        shape = _shape(sub[0])
        like = [place for place, part in enumerate(path) if place and _shape(part) == shape]
        return [(*path[: like[-1]], *sub) if like else (*path, *sub)]

    def inside(self, section: Path, sub: Path) -> Path:
        """Return the path of a part of a section; after another part, its shape may give its depth."""
        return self.continued(section, sub) if self._levels else (*section, *sub)

    @property
    def by_level(self) -> bool:
        """Whether the shape of a number in brackets gives its depth, as in a code of regulations."""
        return bool(self._levels)

    def start(self, path: Path) -> int:
        """Return where in `path` the components begin that are inside a section."""
        return next((place for place, part in enumerate(path) if self.sub.fullmatch(part)), len(path))

    def _fits(self, sub: Path, depth: int) -> bool:
        shapes = zip(self._levels[depth:], sub, strict=False)
        return all(shape.fullmatch(part) for shape, part in shapes)

    def _parse(self, section: str) -> Path:
        if self._component is None:
            return parse(section)
        # The case of (a) and (A) shows how deep they are.
        written = " ".join(visible(section).split()) if self._levels else normalise(section)
        found = ["".join(part.split()) for part in self._component.findall(written)]
        found = [part if self.sub.fullmatch(part) else part.casefold() for part in found]
        for spelt, kept in self._spelling.items():
            found = [part.replace(spelt, kept) for part in found]
        return tuple(found)


def _shape(component: str) -> str:
    return re.sub(r"[a-z]+", "a", re.sub(r"\d+", "0", component))
