"""The first and the last day of a change, as its text names them: "From 1 May 2020, Rule 2 is repealed"."""

from __future__ import annotations

import re
from bisect import bisect_right
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
_UNTIL = re.compile(rf"(?:^|\0 |\beffect )(?i:until)(?: and including| the end of)? (?:{_DATE})")
_KOREAN = re.compile(
    r"(?P<year>\d{4})(?:년|\.) ?(?P<month>\d{1,2})(?:월|\.) ?(?P<day>\d{1,2})(?:일|\.) ?부터"
)

_QUOTED = re.compile(r"“[^“”]*”|\"[^\"]*\"|‘[^‘’]*’")
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
    sentence, unquoted = _amending(text, evidence)
    return _first(_SINCE, sentence) or _first(_KOREAN, sentence) or _first(_IN_FORCE, unquoted)


def stated_until(text: str, evidence: str = "") -> date | None:
    """Return the last day of a change that a text limits in time, if it names one.

    Only a day that opens the sentence of the change counts, or one after the words that are put in place:
    "a permit held until 1 May 2020" says nothing about the change.
    """
    sentence, _ = _amending(text, evidence)
    return _first(_UNTIL, sentence)


def _amending(text: str, evidence: str) -> tuple[str, str]:
    """Return the sentence that states the change and the whole text, both without quotations.

    If the evidence is unknown, the sentence is the whole text.
    """
    plain, words = (" ".join(visible(each).split()) for each in (text, evidence))
    unquoted = _QUOTED.sub(lambda quotation: "\0" * len(quotation[0]), plain)
    place = plain.find(words) if words else -1
    if place < 0:
        return unquoted, unquoted
    stops = [0, *(match.end() for match in _FULL_STOP.finditer(unquoted)), len(unquoted) + 1]
    last = bisect_right(stops, place)
    return unquoted[stops[last - 1] : stops[last]], unquoted


def _first(pattern: re.Pattern[str], text: str) -> date | None:
    """Return the first day that a pattern finds."""
    for found in pattern.finditer(text):
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
