"""The marks in a line of a reply, and what a model writes around them."""

from __future__ import annotations

import re
from typing import NamedTuple

# Possessive, so that no run of white space or digits is tried twice.
_NUMBER, _JOINT = r"\d{1,9}+", r"(?:\s*+[-–—,;&]\s*+|\s++)(?:and\s++)?+"
_NUMBERS = rf"P\s*+{_NUMBER}(?:{_JOINT}(?:P\s*+)?+{_NUMBER}|P\s*+{_NUMBER})*+"
_OPENING, _CLOSING = r"\\?[\[【［]", r"\\?[\]】］]"
_SOURCE = r"(?:(?:see|source|passage)s?+:?+\s++)?+"
_PLACE = r"(?::[^\[\]【】［］\n]{0,120}+)?+"
_LINK = r"(?:\((?:#|https?:)[^()\s]{0,200}+\))?+"
_BOLD = r"(?:\*\*)?+"
_MARK = re.compile(rf"(?i:{_OPENING}\s*+{_BOLD}{_SOURCE}({_NUMBERS})\s*+{_BOLD}{_PLACE}{_CLOSING}{_LINK})")
# A small letter may count pages, and beside other marks "(P1)" is a word of the rule.
_IN_PLAIN_BRACKETS = re.compile(rf"\((?i:{_SOURCE})({_NUMBERS})\s*+\)")
_CITED = re.compile(rf"(?P<range>[-–—]\s*+(?:P\s*+)?+)?+(?P<number>{_NUMBER})", re.IGNORECASE)

_HERE = "\0"
"""What stands in a line in place of its marks; `printable` has left no other."""
_DEBRIS = tuple(
    (re.compile(pattern, re.IGNORECASE), by)
    for pattern, by in (
        (rf"{_HERE}(?:(?: ?[,;&]| and|(?= ?{_HERE})) ?{_HERE})++", _HERE),
        (rf"<sup> ?{_HERE} ?</sup>|[*_]{_HERE}[*_]", _HERE),
        (rf"[(\[] ?{_SOURCE}{_HERE} ?[)\]]", _HERE),
        (rf"(?<!\w)(?:sources?|citations?|see):? {_HERE}", _HERE),
        (
            r"(?<!\w)(?:as (?:stated|set out|provided|required|described|specified|noted) (?:in|by|under)"
            rf"|according to|in accordance with|pursuant to|under|per) {_HERE},?",
            _HERE,
        ),
        (rf"^([^\w{_HERE}]*+){_HERE} (?:says|states|provides|notes|specifies|stipulates)(?: that|:) ", r"\1"),
        (rf"(?<=[.;!?]) ?{_HERE} ?[.;,]$| [-–—] ?{_HERE}$", ""),
        (rf" ?{_HERE}(?: ?(?=[.;,:])|$)|{_HERE}", ""),
    )
)
"""What a model writes around a mark, and what stays of it, in a line of single spaces."""


class Cited(NamedTuple):
    """A line without its marks, and the numbers of the sources that they name."""

    words: str
    numbers: list[int]


def cited(line: str, most: int) -> Cited:
    """Return what a line says and cites, `most` being the number of sources.

    Words that only lead to a mark, such as "as stated in", are left out with it.
    """
    mark = _MARK if _MARK.search(line) else _IN_PLAIN_BRACKETS
    numbers = [each for found in mark.finditer(line) for each in _numbers(found[1], most)]
    words = " ".join(mark.sub(_HERE, line).replace("**", "").split())
    for pattern, by in _DEBRIS if numbers else ():
        words = pattern.sub(by, words)
    return Cited(" ".join(words.split()), numbers)


def only_cites(line: str) -> bool:
    """Whether a line consists of marks."""
    words, numbers = cited(line, 0)
    return bool(numbers) and not re.search(r"\w", words)


def _numbers(marked: str, most: int) -> list[int]:
    """Return the numbers of a mark; a range has all up to its end, as far as there are sources."""
    numbers: list[int] = []
    for found in _CITED.finditer(marked):
        number = int(found["number"])
        if found["range"] and numbers:
            numbers += range(numbers[-1] + 1, min(number, most + 1))
        numbers.append(number)
    return numbers
