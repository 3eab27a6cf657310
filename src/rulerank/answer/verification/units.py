"""Currencies and units of measure, as English rulebooks write them."""

from __future__ import annotations

from collections.abc import Mapping

CURRENCIES: Mapping[str, str] = {
    "dollar": r"US\$|\$|USD|(?:US\s+)?[Dd]ollars?",
    "euro": r"€|EUR|[Ee]uros?",
    "pound": r"£|GBP|[Pp]ounds?(?:\s+sterling)?",
    "dirham": r"AED|[Dd]irhams?",
    "yen": r"¥|JPY|[Yy]en",
    "franc": r"CHF|[Ff]rancs?",
}
"""The pattern of each currency, by its name."""

UNITS: Mapping[str, str] = {
    **CURRENCIES,
    "%": r"%|[Pp]er\s?cent|[Pp]ercent|[Pp]ercentage\s+points?",
    "second": r"seconds?",
    "minute": r"minutes?",
    "hour": r"hours?",
    "business day": r"[Bb]usiness\s+[Dd]ays?",
    "working day": r"[Ww]orking\s+[Dd]ays?",
    "day": r"(?:calendar\s+|clear\s+|consecutive\s+)?[Dd]ays?",
    "week": r"weeks?",
    "month": r"(?:calendar\s+)?months?",
    "quarter": r"quarters?",
    "year": r"(?:calendar\s+)?years?",
    "millimetre": r"millimet(?:re|er)s?|mm",
    "centimetre": r"centimet(?:re|er)s?|cm",
    "metre": r"met(?:re|er)s?|m",
    "kilometre": r"kilomet(?:re|er)s?|km",
    "foot": r"foot|feet|ft",
    "mile": r"(?:nautical\s+)?miles?",
    "knot": r"knots?",
    "kilogram": r"kilogram(?:me)?s?|kg",
    "tonne": r"tonnes?|tons?",
    "litre": r"lit(?:re|er)s?",
    "degree Fahrenheit": r"°\s?F|degrees?\s+Fahrenheit",
    "degree": r"°\s?C?|degrees?(?:\s+(?:Celsius|centigrade))?",
    "unit": r"(?:penalty\s+)?units?",
}
"""The pattern of each unit, by its name; the first that matches counts."""
