"""The first and the last day of a change, as its text names them: "From 1 May 2020, Rule 2 is repealed"."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
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
_UNTIL = re.compile(
    r"(?:^|\0 |\b(?:effect|repealed|revoked|suspended|disapplied) )"
    rf"(?i:until)(?: and including| the end of)? (?:{_DATE})"
)
_THEN_UNTIL = re.compile(rf",? (?:until|to|up to)(?: and including| the end of)?(?: the)? (?:{_DATE})")
_KOREAN = re.compile(
    r"(?P<year>\d{4})(?:년|\.) ?(?P<month>\d{1,2})(?:월|\.) ?(?P<day>\d{1,2})(?:일|\.) ?부터"
)

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
    found = _first(_SINCE, sentence) or _first(_KOREAN, sentence)
    return found or _first(_IN_FORCE, amending(text, "").plain)


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
    return _first(_UNTIL, sentence)


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
