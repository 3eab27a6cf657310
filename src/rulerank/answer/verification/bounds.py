"""Whether a claim turns a bound, an interval or a condition of what it cites into another."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulerank.answer.verification.figures import Figure, figure_at
from rulerank.answer.verification.force import act_after, stems
from rulerank.answer.verification.intervals import intervals, lengths
from rulerank.answer.verification.numerals import SHORT_NUMERAL
from rulerank.answer.verification.units import CURRENCIES
from rulerank.text import normalise, visible
from rulerank.text.korean_amounts import AFTER, AT_LEAST, AT_MOST, BEFORE

Side = tuple[re.Pattern[str], ...]

_AS = "(?:(?:as )?(?:an?|the) )?"


def _before_amounts(words: str, signs: str = "") -> re.Pattern[str]:
    sign = rf"|[{signs}]" if signs else ""
    return re.compile(rf"(?:\b(?:{words})\b{sign})\W{{0,3}}(?:the age of |every |each )?(?P<amount>)", re.I)


def _after_amounts(words: str) -> re.Pattern[str]:
    number = rf"(?<![\d.,])(?:\d++(?:[.,]\d++)*+%?|\b{SHORT_NUMERAL})"
    currency = rf"(?:(?<!\w)(?:{'|'.join(CURRENCIES.values())})\s?)?+"
    return re.compile(rf"(?P<amount>){currency}{number}(?:[\s-]+[a-z]++){{0,2}}? (?:{words})\b", re.I)


_LEAST: Side = (
    _before_amounts(
        "at least|(?:no|not|nor) (?:less|fewer|lower) than|(?:an? |the )?minimum of|over|above"
        "|(?<!no )(?<!not )(?<!nor )(?:more|greater|higher) than|(?<!not )exceed(?:s|ing)"
        "|in excess of",
        signs=">≥",
    ),
    _after_amounts(f"or (?:more|over|above|older|longer|greater|higher)|at (?:the )?least|{_AS}minimum"),
    AT_LEAST,
)
_MOST: Side = (
    _before_amounts(
        "at most|(?:no|not|nor) (?:more|greater|higher) than|(?:an? |the )?maximum of|under|below"
        "|(?<!no )(?<!not )(?<!nor )(?:less|fewer|lower) than|not exceed(?:ing)?|up to|capped at",
        signs="<≤",
    ),
    _after_amounts(f"or (?:less|fewer|under|below|younger|shorter|lower)|at (?:the )?most|{_AS}maximum"),
    AT_MOST,
)
_OPPOSITES: tuple[tuple[Side, Side], ...] = (
    (_LEAST, _MOST),
    ((_before_amounts("exactly|precisely"),), (*_LEAST, *_MOST)),
    ((_before_amounts("first"),), (_before_amounts("last|final|most recent"),)),
    (
        (
            _before_amounts(
                "(?:no|not) (?:earlier|sooner) than|not before|after|from|since|as of|following"
                "|(?:begin|commenc|start)ing(?: on| from| with)?"
            ),
        ),
        (_before_amounts("(?:no|not) later than|(?<!not )(?:on or )?before|by|within"),),
    ),
    ((_after_amounts("before|prior to|until|till"), BEFORE), (_after_amounts("after|following"), AFTER)),
)
_NEARLY = _before_amounts("nearly|almost|approximately|roughly")
_INEXACT = re.compile(
    r"\b(?:approx\.|estimate|in the region of|(?:of|in) the order of|c\. ?\d)|[~≈±]"
    r"|(?:approximately|roughly)(?=[).,;]|$)",
    re.I,
)
"""Words of a support that itself is not exact, wherever they are: "5 metres (approximately)"."""
_ABOUT = _before_amounts("about|around|circa|just (?:under|over)|some")
_UNCOUNTED = re.compile(r"(?:half|once|twice|hourly|daily|weekly|monthly|quarterly|yearly|annually)\b", re.I)
_DENIAL = re.compile(
    r"\b(?:not|never|no|nor|neither|cannot|none|nobody)\b"
    r"(?! (?:more|less|fewer|greater|higher|lower|later|earlier|sooner|before|exceed))"
)
_NAMED = {
    unit: re.compile(rf"\b(?:{words})\b")
    for unit, words in {
        "hour": "hours?|hourly",
        "day": "days?|daily",
        "week": "weeks?|weekly",
        "fortnight": "fortnight(?:s|ly)?",
        "month": "months?|monthly",
        "quarter": "quarters?|quarterly",
        "year": "years?|yearly|annual(?:ly)?|annum",
    }.items()
}
_EFFORT = re.compile(
    r"\b(?:(?:all )?(?:reasonable|practicable) (?:steps|efforts|endeavou?rs|measures|care)"
    r"|(?:best|all) (?:efforts|endeavou?rs))\b"
)
_TRIED = re.compile(r"\b(?:reasonabl[ey]|practicable|efforts?|endeavou?rs?|try)\b")
# "One year" is a figure.
_COUNTED = (
    r"(?!(?:[a-z]+ )?(?:hour|day|week|fortnight|month|quarter|year|third)s?\b)(?P<of>(?:[a-z-]+ )?[a-z-]+)"
)
_ONE = re.compile(rf"\b(?:one|1|single) {_COUNTED}")
_ANY_ONE = re.compile(r"\b(?:one|1|single)\b")
_MANY = re.compile(rf"\b(?!(?:one|1)\b)(?:{SHORT_NUMERAL}|\d{{1,9}}) {_COUNTED}")
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
        or _blurred(visible(claim), visible(support))
        or _count(said, ruled)
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


def _blurred(said: str, ruled: str) -> str | None:
    """Return how a claim blurs an amount that its support states as it is."""
    stated = dict(_bounded((_NEARLY,), said))
    if not stated or _INEXACT.search(ruled):
        return None
    kept = {figure.value for amount, _ in _bounded((_NEARLY, _ABOUT), ruled) for figure in amount}
    words = next(
        (words for amount, words in stated.items() if kept.isdisjoint(each.value for each in amount)), None
    )
    return f"amount: {words!r} is not in what the claim cites" if words else None


def _bounded(side: Side, text: str) -> Iterator[tuple[frozenset[Figure], str]]:
    """Yield each amount that is bounded, and the words that bound it: "6" and "six" are one amount."""
    for match in (match for pattern in side for match in pattern.finditer(text)):
        start = match.start("amount")
        word = _UNCOUNTED.match(text, start)
        if amount := figure_at(text, start) or frozenset([Figure(word[0].lower())] if word else []):
            yield amount, match[0].strip()


def _count(said: str, ruled: str) -> str | None:
    """Return whether a claim has one of what its support has several of: one is no figure elsewhere."""
    # "One of the two pilots", "two copies, one to be kept"
    if _ANY_ONE.search(ruled):
        return None
    changed = _counted(_ONE, said) & _counted(_MANY, ruled) - _counted(_MANY, said)
    return f"number: the claim has one {min(changed)!r}, what it cites several" if changed else None


def _counted(pattern: re.Pattern[str], text: str) -> frozenset[str]:
    return frozenset[str]().union(*(stems(match["of"]) for match in pattern.finditer(text)))


def _interval(said: str, ruled: str) -> str | None:
    known, stated = intervals(ruled), intervals(said)
    alike = not known or known.keys() & stated.keys()
    for interval, words in stated.items():
        # "A year" need not be "every year".
        named = alike and any(_NAMED[unit].search(ruled) for _, unit in lengths(interval))
        if interval not in known and not named:
            return f"interval: {words!r} is not in what the claim cites"
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
