"""The words of a text that make one change: their sentence, or their item with its lead-in."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from rulerank.text import visible

_QUOTED = re.compile(r"“[^“”]*”|\"[^\"]*\"|(?<!\w)‘[^‘’]*’(?!\w)|(?<!\w)'[^']*'(?!\w)")
_FULL_STOP = re.compile(
    r"(?:(?<!have effect)[.!?]|(?<=have effect)[.!?](?! The \w+ (?:in|under|of) )) (?=[A-Z(\0])|다\. "
)
"""One change has two sentences: "Rule 2 ceases to have effect. The period in Rule 3 is six hours"."""
_ITEM = re.compile(r"(?:^|(?<=[.;:,—–]) ?(?:and |or )?)(?=\((?:[a-z]{1,4}|\d{1,2})\) (?!(?:and|or|to|of)\b))")
"""What is before an item. "For paragraphs (a), (b) and (c)" has none."""
_CLAUSE = re.compile(r"; ")
_TARGET = re.compile(
    r"\b(?:rule|regulation|section|article|paragraph|clause|part|chapter|schedule)s? (?=\d)|제 ?(?=\d)",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d[\w.-]*\w|\d")


@dataclass(frozen=True)
class Sentence:
    """The words of a change, their white space collapsed.

    Parameters
    ----------
    text : str
        A sentence, or the part of it that makes the change, after the words that it shares with other parts.
    plain : str
        The same with a NUL for every character of its quotations.
    own : str
        As `plain`, without the words that are shared.

    """

    text: str
    plain: str
    own: str


def amending(text: str, evidence: str = "") -> Sentence:
    """Return what a text says of one change, or all of the text if that does not hold the evidence.

    That is a sentence. If it changes several rules, in items or in clauses between semicolons, it is the part
    with the evidence, after what leads in all parts: "From 1 May 2020— (a) …; (b) …".

    Parameters
    ----------
    text : str
        The passage that changes another.
    evidence : str, optional
        The words that say so.

    """
    cut = _cut(text)
    words = " ".join(visible(evidence).split())
    place = cut.whole.find(words) if words else -1
    if place < 0:
        return Sentence(cut.whole, cut.plain, cut.plain)
    start, end = _around(place, cut.starts, len(cut.plain))
    whole, plain = cut.whole[start:end], cut.plain[start:end]
    parts = _parts(plain)
    lead = parts[0]
    if place - start < lead:
        return Sentence(whole, plain, plain)
    first, last = _around(place - start, parts, end - start)
    return Sentence(whole[:lead] + whole[first:last], plain[:lead] + plain[first:last], plain[first:last])


def announced(text: str, evidence: str) -> str:
    """Return a sentence that announces a change, and those after it until one names another rule.

    "Rule 1 is amended as follows. For “six” substitute “ten”. In Rule 2, …". All of the text if it does not
    hold the evidence.
    """
    cut = _cut(text)
    words = " ".join(visible(evidence).split())
    place = cut.whole.find(words) if words else -1
    if place < 0:
        return cut.whole
    own = set(_NUMBER.findall(words))
    start, end = _around(place, cut.starts, len(cut.plain))
    for after, then in pairwise([*(each for each in cut.starts if each >= end), len(cut.plain)]):
        named = {_number(cut.plain, found.end()) for found in _TARGET.finditer(cut.plain, after, then)}
        if named - own:
            break
        end = then
    return cut.whole[start:end]


def _number(plain: str, place: int) -> str:
    found = _NUMBER.match(plain, place)
    return found[0] if found else ""


@dataclass(frozen=True)
class _Cut:
    """A text, collapsed, its quotations blotted out, and where its sentences start."""

    whole: str
    plain: str
    starts: tuple[int, ...]


# Each rule that a text changes asks for its own part of it.
@lru_cache(maxsize=64)
def _cut(text: str) -> _Cut:
    whole = " ".join(visible(text).split())
    plain = _QUOTED.sub(lambda quotation: "\0" * len(quotation[0]), whole)
    return _Cut(whole, plain, (0, *(match.end() for match in _FULL_STOP.finditer(plain))))


@lru_cache(maxsize=64)
def _parts(sentence: str) -> list[int]:
    """Return where the parts of a sentence start; one that names no rule goes on with the rule before it.

    What is before the first of them leads in all: the words before the first item, or before the first comma
    if no rule is named there: "From 1 May 2020, …".
    """
    items = [found.end() for found in _ITEM.finditer(sentence)]
    comma = sentence.find(",") + 1
    lead = items[0] if items else 0 if _TARGET.search(sentence, 0, comma) else comma
    clauses = [found.end() for found in _CLAUSE.finditer(sentence, lead)]
    starts = sorted({*items, *clauses, len(sentence)})
    return [
        lead,
        *(each for each, then in pairwise(starts) if each > lead and _TARGET.search(sentence, each, then)),
    ]


def _around(place: int, starts: Sequence[int], end: int) -> tuple[int, int]:
    """Return where the part that holds a place starts and ends."""
    after = bisect_right(starts, place)
    return starts[after - 1], starts[after] if after < len(starts) else end
