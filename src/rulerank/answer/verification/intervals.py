"""How often a text says that something is done: "monthly", "every other week", "twice a year"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from rulerank.answer.verification.numerals import ORDINAL, SHORT_NUMERAL, place_of, value_of
from rulerank.text import normalise


class Interval(NamedTuple):
    """The time from one occasion to the next: a number of hours or of months."""

    length: Fraction
    unit: str


_HOURS = {"hour": 1, "day": 24, "week": 168, "fortnight": 336}
_MONTHS = {"month": 1, "quarter": 3, "year": 12}
_ADVERBS = {
    "hourly": "hour",
    "daily": "day",
    "weekly": "week",
    "fortnightly": "fortnight",
    "monthly": "month",
    "quarterly": "quarter",
    "yearly": "year",
    "annually": "year",
    "annual": "year",
}
_UNIT = rf"(?P<unit>{'|'.join([*_HOURS, *_MONTHS])})s?\b"
_NUMBER = rf"(?:(?P<number>\d{{1,4}}|{SHORT_NUMERAL})|(?P<place>other|alternate|{ORDINAL}))[ -]"
_WITH_HYPHEN = rf"\d{{1,2}}|{SHORT_NUMERAL}"
_TIMES = rf"(?:(?P<once>once|twice|thrice)|(?P<times>\d{{1,3}}|{SHORT_NUMERAL}) times)"
_PERIOD = rf"(?:{_NUMBER})?(?:[a-z]+ )?{_UNIT}"
_PATTERNS = (
    re.compile(rf"\b(?:{_TIMES} )?(?:in |during )?(?:every|each|per) {_PERIOD}"),
    re.compile(rf"\b{_TIMES} (?:in )?(?:an?|any) {_PERIOD}"),
    re.compile(rf"\bintervals? of (?:[a-z]+ ){{0,4}}?{_PERIOD}"),
    re.compile(rf"\b{_NUMBER}{_UNIT} intervals?\b"),
    re.compile(
        # Only a hyphen joins a number: "50 monthly" is an amount.
        rf"(?<![\w-])(?:{_TIMES} )?(?:(?P<half>semi|half)[ -]?|(?P<unclear>bi)-?"
        rf"|(?<![\w.,-])(?P<number>{_WITH_HYPHEN})(?:-| (?=[a-z]+ intervals?\b)))?"
        rf"(?P<adverb>{'|'.join(_ADVERBS)})\b"
    ),
    re.compile(r"\bper (?P<annum>annum)\b"),
    re.compile(r"\b(?P<biennial>bienniall?y?)\b"),
)
_OFTEN: Mapping[str, int] = {"once": 1, "twice": 2, "thrice": 3}
_EQUAL = {"hour": (*_HOURS.items(),), "month": (*_MONTHS.items(),)}


@lru_cache(maxsize=1024)
def intervals(text: str) -> Mapping[Interval, str]:
    """Return the intervals that a text states, with the words that state each first."""
    found: dict[Interval, str] = {}
    for interval, words in _read(normalise(text)):
        found.setdefault(interval, words)
    return found


def lengths(interval: Interval) -> Iterator[tuple[int, str]]:
    """Yield an interval in every unit in which it is whole: 12 months are 4 quarters and a year."""
    for unit, size in _EQUAL.get(interval.unit, ()):
        if (interval.length / size).denominator == 1:
            yield int(interval.length / size), unit


def _read(text: str) -> Iterator[tuple[Interval, str]]:
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            yield _interval({name: said for name, said in match.groupdict().items() if said}), match[0]


def _interval(said: Mapping[str, str]) -> Interval:
    if "annum" in said:
        return Interval(Fraction(12), "month")
    if "biennial" in said:
        return Interval(Fraction(24), "month")
    unit = _ADVERBS[said["adverb"]] if "adverb" in said else said["unit"]
    size = _HOURS.get(unit) or _MONTHS[unit]
    if "unclear" in said:
        # "Bimonthly" is every two months to some, and twice a month to others.
        return Interval(Fraction(size), f"bi{unit}")
    count = Fraction(_every(said), _often(said) * (2 if "half" in said else 1))
    return Interval(count * size, "hour" if unit in _HOURS else "month")


def _every(said: Mapping[str, str]) -> int:
    if "place" in said:
        return 2 if said["place"] in ("other", "alternate") else place_of(said["place"])
    return _value(said["number"]) if "number" in said else 1


def _often(said: Mapping[str, str]) -> int:
    return _OFTEN[said["once"]] if "once" in said else max(1, _value(said.get("times", "1")))


def _value(number: str) -> int:
    return int(number) if number.isdigit() else value_of(number)[0]
