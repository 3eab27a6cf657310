"""Section ids as paths."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from rulerank.text import normalise

Path = tuple[str, ...]

# A component is a bracketed item, or the text between dots; `93)` loses its bracket.
_COMPONENT = re.compile(r"\([^()\s]+\)|[^.\s()]+(?:\s+[^.\s()]+)*")
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


def first_at(paths: Sequence[Path]) -> dict[Path, int]:
    """Return the place of each path.

    Of several passages with one section id, it is the first that its sub-sections follow, else the first. If
    items of a list were taken for sections, the Chapter 4 that 4.1 follows is not one of them.
    """
    places: dict[Path, int] = {}
    headed: set[Path] = set()
    for place, path in enumerate(paths):
        places.setdefault(path, place)
        following = paths[place + 1] if place + 1 < len(paths) else ()
        if path not in headed and len(following) > len(path) and following[: len(path)] == path:
            headed.add(path)
            places[path] = place
    return places
