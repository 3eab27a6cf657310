"""The parts of a sentence that changes several rules: its items, or its clauses between semicolons."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from rulerank.authority.days import DATE

_ITEM = re.compile(r"(?:^|(?<=[.;:,—–]) ?(?:and |or )?)(?=\((?:[a-z]{1,4}|\d{1,2})\) (?!(?:and|or|to|of)\b))")
"""What is before an item. "For paragraphs (a), (b) and (c)" has none."""
_CLAUSE = re.compile(r"; |(?<=[고며로]), (?=제 ?\d)")
NUMBER = r"(?P<number>\d[\w.-]*\w|\d)"
TARGET = re.compile(
    r"(?:\b(?:rule|regulation|section|article|paragraph|clause|part|chapter|schedule)"
    rf"(?:s (?!(?:19|20)\d\d\b)| )){NUMBER}|제 ?(?P<article>\d+조(?:의 ?\d+)?)",
    re.IGNORECASE,
)
"""A rule, or a part of one, with its number; "the Rules 2029" have a year."""
_SAVING = re.compile(r"(?:\(\w+\) )?(?:but|except|save|provided|unless)\b")
_CLOSING = re.compile(
    r", (?:as from|from|with effect|on|until|in so far|so far|insofar|to the extent|except|unless|where|if"
    r"|when|in relation|in respect)\b"
)
"""Words after the last item that may be about all."""
_OPENING_DAY = re.compile(
    r"(?:[^,;]{1,80}, )?(?i:on|after|from|as from|as of|effective|with effect(?: on and)? from)(?: the)? "
    rf"{DATE},? "
)
"""A day before the first rule; a comma may be part of it."""
_ALL = re.compile(r", (?:both|all|each|in (?:each|both) cases?)\b")


class Parts(NamedTuple):
    """Where the parts of a sentence start, and where the words start that close all of them."""

    starts: list[int]
    closing: int


@lru_cache(maxsize=64)
def parts_of(sentence: str) -> Parts:
    """Divide a sentence by the rules that it names.

    What is before the first part leads in all: the words before the first item, an opening day, or the words
    before the first comma if no rule is named there. What follows the last item may close all: "(a) …; (b) …,
    so far as they apply to tugs".
    """
    items = [found.end() for found in _ITEM.finditer(sentence)]
    comma = sentence.find(",") + 1
    lead = items[0] if items else 0 if TARGET.search(sentence, 0, comma) else comma
    if not items and (day := _OPENING_DAY.match(sentence)):
        lead = day.end()
    clauses = [found.end() for found in _CLAUSE.finditer(sentence, lead)]
    starts, known = [lead], set[str]()
    for each, then in pairwise(sorted({lead, *items, *clauses, len(sentence)})):
        named = {found["number"] or found["article"] for found in TARGET.finditer(sentence, each, then)}
        if known and named - known and not _SAVING.match(sentence, each):
            starts.append(each)
        known = named or known
    closed = (found.start() for found in _CLOSING.finditer(sentence, items[-1] if items else len(sentence)))
    closing = next((each for each in closed if not TARGET.search(sentence, each)), len(sentence))
    if every := _ALL.search(sentence, starts[-1]):
        closing = min(closing, every.start())
    return Parts(starts, closing)
