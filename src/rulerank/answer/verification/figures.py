"""The figures of a text: dates, amounts, durations and other numbers, however they are written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Context, Decimal
from functools import lru_cache

from rulerank.answer.verification.dates import DATE, dates
from rulerank.answer.verification.numerals import NUMERAL, ORDINAL, SCALES, place_of, value_of
from rulerank.answer.verification.units import CURRENCIES, UNITS
from rulerank.text import visible
from rulerank.text.korean_amounts import korean_amounts

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
_COUNTED = r"(?:business|working|trading|bank(?:ing)?|calendar|clear)"
# "First aid" and "third parties" count nothing.
_OF_TIME = rf"(?=[\s-]+(?:{_COUNTED}\s+)?(?i:hour|day|week|month|quarter|year)s?\b)"
# "20 m" are metres and "(5) b" is an item, but "£20m" and "5m pounds" are amounts.
_LETTERS = r"\s?(?:k|mm|mn|mln|m|bn|tn|trn)|(?<=\d)[bt]"
_MINUS = r"(?:(?P<minus>-|[Mm]inus\s+)(?=\d{1,4}(?:\.\d{1,4})?\s?(?:°|[Dd]egrees?\b)))?"
_FIGURE = re.compile(
    rf"(?<![\w.])(?:{DATE}"
    rf"|(?!\d+(?i:{_LETTERS})\s?(?:{_CURRENCY})(?!\w))"
    r"(?P<label>\d+(?:\.\d+){2,}(?:[A-Z]{1,2}\b)?(?:\(\w{1,5}\))*|\d+(?:\.\d+)*(?:\(\w{1,5}\))+|\d+(?![AP]M\b)[A-Z]\w{0,3}\b)"
    r"|(?P<marker>\(\d{1,2}\)(?=\s|\Z)|(?<![\s\S])\d{1,2}\.(?=\s[^\W\d]))"
    rf"|(?:(?P<currency>{_CURRENCY})\s?)?"
    rf"(?:{_MINUS}(?P<digits>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?(?!\d)|\d+(?:\.\d+)?|\.\d+)(?:st|nd|rd|th)?"
    rf"(?:[\s-]*(?P<scale>(?i:{_SCALE}))\b"
    rf"|(?P<letters>(?i:{_LETTERS}))(?(currency)\b|(?:(?<=\dk)\b|(?=\s?(?:{_CURRENCY})(?!\w))))"
    rf"|(?(currency)(?!(?:{_CURRENCY})(?!\w))(?P<unread>[^\W\d_]+)|(?!)))?"
    rf"|(?P<ordinal>\b(?i:{ORDINAL})\b){_OF_TIME}|(?P<words>\b(?i:{NUMERAL})\b)"
    r"|(?<!once )(?<!twice )(?<!times )(?P<article>\b[Aa]n?)(?=\s+(?:hour|week|month|year)\b))"
    rf"(?:\s*\(\s*\d[\d,]*\s*\))?(?:[\s-]*(?:{_UNIT})(?!\w))?)"
)
_JOINED = re.compile(r"\s*(?:or|to|and|,|-)\s*")
_NUMBER = r"\d++(?:[.,]\d++)*+"
# Without a currency, "5m" is a length.
_SCALED = rf"(?:[\s-]*(?i:{_SCALE})\b|(?(sign)(?i:{_LETTERS})\b|(?!)))?"
_RANGE = re.compile(
    rf"(?P<between>\bbetween\s+)?(?P<sign>(?:{_CURRENCY})\s?)?(?<![\d.,])(?P<low>{_NUMBER})(?P<low_scale>{_SCALED})"
    r"\s*(?:-|to\b|(?(between)and\b|(?!)))\s*"
    rf"(?P<other>(?:{_CURRENCY})\s?)?(?P<high>{_NUMBER})(?P<high_scale>{_SCALED})"
)
_ON_THE_CLOCK = re.compile(r"\b(?P<hour>\d{1,2})[:.](?P<minutes>\d\d)(?=\s?[ap]\.?\s?m\b)", re.I)
_DASHES = dict.fromkeys(map(ord, "‐‑‒–—−"), "-")


@dataclass(frozen=True)
class Figure:
    """A number with its unit, a date, or the label of a rule.

    Parameters
    ----------
    value : str
        "24", "2016-01-01", "2016-01", "--01-31" (a day of any year), or "4.2.1".
    unit : str, optional
        "hour", "dollar", "date", "label"; empty for a number of anything else.

    """

    value: str
    unit: str = ""

    def __str__(self) -> str:
        return f"{self.value} {self.unit}".strip() if self.unit not in ("date", "label") else self.value


@lru_cache(maxsize=1024)
def figures(text: str) -> frozenset[Figure]:
    """Return every figure that `text` states.

    "Twenty-four hours", "24 hours" and "24-hour" are one figure; so are "9 am" and "9:00 a.m.", and
    "1 January 2016", "January 1, 2016" and "2016-01-01". A date also states its year, its month of that year
    and its day of any year. "One" counts only with a unit, and the number of an enumerated item, "(1)", not
    at all.
    """
    found: set[Figure] = set()
    earlier: tuple[int, list[Figure]] = (0, [])
    prepared = _prepared(text)
    found.update(Figure(_written(value), unit) for value, unit in korean_amounts(prepared))
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

    return _FIGURE.sub(put, _prepared(text))


def figure_at(text: str, start: int) -> frozenset[Figure]:
    """Return what the figure that begins at a character of a text states; empty if none begins there."""
    match = _FIGURE.match(text, start)
    return frozenset(_stated(match) if match and not match["marker"] else ())


def missing(claim: frozenset[Figure], support: frozenset[Figure]) -> list[Figure]:
    """Return the figures of a claim that its support does not state, in a fixed order.

    A number without a unit is stated wherever its value is, with any unit. 5 p.m. is stated
    by "5 o'clock in the afternoon", a 5 without a unit, unless 5 a.m. is stated too. Rule 3(2) is stated
    wherever 3(2)(a) is.
    """
    values = {each.value for each in support}
    for each in support:
        if each.unit == "label":
            values.update(_above(each.value))

    def stated(figure: Figure) -> bool:
        halves = {Figure(figure.value, "a.m."), Figure(figure.value, "p.m.")}
        if figure in halves and halves.isdisjoint(support):
            return Figure(figure.value) in support
        return figure in support or (figure.unit in ("", "label") and figure.value in values)

    return sorted((each for each in claim if not stated(each)), key=lambda each: (each.value, each.unit))


def _prepared(text: str) -> str:
    """Return a text in which both ends of a range have its currency and scale: "£5m to £10m" for "£5-10m".

    A time of day is one number with a unit: "9 a.m." for "9:00 a.m.", "9.30 a.m." for "9:30 a.m.".
    """

    def put(match: re.Match[str]) -> str:
        sign, scale = match["sign"] or "", match["high_scale"]
        if not (sign or scale):
            return match[0]
        low = f"{match['between'] or ''}{sign}{match['low']}{match['low_scale'] or scale}"
        return f"{low} to {match['other'] or sign}{match['high']}{scale}"

    def timed(match: re.Match[str]) -> str:
        return match["hour"] if match["minutes"] == "00" else f"{match['hour']}.{match['minutes']}"

    return _RANGE.sub(put, _ON_THE_CLOCK.sub(timed, visible(text).translate(_DASHES)))


def _above(label: str) -> Iterator[str]:
    """Yield the labels of the provisions that contain the one labelled `label`."""
    for match in re.finditer(r"[.(]", label):
        yield label[: match.start()]


def _stated(match: re.Match[str]) -> Iterator[Figure]:
    if match["label"]:
        yield Figure(match["label"].lower(), "label")
        return
    if stated := [*dates(match)]:
        yield from (Figure(each, "" if each.isdigit() else "date") for each in stated)
        return
    amount = (match["digits"] or "").replace(",", "")
    if amount.startswith("."):
        amount = f"0{amount}"
    unit = next((name for number, name in enumerate(UNITS) if match[f"unit{number}"]), "")
    if currency := match["currency"]:
        unit = next(name for name, pattern in CURRENCIES.items() if re.fullmatch(pattern, currency))
    if match["minus"]:
        amount = f"-{amount}"
    scale = match["scale"] or match["letters"]
    if match["unread"]:
        yield Figure(f"{amount}{match['unread']}".lower(), unit)  # "£5x" is not £5
    elif "." in amount and not (unit or scale):
        yield Figure(amount)  # "4.10" may be a rule, which is not 4.1
    elif amount:
        power = _POWERS[scale.strip().lower()] if scale else 1
        yield Figure(_written(_times(amount, power)), unit)
    else:
        for value in _in_words(match):
            if value != 1 or unit:
                yield Figure(_written(Decimal(value)), unit)


def _in_words(match: re.Match[str]) -> list[int]:
    if match["ordinal"]:
        return [place_of(match["ordinal"])]
    return value_of(match["words"]) if match["words"] else [1]


def _times(digits: str, power: int) -> Decimal:
    """Multiply exactly; the usual context would round numbers of more than 28 digits."""
    return Context(prec=len(digits) + len(str(power))).multiply(Decimal(digits), Decimal(power))


def _written(value: Decimal) -> str:
    """Return a number of any length without an exponent and without zeros at the end of its fraction."""
    written = f"{value:f}"
    return written.rstrip("0").rstrip(".") if "." in written else written
