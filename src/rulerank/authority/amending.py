"""The words of a text that make one change: their sentence, or their item with its lead-in."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from rulerank.authority.clauses import NUMBER, TARGET, parts_of
from rulerank.text import visible

_QUOTED = re.compile(r"“[^“”]*”|\"[^\"]*\"|(?<!\w)‘[^‘’]*’(?!\w)|(?<!\w)'[^']*'(?!\w)")
_FULL_STOP = re.compile(
    r"(?:(?<!have effect)[.!?]|(?<=have effect)[.!?](?! The \w+ (?:in|under|of) )) (?=[A-Z(\0])|다\. "
)
"""One change has two sentences: "Rule 2 ceases to have effect. The period in Rule 3 is six hours"."""
_CITED = re.compile(NUMBER)
_ABOUT = re.compile(
    r"(?<!under )(?<!with )(?<!by )(?<!to )(?<!of )(?!paragraph)" + TARGET.pattern, re.IGNORECASE
)
"""The rule that a sentence is about; "this Order, made under section 5" is about none."""
_BEGUN = re.compile(
    r"(?:\(\w+\) )?(?:(?:in|for|after|before|at the end of) )?(?:the )?(?:rule|regulation|section|article)s? "
    rf"{NUMBER}",
    re.IGNORECASE,
)


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
    parts = parts_of(plain)
    lead = parts.starts[0]
    if place - start < lead:
        return Sentence(whole, plain, plain)
    first, last = _around(place - start, parts.starts, end - start)
    shared = (slice(lead), slice(first, last), slice(max(last, parts.closing), None))
    said, blotted = ("".join(text[each] for each in shared) for text in (whole, plain))
    return Sentence(said, blotted, plain[first:last])


def announced(text: str, evidence: str) -> str:
    """Return a sentence that announces a change, and those after it until one begins with another rule.

    "Rule 1 is amended as follows. For “six” substitute “ten”. In Rule 2, …". All of the text if it does not
    hold the evidence.
    """
    cut = _cut(text)
    words = " ".join(visible(evidence).split())
    place = cut.whole.find(words) if words else -1
    if place < 0:
        return cut.whole
    own = {found["number"] for found in _CITED.finditer(words)}
    start, end = _around(place, cut.starts, len(cut.plain))
    for after, then in pairwise([*(each for each in cut.starts if each >= end), len(cut.plain)]):
        begun = _BEGUN.match(cut.plain, after)
        if begun and begun["number"] not in own:
            break
        end = then
    return cut.whole[start:end]


def apart(text: str) -> str:
    """Return the sentences of a text that are about no rule, their quotations blotted out."""
    cut = _cut(text)
    places = pairwise([*cut.starts, len(cut.plain)])
    return "".join(cut.plain[start:end] for start, end in places if not _ABOUT.search(cut.plain, start, end))


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


def _around(place: int, starts: Sequence[int], end: int) -> tuple[int, int]:
    """Return where the part that holds a place starts and ends."""
    after = bisect_right(starts, place)
    return starts[after - 1], starts[after] if after < len(starts) else end
