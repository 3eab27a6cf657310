"""Where the sentences of a regulation end, despite citations, abbreviations and markers of items.

`rulerank.text.sentences` is what features count and keeps its results. This module reads more closely and
keeps places.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulerank.text import MARKER, UNSPACED

_END = re.compile(
    r"[.!?؟。！？][\"'”’)\]]*"
    rf"(?: (?=[\"'“‘(\[]*[^\W_a-z])|(?<=[。！？])(?=[{UNSPACED}])|(?<=[a-z]{{3}}\.)(?=[A-Z][a-z]*,? ))"
)
"""The mark that ends a sentence, and the space after it, which may be missing: "records.A firm must"."""
_BEFORE = re.compile(r"(?:(?<=\W)|^)(?:\w\.)*\w+$")
_LABELLED = re.compile(
    r"(?<=[ (])(?:Annex|Appendix|Category|Chapter|Class|Division|Form|Group|Model|Part|Regulation|Schedule"
    r"|Section|Table|Tier|Type|Zone) [A-Z]$"
)
"""A letter that names something, unlike an initial, and does not number a heading: "by Regulation B"."""
_NUMBERED = re.compile(r"[§([]*(?:\d|[IVXLC]+\b|[A-Za-z]\b)")
_FIRST_WORD = re.compile(r"[\"'“‘(\[]*(\w+)")
_KOREAN_DAY = re.compile(r"(?<!\d)\d{4}\. ?\d{1,2}\. ?\d{1,2}\.")
"""A day whose full stops end no sentence: "2019. 1. 8."."""
_LONGEST = 16
"""Characters before a full stop that are examined: no abbreviation is longer."""

_ALWAYS = frozenset("e.g i.e cf vs viz mr mrs ms dr prof messrs".split())  # noqa: SIM905
"""Abbreviations that do not end a sentence."""
_CITING = frozenset(
    """no nos art arts sec secs sect para paras subpara reg regs r rr s ss cl ch chap pt sch vol
    fig figs p pp app ann tit div ord c
    stat pub jan feb mar apr jun jul aug sep sept oct nov dec""".split()  # noqa: SIM905
)
"""Abbreviations that do not end a sentence before a number or a single letter."""
_COMPANY = frozenset("inc ltd co corp plc st approx incl etc al seq dept govt".split())  # noqa: SIM905
_OPENING = frozenset(
    """The A An If Where When No Any Each Every This That These Those In For It Its Such However
    Unless Except Subject All Nothing Provided On At By To As They He She We You Both Neither Either
    Before After Upon Under Until There Certain Some""".split()  # noqa: SIM905
)
"""Words that open a sentence and are seldom part of a name."""


def sentence_spans(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the sentences of text[start:end], a line without runs of white space, as places in `text`."""
    opened = start
    within = {place for day in _KOREAN_DAY.finditer(text, start, end) for place in range(*day.span())}
    for match in _END.finditer(text, start, end):
        if match[0][0] == "." and _stays_open(text, opened, match.start(), match.end()):
            continue
        if match.start() in within:
            continue
        yield opened, match.end() - (match[0][-1] == " ")
        opened = match.end()
    if opened < end:
        yield opened, end


def cites(text: str, start: int, stop: int, after: int) -> bool:
    """Whether the full stop at `stop` is that of "No. (7)"; `start` and `after` are as far as one looks."""
    return _word_before(text, start, stop) in _CITING and _NUMBERED.match(text, after) is not None


def _word_before(text: str, start: int, stop: int) -> str:
    """Return the word before a full stop, its case folded."""
    word = _BEFORE.search(text[max(start, stop - _LONGEST) : stop])
    return word[0].casefold() if word else ""


def _stays_open(text: str, start: int, stop: int, after: int) -> bool:
    """Whether the full stop at `stop` belongs to a marker, an abbreviation, initials or "Harbour.Net"."""
    if MARKER.fullmatch(text, start, stop + 1):
        return True
    token = _word_before(text, start, stop)
    if token in _ALWAYS or cites(text, start, stop, after):
        return True
    labelled = _LABELLED.search(text[max(start, stop - _LONGEST) : stop])
    initials = "." in token or (len(token) == 1 and token.isalpha() and not labelled)
    first = _FIRST_WORD.match(text, after)
    glued = text[after - 1] == "."
    return (initials or glued or token in _COMPANY) and not (first and first[1] in _OPENING)
