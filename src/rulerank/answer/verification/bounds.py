"""Whether a claim turns a bound, an interval or a condition of what it cites into another."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from rulerank.answer.verification.figures import Figure, figure_at
from rulerank.answer.verification.force import act_after, stems
from rulerank.answer.verification.numerals import SHORT_NUMERAL
from rulerank.text import normalise, visible
from rulerank.text.korean_amounts import AFTER, AT_LEAST, AT_MOST, BEFORE

Side = tuple[re.Pattern[str], ...]


def _before_amounts(words: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{words})\b\W{{0,3}}(?:the age of |every |each )?(?P<amount>)", re.I)


def _after_amounts(words: str) -> re.Pattern[str]:
    number = rf"(?<![\d.,])(?:\d++(?:[.,]\d++)*+%?|\b{SHORT_NUMERAL})"
    return re.compile(rf"(?P<amount>){number}(?:[\s-]+[a-z]++){{0,2}}? (?:{words})\b", re.I)


_OPPOSITES: tuple[tuple[Side, Side], ...] = (
    (
        (
            _before_amounts(
                "at least|(?:no|not|nor) (?:less|fewer) than|(?:an? |the )?minimum of|over|above"
                "|(?<!no )(?<!not )(?<!nor )(?:more|greater) than|(?<!not )exceed(?:s|ing)|in excess of"
            ),
            _after_amounts("or (?:more|over|above|older|longer|greater)"),
            AT_LEAST,
        ),
        (
            _before_amounts(
                "at most|(?:no|not|nor) (?:more|greater) than|(?:an? |the )?maximum of|under|below"
                "|(?<!no )(?<!not )(?<!nor )(?:less|fewer) than|not exceed(?:ing)?|up to"
            ),
            _after_amounts("or (?:less|fewer|under|below|younger|shorter)"),
            AT_MOST,
        ),
    ),
    (
        (_before_amounts("(?:no|not) (?:earlier|sooner) than|not before|after"),),
        (_before_amounts("(?:no|not) later than|(?<!not )(?:on or )?before|by|within"),),
    ),
    ((_after_amounts("before|prior to"), BEFORE), (_after_amounts("after|following"), AFTER)),
)
_UNCOUNTED = re.compile(r"(?:half|once|twice|hourly|daily|weekly|monthly|quarterly|yearly|annually)\b", re.I)
_DENIAL = re.compile(
    r"\b(?:not|never|no|nor|neither|cannot|none|nobody)\b"
    r"(?! (?:more|less|fewer|greater|later|earlier|sooner|before|exceed))"
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
_EFFORT = re.compile(
    r"\b(?:(?:all )?(?:reasonable|practicable) (?:steps|efforts|endeavou?rs|measures|care)"
    r"|(?:best|all) (?:efforts|endeavou?rs))\b"
)
_TRIED = re.compile(r"\b(?:reasonabl[ey]|practicable|efforts?|endeavou?rs?|try)\b")
_EXCEPTION = re.compile(
    r"\b(?:unless|except|if [^.;]{1,80}?\bnot|only|without|until|save|other than|excluding)\b"
)
_ONLY_IF = re.compile(r"\bonly (?:if|when|where|once)\b")
_CONDITION = re.compile(
    r"\b(?:if|where|when|whenever|once|provided|in case|in the event|to the extent|as long as|so long as)\b"
)


def other_bounds(claim: str, support: str) -> str | None:
    """Return how a claim bounds, repeats or conditions something otherwise than its support, or None.

    What only one of the two says is no fault: "within ten days" is as good as "no later than ten days". But a
    duty to take reasonable steps is not one to succeed.
    """
    said, ruled = normalise(claim), normalise(support)
    return (
        _bound(visible(claim), visible(support))
        or _interval(said, ruled)
        or _condition(said, ruled)
        or _effort(said, ruled)
    )


def _bound(said: str, ruled: str) -> str | None:
    # "Nobody may hold more than five" is "at most five": a denial turns a bound round.
    if bool(_DENIAL.search(normalise(said))) != bool(_DENIAL.search(normalise(ruled))):
        return None
    for bound, other in (pair[::way] for pair in _OPPOSITES for way in (1, -1)):
        stated = dict(_bounded(bound, said))
        turned = dict(_bounded(other, ruled)) if stated else {}
        kept = dict(_bounded(bound, ruled)) if turned else {}
        for amount, words in stated.items():
            if amount not in kept and amount in turned:
                of = min(map(str, amount))
                return f"bound of {of}: {words!r}, where what the claim cites has {turned[amount]!r}"
    return None


def _bounded(side: Side, text: str) -> Iterator[tuple[frozenset[Figure], str]]:
    """Yield each amount that is bounded, and the words that bound it: "6" and "six" are one amount."""
    for match in (match for pattern in side for match in pattern.finditer(text)):
        start = match.start("amount")
        word = _UNCOUNTED.match(text, start)
        if amount := figure_at(text, start) or frozenset([Figure(word[0].lower())] if word else []):
            yield amount, match[0].strip()


def _interval(said: str, ruled: str) -> str | None:
    for found in _EVERY.finditer(said):
        unit = found["unit"] or _ADVERBS.get(found["adverb"], found["adverb"])
        if not _NAMED[unit].search(ruled):
            return f"interval: {found[0]!r} is not in what the claim cites"
    return None


def _condition(said: str, ruled: str) -> str | None:
    if "unless" in said.split() and not _EXCEPTION.search(ruled):
        return "condition: 'unless' is not in what the claim cites"
    # "May enter only if it is lit" is "must not enter unless it is lit": there a denial turns it round.
    denied = _DENIAL.search(said) is not None, _DENIAL.search(ruled) is not None
    only = _ONLY_IF.search(said) if denied[0] == denied[1] and not _ONLY_IF.search(ruled) else None
    turned = only or (None if _EXCEPTION.search(said) else _CONDITION.search(said))
    if turned and "unless" in ruled.split() and not _CONDITION.search(ruled):
        return f"condition: {turned[0]!r}, where what the claim cites has 'unless'"
    return None


def _effort(said: str, ruled: str) -> str | None:
    for found in _EFFORT.finditer(ruled):
        if act_after(ruled, found.end()) in stems(said) and not _TRIED.search(said):
            return f"effort: {found[0]!r} is in what the claim cites, and left out"
    return None
