"""The first day that a text names as its own beginning: "From 1 May 2020, Rule 2 is repealed"."""

from __future__ import annotations

import re
from datetime import date

from rulerank.text import visible

_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()  # noqa: SIM905
_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?"
    r"|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b\.?"
)
_NUMBER = r"\d{1,2}(?:st|nd|rd|th)?"
_DATE = "|".join(
    (
        rf"(?P<day>{_NUMBER})(?: day of)? (?P<month>{_MONTH}),? (?P<year>\d{{4}})\b",
        rf"(?P<month_first>{_MONTH}) (?P<day_after>{_NUMBER}),? (?P<year_last>\d{{4}})\b",
        r"(?P<iso>\d{4}-\d{2}-\d{2})\b",
    )
)
_ON = r"(?:on and from|on and after|from and including|as from|from|as of|on)"
_OWN = (
    rf"(?:effect {_ON}|effective(?: {_ON})?|(?:commences|commencing|begins|beginning) {_ON}"
    rf"|(?:comes?|enters?|brought) into (?:force|effect|operation) {_ON})"
)
_ANY = rf"(?:{_OWN}|on and after|on and from|from(?: and including)?|as of|as from)"
_SINCE, _IN_FORCE = (re.compile(rf"(?i:\b{lead})(?: the)? (?:{_DATE})") for lead in (_ANY, _OWN))
_KOREAN = re.compile(
    r"(?P<year>\d{4})(?:년|\.) ?(?P<month>\d{1,2})(?:월|\.) ?(?P<day>\d{1,2})(?:일|\.) ?부터"
)

_QUOTED = re.compile(r"“[^“”]*”|\"[^\"]*\"|‘[^‘’]*’")
_FULL_STOP = re.compile(r"[.!?] (?=[A-Z“\"(])|다\. ")


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
    plain, words = (" ".join(visible(each).split()) for each in (text, evidence))
    unquoted = _QUOTED.sub(lambda quotation: "\0" * len(quotation[0]), plain)
    place = plain.find(words) if words else -1
    if place < 0:
        return _first(_SINCE, unquoted)
    start, end = _sentence(unquoted, place)
    return _first(_SINCE, unquoted[start:end]) or _first(_IN_FORCE, unquoted)


def _sentence(text: str, place: int) -> tuple[int, int]:
    """Return where the sentence at `place` begins and ends."""
    stops = [match.end() for match in _FULL_STOP.finditer(text)]
    return max((stop for stop in stops if stop <= place), default=0), min(
        (stop for stop in stops if stop > place), default=len(text)
    )


def _first(pattern: re.Pattern[str], text: str) -> date | None:
    """Return the first day that a pattern finds, in English or in Korean."""
    for found in [*pattern.finditer(text), *_KOREAN.finditer(text)]:
        try:
            return _day(found)
        except ValueError:  # "From 31 June 2020"
            continue
    return None


def _day(found: re.Match[str]) -> date:
    named = found.groupdict()
    if iso := named.get("iso"):
        return date.fromisoformat(iso)
    year, month, day = (
        named[each] or named[other]
        for each, other in (("year", "year_last"), ("month", "month_first"), ("day", "day_after"))
    )
    number = int(month) if month.isdigit() else _MONTHS.index(month[:3].lower()) + 1
    return date(int(year), number, int(re.sub(r"\D", "", day)))
