"""Days as texts write them: 1 May 2020, May 1, 2020, 2020-05-01, 2020년 5월 1일."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import date, timedelta

_YEAR, _LONGEST = 12, 31
"""Months of a year, and days of a month."""
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()  # noqa: SIM905
_MONTH = (
    r"(?i:(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?"
    r"|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b\.?)"
)
_NUMBER = r"\d{1,2}(?:st|nd|rd|th)?"
DATE = r"(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,? )?(?:{})".format(
    "|".join(
        (
            rf"(?P<day>{_NUMBER})(?: day)?(?: of)? (?P<month>{_MONTH}),? (?P<year>\d{{4}})\b",
            rf"(?P<month_first>{_MONTH}) (?P<day_after>{_NUMBER}),? (?P<year_last>\d{{4}})\b",
            r"(?P<iso>\d{4}[-/.]\d{2}[-/.]\d{2})(?!\d)",
            r"(?P<one>\d{1,2})[-/.](?P<other>\d{1,2})[-/.](?P<in_year>\d{4})(?!\d)",
        )
    )
)
ONLY_MONTH = rf"(?P<whole_month>{_MONTH}) (?P<of_year>\d{{4}})\b"
KOREAN = r"(?P<year>\d{4})(?:년|\.) ?(?P<month>\d{1,2})(?:월|\.) ?(?P<day>\d{1,2})(?:일|\.)"


def days(pattern: re.Pattern[str], text: str) -> Iterator[date]:
    """Yield the days that a pattern finds by its groups, which are those of `DATE`, `ONLY_MONTH` or `KOREAN`.

    A further group `end` makes it the day after, `before` the day before.
    """
    return (day for _, day in dated_words(pattern, text))


def dated_words(pattern: re.Pattern[str], text: str) -> Iterator[tuple[re.Match[str], date]]:
    """Yield what a pattern finds with the day that it names, as `days` does."""
    for found in pattern.finditer(text):
        if day := day_of(found):
            yield found, day


def day_of(found: re.Match[str]) -> date | None:
    """Return the day that a match names by its groups, None if the calendar has no such day."""
    # "From 45 June 2020"
    with suppress(ValueError, OverflowError):
        return _day({name: said for name, said in found.groupdict().items() if said})
    return None


def _day(named: Mapping[str, str]) -> date:
    """Return the day that is named, or the one after or before it if that is the one meant."""
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
    return day + timedelta(days=("end" in named) - ("before" in named))


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
