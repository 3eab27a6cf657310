"""Currencies and units of measure, as English rulebooks write them."""

from __future__ import annotations

from collections.abc import Mapping

_CODES = """BDT BGN BHD CLP COP CZK EGP HUF IDR ISK JOD KES KWD KZT LKR MAD MOP MXN PEN PKR RON RSD
    TWD""".split()  # noqa: SIM905
"""Currencies that are read by their codes alone."""

CURRENCIES: Mapping[str, str] = {
    "Australian dollar": r"AU?\$|AUD|Australian\s+[Dd]ollars?",
    "Canadian dollar": r"CA?\$|CAD|Canadian\s+[Dd]ollars?",
    "Hong Kong dollar": r"HK\$|HKD|Hong\s+Kong\s+[Dd]ollars?",
    "New Zealand dollar": r"NZ\$|NZD|New\s+Zealand\s+[Dd]ollars?",
    "Singapore dollar": r"SG?\$|SGD|Singapore\s+[Dd]ollars?",
    "dollar": r"US\$|\$|USD|(?:US\s+)?[Dd]ollars?",
    "euro": r"€|EUR|[Ee]uros?",
    "pound": r"£|GBP|[Pp]ounds?(?:\s+sterling)?",
    "dirham": r"AED|Dhs?\.?|[Dd]irhams?",
    "yen": r"¥|JPY|[Yy]en",
    "yuan": r"CNY|RMB|[Yy]uan|[Rr]enminbi",
    "rupee": r"₹|INR|Rs\.?|[Rr]upees?",
    "Saudi riyal": r"SAR|Saudi\s+[Rr]i[yi]?als?",
    "Qatari riyal": r"QAR|Qatari?\s+[Rr]i[yi]?als?",
    "Omani rial": r"OMR|Omani\s+[Rr]i[yi]?als?",
    "won": r"₩|KRW|Korean\s+[Ww]on",
    "franc": r"CHF|[Ff]rancs?",
    "rand": r"ZAR|[Rr]ands?",
    "real": r"R\$|BRL|[Rr]eais",
    "ringgit": r"MYR|[Rr]inggit",
    "baht": r"THB|[Bb]aht",
    "shekel": r"₪|ILS|[Ss]hekels?",
    "lira": r"₺|TRY|(?:Turkish\s+)?[Ll]iras?",
    "zloty": r"PLN|[Zz]lot(?:y|ys|ych)",
    "Swedish krona": r"SEK|(?:Swedish\s+)?[Kk]rono?[ar]",
    "Norwegian krone": r"NOK|Norwegian\s+[Kk]roner?",
    "Danish krone": r"DKK|(?:Danish\s+)?[Kk]roner?",
    "rouble": r"₽|RUB|[Rr]o?ubles?",
    "Philippine peso": r"₱|PHP",
    "naira": r"₦|NGN",
    "dong": r"₫|VND",
    "hryvnia": r"₴|UAH",
    "lari": r"₾|GEL",
    **{code: code for code in _CODES},
    "other currency": r"[\u20a0-\u20cf]",
}
"""The pattern of each currency, by its name."""

UNITS: Mapping[str, str] = {
    **CURRENCIES,
    "%": r"%|[Pp]er\s?cent|[Pp]ercent|[Pp]ercentage\s+points?",
    "per mille": r"‰|[Pp]er\s?mille",
    "basis point": r"(?i:basis\s+points?|bps?)",
    # "The twenty-third day" and "two third parties" are no fractions.
    "third": r"(?i:(?<=one.)third(?![\s-]+part)|thirds)",
    **{
        fraction: rf"(?i:(?<=one.){fraction}(?![\s-]+part)|{fraction}s)"
        for fraction in ("fourth", "fifth", "sixth", "eighth", "tenth")
    },
    "a.m.": r"(?i:a\.?\s?m\b\.?)",
    "p.m.": r"(?i:p\.?\s?m\b\.?)",
    "second": r"(?i:seconds?)",
    "minute": r"(?i:minutes?)",
    "hour": r"(?i:hours?)",
    "business day": r"(?i:[Bb]usiness\s+[Dd]ays?)",
    "working day": r"(?i:[Ww]orking\s+[Dd]ays?)",
    "trading day": r"(?i:trading\s+days?)",
    "banking day": r"(?i:bank(?:ing)?\s+days?)",
    "day": r"(?i:(?:calendar\s+|clear\s+|consecutive\s+)?[Dd]ays?)",
    "week": r"(?i:weeks?)",
    "fortnight": r"(?i:fortnights?)",
    "month": r"(?i:(?:calendar\s+)?months?)",
    "quarter": r"(?i:quarters?)",
    "year": r"(?i:(?:calendar\s+)?years?)",
    "decade": r"(?i:decades?)",
    "millimetre": r"(?i:millimet(?:re|er)s?)|mm",
    "centimetre": r"(?i:centimet(?:re|er)s?)|cm",
    "metre": r"(?i:met(?:re|er)s?)|m",
    "kilometre": r"(?i:kilomet(?:re|er)s?|km)",
    "inch": r"(?i:inch(?:es)?)",
    "foot": r"(?i:foot|feet|ft)",
    "yard": r"(?i:yards?|yds?)",
    "mile per hour": r"(?i:mph|miles?\s+(?:per|an)\s+hour)",
    "kilometre per hour": r"(?i:km/h|kph|kilomet(?:re|er)s?\s+(?:per|an)\s+hour)",
    "mile": r"(?i:(?:nautical\s+)?miles?)",
    "knot": r"(?i:knots?)",
    "milligram": r"(?i:milligram(?:me)?s?|mg)",
    "gram": r"(?i:gram(?:me)?s?)|g",
    "ounce": r"(?i:ounces?|oz)",
    "pound in weight": r"(?i:lbs?)",
    "kilogram": r"(?i:kilogram(?:me)?s?|kg)",
    "tonne": r"(?i:tonnes?|tons?)",
    "litre": r"(?i:lit(?:re|er)s?)",
    "degree Fahrenheit": r"°\s?F|(?i:degrees?\s+Fahrenheit)",
    "degree": r"°\s?C?|(?i:degrees?(?:\s+(?:Celsius|centigrade))?)",
    "unit": r"(?i:(?:penalty\s+)?units?)",
}
"""The pattern of each unit, by its name; the first that matches counts."""
