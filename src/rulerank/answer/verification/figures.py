"""The figures of a text: dates, amounts, durations and other numbers, however they are written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Context, Decimal
from functools import lru_cache

from rulerank.answer.verification.numerals import NUMERAL, SCALES, value_of
from rulerank.answer.verification.units import CURRENCIES, UNITS
from rulerank.text import visible

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
# A month begins with a capital: "paragraph 3 may" names no day.
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_DATE = "|".join(
    (
        r"(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})",
        rf"(?P<day_first>{_DAY})\s+(?:day\s+of\s+)?(?P<month_after>{_MONTH})\b\.?(?:,?\s+(?P<year_after>\d{{4}}))?",
        rf"(?P<month_first>{_MONTH})\b\.?\s+(?P<day_after>{_DAY})\b(?:,?\s+(?P<year_last>\d{{4}}))?",
        rf"(?P<month_alone>{_MONTH})\b\.?,?\s+(?P<year_alone>\d{{4}})",
    )
)
_CURRENCY = "|".join(CURRENCIES.values())
_UNIT = "|".join(f"(?P<unit{number}>{pattern})" for number, pattern in enumerate(UNITS.values()))
_POWERS = {
    **SCALES,
    "k": 10**3,
    **dict.fromkeys(("m", "mm", "mn", "mln"), 10**6),
    **dict.fromkeys(("b", "bn"), 10**9),
    **dict.fromkeys(("t", "tn", "trn"), 10**12),
}
_SCALE = "|".join([*SCALES, "bn", "mn"])
# "20 m" are metres and "(5) b" is an item, but "£20m" and "5m pounds" are amounts.
_LETTERS = r"\s?(?:k|mm|mn|mln|m|bn|tn|trn)|(?<=\d)[bt]"
_FIGURE = re.compile(
    rf"(?<![\w.])(?:{_DATE}"
    rf"|(?!\d+(?i:{_LETTERS})\s?(?:{_CURRENCY})(?!\w))"
    r"(?P<label>\d+(?:\.\d+){2,}(?:\(\w{1,5}\))*|\d+(?:\.\d+)*(?:\(\w{1,5}\))+|\d+[A-Z]\w{0,3}\b)"
    r"|(?P<marker>\(\d{1,2}\)(?=\s|\Z))"
    rf"|(?:(?P<currency>{_CURRENCY})\s?)?"
    rf"(?:(?P<digits>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?(?!\d)|\d+(?:\.\d+)?)(?:st|nd|rd|th)?"
    rf"(?:[\s-]*(?P<scale>(?i:{_SCALE}))\b"
    rf"|(?P<letters>(?i:{_LETTERS}))(?(currency)\b|(?:(?<=\dk)\b|(?=\s?(?:{_CURRENCY})(?!\w))))"
    rf"|(?(currency)(?!(?:{_CURRENCY})(?!\w))(?P<unread>[^\W\d_]+)|(?!)))?|(?P<words>\b(?i:{NUMERAL})\b)|(?P<article>\b[Aa]n?)(?=\s+(?:hour|week|month|year)\b))"
    rf"(?:\s*\(\s*\d[\d,]*\s*\))?(?:[\s-]*(?:{_UNIT})(?!\w))?)"
)
_JOINED = re.compile(r"\s*(?:or|to|and|,|-)\s*")
_DASHES = dict.fromkeys(map(ord, "‐‑‒–—−"), "-")


@dataclass(frozen=True)
class Figure:
    """A number with its unit, a date, or the label of a rule.

    Parameters
    ----------
    value : str
        "24", "2016-01-01", "2016-01", "--01-31" (a day of any year), or "4.2.1".
    unit : str
        "hour", "dollar", "date", "label"; empty for a number of anything else.

    """

    value: str
    unit: str = ""

    def __str__(self) -> str:
        return f"{self.value} {self.unit}".strip() if self.unit not in ("date", "label") else self.value


@lru_cache(maxsize=1024)
def figures(text: str) -> frozenset[Figure]:
    """Return every figure that `text` states.

    "Twenty-four hours", "24 hours" and "24-hour" are one figure; so are "1 January 2016", "January 1, 2016"
    and "2016-01-01". A date also states its year, its month of that year and its day of any year. "One"
    counts only with a unit, and the number of an enumerated item, "(1)", not at all.
    """
    found = set()
    earlier: tuple[int, list[Figure]] = (0, [])
    prepared = visible(text).translate(_DASHES)
    for match in _FIGURE.finditer(prepared):
        if match["marker"]:
            continue
        stated = list(_stated(match))
        found.update(stated)
        end, open_figures = earlier
        # "Six or twelve hours" and "10-20 days" state the unit once.
        if stated and stated[-1].unit and _JOINED.fullmatch(prepared, end, match.start()):
            found.update(Figure(each.value, stated[-1].unit) for each in open_figures)
        earlier = (match.end(), [each for each in stated if not each.unit])
    return frozenset(found)


def without_figures(text: str) -> str:
    """Return a text with "#" in place of each date and each number that has a unit."""

    def put(match: re.Match[str]) -> str:
        measured = any(each.unit not in ("", "label") for each in _stated(match))
        return "#" if measured and not match["marker"] else match[0]

    return _FIGURE.sub(put, visible(text).translate(_DASHES))


def missing(claim: frozenset[Figure], support: frozenset[Figure]) -> list[Figure]:
    """Return the figures of a claim that its support does not state, in a fixed order.

    A number without a unit is stated wherever its value is, with any unit. Rule 3(2) is stated wherever
    3(2)(a) is.
    """
    values = {each.value for each in support}
    for each in support:
        if each.unit == "label":
            values.update(_above(each.value))

    def stated(figure: Figure) -> bool:
        return figure in support or (figure.unit in ("", "label") and figure.value in values)

    return sorted((each for each in claim if not stated(each)), key=lambda each: (each.value, each.unit))


def _above(label: str) -> Iterator[str]:
    """Yield the labels of the provisions that contain the one labelled `label`."""
    for match in re.finditer(r"[.(]", label):
        yield label[: match.start()]


def _stated(match: re.Match[str]) -> Iterator[Figure]:
    if match["label"]:
        yield Figure(match["label"].lower(), "label")
        return
    year = match["year"] or match["year_after"] or match["year_last"] or match["year_alone"]
    day = match["day"] or match["day_first"] or match["day_after"]
    named = match["month_after"] or match["month_first"] or match["month_alone"]
    if named or match["month"]:
        yield from _date(year, _MONTHS[named] if named else int(match["month"]), day)
        return
    amount = match["digits"]
    unit = next((name for number, name in enumerate(UNITS) if match[f"unit{number}"]), "")
    if currency := match["currency"]:
        unit = next(name for name, pattern in CURRENCIES.items() if re.fullmatch(pattern, currency))
    scale = match["scale"] or match["letters"]
    if amount and match["unread"]:
        yield Figure(f"{amount}{match['unread']}".replace(",", "").lower(), unit)  # "£5x" is not £5
        return
    if amount and "." in amount and not (unit or scale):
        yield Figure(amount)  # "4.10" may be a rule, which is not 4.1
        return
    if amount:
        power = _POWERS[scale.strip().lower()] if scale else 1
        yield Figure(_written(_times(amount.replace(",", ""), power)), unit)
        return
    values = value_of(match["words"]) if match["words"] else [1]
    for value in values:
        if value != 1 or unit:
            yield Figure(_written(Decimal(value)), unit)


def _date(year: str | None, month: int, day: str | None) -> Iterator[Figure]:
    number = int(re.sub(r"\D", "", day)) if day else 0
    if year:
        yield Figure(year)
        yield Figure(f"{year}-{month:02}", "date")
    if number:
        yield Figure(f"--{month:02}-{number:02}", "date")
    if year and number:
        yield Figure(f"{year}-{month:02}-{number:02}", "date")


def _times(digits: str, power: int) -> Decimal:
    """Multiply exactly; the usual context would round numbers of more than 28 digits."""
    return Context(prec=len(digits) + len(str(power))).multiply(Decimal(digits), Decimal(power))


def _written(value: Decimal) -> str:
    """Return a number of any length without an exponent and without zeros at the end of its fraction."""
    written = f"{value:f}"
    return written.rstrip("0").rstrip(".") if "." in written else written
