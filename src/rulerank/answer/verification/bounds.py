"""Whether a claim turns a bound, an interval or a condition of what it cites into another."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rulerank.text import normalise

_LEAST, _MOST = (
    re.compile(rf"\b(?:{words})\b\W{{0,3}}(?:(?:usd|eur|gbp|aed) )?(?P<amount>[\w-]+(?:[.,]\d+)*)")
    for words in (
        "at least|(?:no|not) (?:less|fewer) than|(?:an? |the )?minimum of"
        "|(?<!no )(?<!not )(?:more|greater) than|(?<!not )exceed(?:s|ing)|in excess of",
        "at most|(?:no|not) (?:more|greater) than|(?:an? |the )?maximum of"
        "|(?<!no )(?<!not )(?:less|fewer) than|not exceed(?:ing)?|up to",
    )
)
_DENIAL = re.compile(
    r"\b(?:not|never|no|nor|neither|cannot|none)\b(?! (?:more|less|fewer|greater|later|earlier|exceed))"
)
_INTERVALS: Mapping[str, str] = {
    "hour": "hours?|hourly",
    "day": "days?|daily|24 hours|twenty-four hours",
    "week": "weeks?|weekly|(?:7|seven)[ -]days?",
    "fortnight": "fortnight(?:s|ly)?|(?:2|two)[ -]weeks?",
    "month": "months?|monthly",
    "quarter": "quarters?|quarterly|(?:3|three)[ -]months?",
    "year": "years?|yearly|annual(?:ly)?|annum|(?:12|twelve)[ -]months?",
}
_NAMED = {name: re.compile(rf"\b(?:{words})\b") for name, words in _INTERVALS.items()}
_EVERY = re.compile(
    r"\b(?:(?:every|each|per|once an?) (?:[\w-]+ )?(?P<unit>hour|day|week|fortnight|month|quarter|year)s?"
    r"|(?P<adverb>hour|dai|week|fortnight|month|quarter|year|annual)ly)\b"
)
_ADVERBS = {"dai": "day", "annual": "year"}
_EXCEPTION = re.compile(
    r"\b(?:unless|except|if [^.;]{1,80}?\bnot|only|without|until|save|other than|excluding)\b"
)
_CONDITION = re.compile(
    r"\b(?:if|where|when|whenever|once|provided|in case|in the event|to the extent|as long as|so long as)\b"
)


def other_bounds(claim: str, support: str) -> str | None:
    """Return how a claim bounds, repeats or conditions something otherwise than its support, or None.

    What only one of the two says is no fault: "within ten days" is as good as "no later than ten days".
    """
    said, ruled = normalise(claim), normalise(support)
    return _bound(said, ruled) or _interval(said, ruled) or _condition(said, ruled)


def _bound(said: str, ruled: str) -> str | None:
    # "Nobody may hold more than five" is "at most five": a denial turns a bound round.
    if _DENIAL.search(said) or _DENIAL.search(ruled):
        return None
    for bound, other in ((_LEAST, _MOST), (_MOST, _LEAST)):
        kept = {each["amount"] for each in bound.finditer(ruled)}
        turned = {each["amount"]: each for each in other.finditer(ruled)}
        for found in bound.finditer(said):
            if found["amount"] not in kept and (against := turned.get(found["amount"])):
                return f"bound: {found[0]!r}, where what the claim cites has {against[0]!r}"
    return None


def _interval(said: str, ruled: str) -> str | None:
    for found in _EVERY.finditer(said):
        unit = found["unit"] or _ADVERBS.get(found["adverb"], found["adverb"])
        if not _NAMED[unit].search(ruled):
            return f"interval: {found[0]!r} is not in what the claim cites"
    return None


def _condition(said: str, ruled: str) -> str | None:
    if "unless" in said.split() and not _EXCEPTION.search(ruled):
        return "condition: 'unless' is not in what the claim cites"
    turned = None if _EXCEPTION.search(said) else _CONDITION.search(said)
    if turned and "unless" in ruled.split() and not _CONDITION.search(ruled):
        return f"condition: {turned[0]!r}, where what the claim cites has 'unless'"
    return None
