"""The dates of a text, in words or in digits."""

from __future__ import annotations

import re
from collections.abc import Iterator

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            ("January", "Jan"),
            ("February", "Feb"),
            ("March", "Mar"),
            ("April", "Apr"),
            ("May",),
            ("June", "Jun"),
            ("July", "Jul"),
            ("August", "Aug"),
            ("September", "Sept", "Sep"),
            ("October", "Oct"),
            ("November", "Nov"),
            ("December", "Dec"),
        ),
        start=1,
    )
    for name in names
}
# A month begins with a capital: "paragraph 3 may" names no day, and "PARAGRAPH 3 MAY" need not.
_CAPITALS = [name.upper() for name in _MONTHS if name != "May"]
_MONTH = "|".join(sorted([*_MONTHS, *_CAPITALS], key=len, reverse=True))
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
DATE = "|".join(
    (
        r"(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})",
        r"(?P<day_slashed>0?[1-9]|[12]\d|3[01])/(?P<month_slashed>0?[1-9]|1[0-2])/(?P<year_slashed>\d{4})\b",
        rf"(?P<day_first>{_DAY})\s+(?:day\s+of\s+)?(?P<month_after>{_MONTH})\b\.?(?:,?\s+(?P<year_after>\d{{4}}))?",
        rf"(?P<month_first>{_MONTH})\b\.?\s+(?P<day_after>{_DAY})\b(?:,?\s+(?P<year_last>\d{{4}}))?",
        rf"(?P<month_alone>{_MONTH})\b\.?,?\s+(?P<year_alone>\d{{4}})",
    )
)
"""Pattern of a date; "30/06/2025" has the day first. Its groups have names, so a pattern may hold it once."""


def dates(match: re.Match[str]) -> Iterator[str]:
    """Yield what a match of `DATE` states: the year, and the month and the day of that year and of any year.

    They are written "2016", "2016-01", "2016-01-31" and "--01-31".
    """
    year = (
        match["year"]
        or match["year_slashed"]
        or match["year_after"]
        or match["year_last"]
        or match["year_alone"]
    )
    day = match["day"] or match["day_slashed"] or match["day_first"] or match["day_after"]
    named = match["month_after"] or match["month_first"] or match["month_alone"]
    digits = match["month"] or match["month_slashed"]
    if not (named or digits):
        return
    month = _MONTHS[named.capitalize()] if named else int(digits)
    number = int(re.sub(r"\D", "", day)) if day else 0
    if year:
        yield year
        yield f"{year}-{month:02}"
    if number:
        yield f"--{month:02}-{number:02}"
    if year and number:
        yield f"{year}-{month:02}-{number:02}"
