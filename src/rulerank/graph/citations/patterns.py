"""A grammar as compiled patterns."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from rulerank.graph.citations.grammar import Grammar
from rulerank.graph.citations.numbering import Style
from rulerank.graph.sections import Path

_NEVER = r"(?!)"
_LONGEST = 500
"""Numbers that one list may have: each of them has the whole list as its evidence."""
Ranges = tuple[tuple[Path, Path], ...]
"""First and last of each range of cited numbers; the last is empty for a single one."""


@dataclass(frozen=True)
class Start:
    """One way that a citation may begin."""

    kind: str
    """Group of the word of division, empty when it has none."""
    numbers: str
    """Group of the list of numbers."""
    code: str
    """Group of the short code right before the numbers, empty when it needs none."""


class Patterns:
    """The regular expressions of a grammar.

    Parameters
    ----------
    grammar : Grammar
        How one jurisdiction cites.

    """

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self.style = Style(grammar)
        self._kinds = {
            kind: re.compile(either(division.words), re.I) for kind, division in grammar.divisions.items()
        }
        self._joiner = either((*grammar.lists.ranges, *grammar.lists.joiners))
        self._range = re.compile(either(grammar.lists.ranges))
        self.ranges = lru_cache(maxsize=1 << 14)(self._ranges)
        self.kind = lru_cache(maxsize=1 << 10)(self._kind)
        self.starts: list[Start] = []
        self.citation = re.compile(rf"(?<![^\W_])(?<!\d\.)(?:{'|'.join(self._alternatives())})")
        words = either(word for division in grammar.divisions.values() for word in division.words)
        pointing = grammar.pointing
        self.of = re.compile(pointing.of)
        self.division = re.compile(rf"(?P<word>(?i:{words}))\s*(?P<number>{grammar.number})")
        alone = either(word for d in grammar.divisions.values() if d.restarts for word in d.words)
        self.alone = re.compile(rf"(?P<word>(?i:{alone}))\b(?!\s*{grammar.number})")
        self.this = re.compile(rf"(?:{either(pointing.this)})\Z")
        closing = grammar.names.closing
        self.own, self.own_before = _both(pointing.own, closing)
        self.same, self.same_before = _both(pointing.same, closing)
        self.foreign = re.compile(pointing.foreign or _NEVER)
        self.foreign_before = re.compile(rf"(?:{pointing.foreign_before or _NEVER})\Z")
        # Most citations have none of these before them, which one look says.
        words_before = either([*pointing.own, *pointing.same])
        self.pointed = re.compile(
            rf"(?<![A-Za-z])(?:{either(pointing.this)}|(?:{words_before})(?:{closing})"
            rf"|{pointing.foreign_before or _NEVER})\Z"
        )
        self.conventions = [re.compile(pattern) for pattern in grammar.names.conventions]
        self.join = re.compile(rf"(?:{either(grammar.lists.joiners)})\s*")
        self.items = {
            number: re.compile(rf"(?P<number>{number})|(?P<sub>{grammar.lists.continuation or _NEVER})")
            for number in {grammar.number, *(d.number for d in grammar.divisions.values() if d.number)}
            | {free.number for free in grammar.free if free.number}
        }

    def _kind(self, word: str) -> str:
        """Return the grammar's name of the division that `word` stands for, empty when it is none."""
        return next((kind for kind, words in self._kinds.items() if words.fullmatch(word)), "")

    def _ranges(self, numbers: str, kind: str) -> Ranges:
        """Return the paths that a list of numbers cites, each as deep as it is written."""
        division = self.grammar.divisions.get(kind)
        items = self.items[(division and division.number) or self.grammar.number]
        found: list[tuple[Path, Path]] = []
        last: Path = ()
        for before, item in pairwise((None, *items.finditer(numbers))):
            if item is None:
                continue
            path = self.style.parse(item[0])
            if item["sub"] and last:
                path = continued(last, path)
            if before and found and self._range.fullmatch(numbers[before.end() : item.start()].rstrip()):
                found[-1] = (found[-1][0], path)
            else:
                found.append((path, ()))
            last = path
        return tuple(found)

    def _alternatives(self) -> Iterable[str]:
        grammar = self.grammar
        shapes: dict[str, list[str]] = {}
        for division in grammar.divisions.values():
            shapes.setdefault(division.number or grammar.number, []).extend(division.words)
        for place, (number, words) in enumerate(shapes.items()):
            if words:
                kind = f"kind{place}"
                again = rf"(?i:(?P={kind}))s?"
                yield rf"(?P<{kind}>(?i:{either(words)}))\s*(?P<list{place}>{self._list(number, again)})"
                self.starts.append(Start(kind, f"list{place}", ""))
        if grammar.names.code:
            suffixes = either(map(re.escape, grammar.names.suffixes))
            code = rf"(?:{grammar.names.code})(?:\s+(?:{suffixes}))?"
            yield rf"(?P<code>{code}),?\s+(?P<coded>{self._list(grammar.number, _NEVER, relative=False)})"
            self.starts.append(Start("", "coded", "code"))
        for place, free in enumerate(grammar.free):
            space = r"\s+" if free.before else ""
            listed = self._list(free.number or grammar.number, _NEVER)
            yield rf"{free.before}{space}(?P<free{place}>{listed})"
            self.starts.append(Start("", f"free{place}", ""))

    def _list(self, number: str, again: str, *, relative: bool = True) -> str:
        lists = self.grammar.lists
        after = rf"(?!\s*(?:{either(lists.measures)}))"
        sub = lists.continuation or _NEVER
        first = rf"(?:{number}|{sub})" if relative and self.grammar.relative else number
        joined = either(lists.continuation_joiners) if lists.continuation_joiners else self._joiner
        further = rf"(?:(?:{self._joiner})\s*(?:{again})?\s*{number}|(?:{joined})[^\S\n]*(?:{sub})){after}"
        return rf"{first}{after}(?:{further}){{0,{_LONGEST}}}(?:{lists.range_end or ''})?"


def either(patterns: Iterable[str]) -> str:
    """Return a pattern of which any of the patterns is a match; of none, nothing is."""
    return "|".join(patterns) or _NEVER


def continued(last: Path, sub: Path) -> Path:
    """Return the path that `sub` makes of the one before: 2.1(1)(a) and (b) are 2.1(1)(a) and 2.1(1)(b).

    It takes the place of the last component that looks like its first, or follows the whole.
    """
    shape = _shape(sub[0])
    like = [place for place, part in enumerate(last) if place and _shape(part) == shape]
    return (*last[: like[-1]], *sub) if like else (*last, *sub)


def _shape(component: str) -> str:
    return re.sub(r"[a-z]+", "a", re.sub(r"\d+", "0", component))


def _both(words: Iterable[str], closing: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return the pattern of words after a citation, and of the same before one."""
    return re.compile(either(words)), re.compile(rf"(?:{either(words)})(?:{closing})\Z")
