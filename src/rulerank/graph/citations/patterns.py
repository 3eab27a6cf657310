"""A grammar as compiled patterns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain, pairwise

from rulerank.graph.citations.grammar import Grammar
from rulerank.graph.citations.style import Style
from rulerank.graph.sections import Path

_NEVER = r"(?!)"
_LONGEST = 500
"""The most numbers that one list can have, because each of them has the whole list as its evidence."""
Ranges = tuple[tuple[Path, Path], ...]
"""First and last of each range of cited numbers; the last is empty for a single one."""


@dataclass(frozen=True, eq=False)
class Shape:
    """Divisions whose numbers are written in the same way.

    Parameters
    ----------
    number : str
        The pattern of their numbers.
    words : mapping of str to tuple of str
        The patterns of each division's words, by the grammar's name of the division.
    sub : str
        The pattern of a continuation.

    """

    number: str
    words: Mapping[str, tuple[str, ...]]
    sub: str

    @property
    def word(self) -> str:
        """The pattern of any of their words."""
        return rf"(?i:{either(chain.from_iterable(self.words.values()))})"

    @cached_property
    def items(self) -> re.Pattern[str]:
        """The items that make up a list of such numbers."""
        return re.compile(rf"(?P<number>{self.number})|(?P<sub>{self.sub})")

    @cached_property
    def kinds(self) -> dict[str, re.Pattern[str]]:
        """The words of each division."""
        return {kind: re.compile(either(words), re.I) for kind, words in self.words.items()}


@dataclass(frozen=True)
class Start:
    """One way in which a citation may begin."""

    shape: Shape
    kind: str
    """Group of the word for the division, empty if it has none."""
    numbers: str
    """Group of the list of numbers."""
    code: str = ""
    """Group of the short code right before the numbers, empty if it needs none."""


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
        self._sub = grammar.lists.continuation or _NEVER
        by_number: dict[str, dict[str, tuple[str, ...]]] = {}
        for kind, division in grammar.divisions.items():
            number = division.number or grammar.number
            shape = rf"(?:{number}|{division.also})" if division.also else number
            by_number.setdefault(shape, {})[kind] = division.words
        self._shapes = [Shape(number, words, self._sub) for number, words in by_number.items()]
        self._joiner = either((*grammar.lists.ranges, *grammar.lists.joiners))
        self._range = re.compile(either(grammar.lists.ranges))
        self.ranges = lru_cache(maxsize=1 << 14)(self._ranges)
        self.starts: list[Start] = []
        self.citation = re.compile(rf"(?<![^\W_])(?<!\d\.)(?:{'|'.join(self._alternatives())})")
        pointing = grammar.pointing
        self.of = re.compile(pointing.of)
        self._division = re.compile(
            either(
                rf"(?P<word{place}>{shape.word})\s*(?P<number{place}>{shape.number})"
                for place, shape in enumerate(self._shapes)
            )
        )
        alone = either(word for d in grammar.divisions.values() if d.restarts for word in d.words)
        self._alone = re.compile(rf"(?P<word>(?i:{alone}))\b(?!\s*{grammar.number})")
        self.this = re.compile(rf"(?:{either(pointing.this)})\Z")
        closing = grammar.names.closing
        self.own, self.own_before = _both(pointing.own, closing)
        self.same, self.same_before = _both(pointing.same, closing)
        self.in_that = re.compile(pointing.in_that or _NEVER)
        self.same_section = re.compile(rf"(?:{pointing.same_section or _NEVER})\Z")
        self.foreign = re.compile(pointing.foreign or _NEVER)
        self.foreign_before = re.compile(rf"(?:{pointing.foreign_before or _NEVER})\Z")
        # Most citations have none of these before them; a single search shows this.
        words_before = either([*pointing.own, *pointing.same])
        self.pointed = re.compile(
            rf"(?<![A-Za-z])(?:{either(pointing.this)}|(?:{words_before})(?:{closing})"
            rf"|{pointing.foreign_before or _NEVER})\Z"
        )
        self.conventions = [re.compile(pattern) for pattern in grammar.names.conventions]
        self.inside = re.compile(pointing.inside or _NEVER)
        self._excepting = re.compile(grammar.excepting.clause or _NEVER)
        self.join = re.compile(rf"(?:{either(grammar.lists.joiners)})\s*")
        self.hanging = re.compile(rf"(?:{pointing.hanging or _NEVER})(?:{either(grammar.lists.joiners)})\s*")

    def kind(self, word: str, shape: Shape | None = None) -> str:
        """Return the grammar's name of the division that `word` stands for, empty if there is none."""
        for each in [shape] if shape else self._shapes:
            for kind, words in each.kinds.items():
                if words.fullmatch(word):
                    return self.grammar.divisions[kind].cites or kind
        return ""

    def division_at(self, text: str, place: int) -> tuple[str, Path, int] | None:
        """Return kind, number and end of the division that `text` names at `place`, or None."""
        if found := self._division.match(text, place):
            which = next(i for i in range(len(self._shapes)) if found[f"number{i}"] is not None)
            kind = self.kind(found[f"word{which}"], self._shapes[which])
            return kind, self.style.parse(found[f"number{which}"]), found.end()
        if found := self._alone.match(text, place):
            return self.kind(found["word"]), (), found.end()
        return None

    def past_exception(self, text: str, end: int) -> int:
        """Return where a text goes on after what it excepts: "rules 1 to 4, except rule 2, of the Act"."""
        excepted = self._excepting.match(text, end)
        return excepted.end() if excepted else end

    def _ranges(self, numbers: str, shape: Shape) -> Ranges:
        """Return the paths that a list of numbers cites, each as deep as written."""
        found: list[tuple[Path, Path]] = []
        last: Path = ()
        for before, item in pairwise((None, *shape.items.finditer(numbers))):
            if item is None:
                continue
            path = self.style.parse(item[0])
            if last and (item["sub"] or self.style.start(path) == 0):
                path = self.style.continued(last, path)
            if before and found and self._range.fullmatch(numbers[before.end() : item.start()].rstrip()):
                found[-1] = (found[-1][0], path)
            else:
                found.append((path, ()))
            last = path
        return tuple(found)

    def _alternatives(self) -> Iterable[str]:
        grammar = self.grammar
        for place, shape in enumerate(self._shapes):
            if any(shape.words.values()):
                kind = f"kind{place}"
                again = rf"(?i:(?P={kind}))s?"
                listed = self._list(shape.number, again, relative=grammar.relative)
                yield rf"(?P<{kind}>{shape.word})\s*(?P<list{place}>{listed})"
                self.starts.append(Start(shape, kind, f"list{place}"))
        if grammar.names.code:
            suffixes = either(map(re.escape, grammar.names.suffixes))
            code = rf"(?:{grammar.names.code})(?:\s+(?:{suffixes}))?"
            number = grammar.names.number or grammar.number
            yield rf"(?P<code>{code}),?\s+(?P<coded>{self._list(number, _NEVER, relative=False)})"
            self.starts.append(Start(Shape(number, {}, self._sub), "", "coded", "code"))
        for place, free in enumerate(grammar.free):
            space = r"\s+" if free.before else ""
            number = free.number or grammar.number
            listed = self._list(number, _NEVER, relative=grammar.relative and not free.before)
            yield rf"{free.before}{space}(?:{free.preceded})(?P<free{place}>{listed})"
            self.starts.append(Start(Shape(number, {}, self._sub), "", f"free{place}"))

    def _list(self, number: str, again: str, *, relative: bool) -> str:
        lists = self.grammar.lists
        after = rf"(?!\s*(?:{either(lists.measures)}))"
        first = rf"(?:{number}|{self._sub})" if relative else number
        joined = either(lists.continuation_joiners) if lists.continuation_joiners else self._joiner
        # "Despite rule 1, rule 2 …" is no list: after a comma alone, the word begins another citation, which
        # shares the words of a relation if the grammar says how.
        apart = "(?<![,;])" if self.grammar.shared.last else ""
        another = rf"(?:{self._joiner})(?:{apart}\s*{again})?\s*{number}"
        further = rf"(?:{another}|(?:{joined})[^\S\n]*(?:{self._sub})){after}"
        return rf"{first}{after}(?:{further}){{0,{_LONGEST}}}(?:{lists.range_end or ''})?"


def either(patterns: Iterable[str]) -> str:
    """Return a pattern that matches whatever any of the patterns matches; without patterns, nothing."""
    return "|".join(patterns) or _NEVER


def _both(words: Iterable[str], closing: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return the pattern of the words after a citation, and of the same words before one."""
    return re.compile(either(words)), re.compile(rf"(?:{either(words)})(?:{closing})\Z")
