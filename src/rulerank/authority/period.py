"""The first and the last day of a change, as its text names them: "From 1 May 2020, Rule 2 is repealed"."""

from __future__ import annotations

import re
from bisect import bisect_right
from calendar import monthrange
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from rulerank.text import visible

_YEAR, _LONGEST = 12, 31
"""Months of a year, and days of a month."""
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()  # noqa: SIM905
_MONTH = (
    r"(?i:(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?"
    r"|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b\.?)"
)
_NUMBER = r"\d{1,2}(?:st|nd|rd|th)?"
_DATE = r"(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,? )?(?:{})".format(
    "|".join(
        (
            rf"(?P<day>{_NUMBER})(?: day)?(?: of)? (?P<month>{_MONTH}),? (?P<year>\d{{4}})\b",
            rf"(?P<month_first>{_MONTH}) (?P<day_after>{_NUMBER}),? (?P<year_last>\d{{4}})\b",
            r"(?P<iso>\d{4}[-/.]\d{2}[-/.]\d{2})(?!\d)",
            r"(?P<one>\d{1,2})[-/.](?P<other>\d{1,2})[-/.](?P<in_year>\d{4})(?!\d)",
        )
    )
)
_ONLY_MONTH = rf"(?P<whole_month>{_MONTH}) (?P<of_year>\d{{4}})\b"
_ON = r"(?:on and from|on and after|from and including|as from|from|as of|on)"
_OWN = (
    rf"(?:effect {_ON}|effective(?: {_ON})?|(?:commences|commencing|begins|beginning) {_ON}"
    rf"|(?:comes?|enters?|brought) into (?:force|effect|operation) {_ON})"
)
_ANY = rf"(?:{_OWN}|commencing|beginning|on and after|on and from|from(?: and including)?|as of|as from)"
_SINCE, _IN_FORCE = (
    re.compile(rf"(?i:\b{lead}(?P<end> the end of)?)(?: the)? (?:{_DATE}|{_ONLY_MONTH})")
    for lead in (_ANY, _OWN)
)
_OPENING = re.compile(rf"^(?i:on|(?P<end>after|at the end of))(?: the)? (?:{_DATE}|{_ONLY_MONTH})")
"""A day that opens the sentence of the change."""
_UNTIL = re.compile(
    r"(?:^|\0 |\b(?:effect|repealed|revoked|suspended|disapplied) )"
    rf"(?i:until)(?: and including| the end of)? (?:{_DATE})"
)
_THEN_UNTIL = re.compile(rf",? (?:until|to|up to)(?: and including| the end of)?(?: the)? (?:{_DATE})")
_KOREAN = r"(?P<year>\d{4})(?:년|\.) ?(?P<month>\d{1,2})(?:월|\.) ?(?P<day>\d{1,2})(?:일|\.)"
_KOREAN_SINCE = re.compile(rf"{_KOREAN} ?부터")
_KOREAN_IN_FORCE = re.compile(rf"{_KOREAN} ?부터 (?:시행|효력)")
_KOREAN_UNTIL = re.compile(rf"(?:^(?=[^까]{{1,20}}까지(?:,| 제\d| 「))|부터 ){_KOREAN} ?까지")

_QUOTED = re.compile(r"“[^“”]*”|\"[^\"]*\"|(?<!\w)‘[^‘’]*’(?!\w)|(?<!\w)'[^']*'(?!\w)")
_FULL_STOP = re.compile(r"[.!?] (?=[A-Z(\0])|다\. ")


def stated_since(text: str, evidence: str = "") -> date | None:
    """Return the first day that a text names as its own beginning, if it names one.

    Parameters
    ----------
    text : str
        A passage that changes another. A date inside quotation marks is part of the rule that it changes.
    evidence : str
        The words of the text that state the change. A date in their sentence comes first; in another
        sentence, only the day on which something takes effect counts.

    """
    sentence = amending(text, evidence).plain
    whole = amending(text, "").plain
    return (
        _first(_OPENING, sentence)
        or _first(_SINCE, sentence)
        or _first(_KOREAN_SINCE, sentence)
        or _first(_IN_FORCE, whole)
        or _first(_KOREAN_IN_FORCE, whole)
    )


def stated_until(text: str, evidence: str = "") -> date | None:
    """Return the last day of a change that a text limits in time, if it names one.

    Only a day that opens the sentence of the change counts, or one after its first day, or after the words
    that are put in place: "a permit held until 1 May 2020" says nothing about the change.
    """
    sentence = amending(text, evidence).plain
    if since := _SINCE.search(sentence):
        then = _THEN_UNTIL.match(sentence, since.end())
        if then and (day := _first(_THEN_UNTIL, then[0])):
            return day
    return _first(_UNTIL, sentence) or _first(_KOREAN_UNTIL, sentence)


@dataclass(frozen=True)
class Sentence:
    """A sentence, its white space collapsed.

    Parameters
    ----------
    text : str
        The sentence.
    plain : str
        The same with a NUL for every character of its quotations.

    """

    text: str
    plain: str


def amending(text: str, evidence: str) -> Sentence:
    """Return the sentence of a text that holds the evidence of a change, or all of the text if none does."""
    whole, words = (" ".join(visible(each).split()) for each in (text, evidence))
    plain = _QUOTED.sub(lambda quotation: "\0" * len(quotation[0]), whole)
    place = whole.find(words) if words else -1
    if place < 0:
        return Sentence(whole, plain)
    stops = [0, *(match.end() for match in _FULL_STOP.finditer(plain)), len(plain) + 1]
    last = bisect_right(stops, place)
    inside = slice(stops[last - 1], stops[last])
    return Sentence(whole[inside], plain[inside])


def _first(pattern: re.Pattern[str], text: str) -> date | None:
    """Return the first day that a pattern finds."""
    for found in pattern.finditer(text):
        try:
            return _day({name: said for name, said in found.groupdict().items() if said})
        except (ValueError, OverflowError):  # "From 45 June 2020"
            continue
    return None


def _day(named: Mapping[str, str]) -> date:
    """Return the day that is named, or the day after it if that is when something begins."""
    if "iso" in named:
        day = date(*map(int, re.split(r"\D", named["iso"])))
    elif "in_year" in named:
        day = _numeric(int(named["in_year"]), int(named["one"]), int(named["other"]))
    elif "whole_month" in named:
        day = date(int(named["of_year"]), _month(named["whole_month"]), 1)
    elif "day" in named:
        day = _calendar(int(named["year"]), _month(named["month"]), _number(named["day"]))
    else:
        day = _calendar(int(named["year_last"]), _month(named["month_first"]), _number(named["day_after"]))
    return day + timedelta(days=1) if "end" in named else day


def _calendar(year: int, month: int, day: int) -> date:
    """Return a day; the 31st of a shorter month is its last day: a slip puts no change in force now."""
    return date(year, month, min(day, monthrange(year, month)[1]) if day <= _LONGEST else day)


def _numeric(year: int, one: int, other: int) -> date:
    """Return the day of a date in numbers: if either could be the month, the later of the two days."""
    return max(date(year, month, day) for month, day in ((one, other), (other, one)) if month <= _YEAR)


def _month(word: str) -> int:
    return int(word) if word.isdigit() else _MONTHS.index(word[:3].lower()) + 1


def _number(day: str) -> int:
    return int(re.sub(r"\D", "", day))
