"""Who, when, unless, by when, how much: the parts of a statement, by rules."""

from __future__ import annotations

import re

from rulerank.obligations.clauses import clauses
from rulerank.obligations.modality import LONGEST, Modal
from rulerank.obligations.readable import lowered
from rulerank.text import ENGLISH, language_of

PARTS = ("actor", "condition", "exception", "deadline", "amount")

Place = tuple[int, int]

_WORDS = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen"
    r"|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred)"
)
_NUMBER = rf"(?:\d[\d,]{{0,20}}(?:\.\d{{1,6}})?|{_WORDS}(?:[- ]{_WORDS})?(?: \(\d{{1,4}}\))?|an?)"
_DAYS = (
    r"(?:(?:calendar|business|working|trading|banking|consecutive|clear|financial|full) )?"
    r"(?:seconds?|minutes?|hours?|days?|weeks?|months?|quarters?|years?)\b"
)
_MONTH = r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"
_DATE = (
    rf"(?:\d{{1,2}}(?:st|nd|rd|th)? {_MONTH},? \d{{4}}|{_MONTH} \d{{1,2}}, \d{{4}}|{_MONTH} \d{{4}}"
    r"|\d{4}-\d\d-\d\d|\d{1,2}/\d{1,2}/\d{4})"
)
_UNTIL = r"(?= (?:must|shall|may(?! \d)|should|if|unless|where|except|is|are)\b|[,;:)]|\.(?: |$)|$)"
_SINCE = rf"(?:,? (?:of|after|from|following|before|prior to|beginning)\b[^,;:.()]{{0,120}}?{_UNTIL})?"

_DEADLINE = re.compile(
    rf"\b(?:(?:with)?in|for) (?:a |the )?(?:maximum |further )?period of (?:up to )?{_NUMBER} {_DAYS}{_SINCE}"
    rf"|\bwithin (?:the (?:first|next|following) )?{_NUMBER} {_DAYS}{_SINCE}"
    rf"|\b(?:no|not) (?:later|more|less|fewer|earlier) than {_NUMBER} {_DAYS} "
    rf"(?:after|before|from|following|prior to|of)\b[^,;:.()]{{0,120}}?{_UNTIL}"
    rf"|\b(?:no|not) later than\b[^,;:.()]{{1,120}}?{_UNTIL}"
    rf"|\bat least {_NUMBER} {_DAYS} (?:before|prior to|in advance)\b[^,;:.()]{{0,120}}?{_UNTIL}"
    rf"|\b(?:on or before|on or after|before|after|by|from|until|no later than)(?: the)? {_DATE}"
    rf"|\b(?:by|before|at) the end of\b[^,;:.()]{{1,80}}?{_UNTIL}"
    rf"|\b{_NUMBER} {_DAYS} (?:after|before|from|following|prior to)\b[^,;:.()]{{1,120}}?{_UNTIL}"
    r"|\b(?:immediately|forthwith|promptly|without (?:undue |unreasonable )?delay)\b"
    r"|\bas soon as (?:is )?(?:reasonably )?(?:practicable|possible|practical)\b|\bin a timely manner\b"
)

_SCALE = r"(?:hundred|thousand|million|billion|trillion)"
_UNIT = (
    r"(?:%|per ?cent\b|percentage points?\b|basis points?\b"
    rf"|(?:{_SCALE} )?(?:dollars?|cents|dirhams?|euros?|pounds?|pence|usd|aed|eur|gbp)\b"
    r"|(?:kilo|centi|milli)?met(?:re|er)s?\b|km\b|cm\b|mm\b|m\b|nautical miles?\b|miles?\b|feet\b|knots\b"
    r"|kilograms?\b|kg\b|tonnes?\b|tons?\b|lit(?:re|er)s?\b|degrees?\b|times\b|persons?\b|hectares?\b"
    rf"|{_DAYS})"
)
_AMOUNT = re.compile(
    r"(?:(?:us|a|c|hk)?[$€£¥]|\b(?:usd|aed|eur|gbp|chf|jpy|sgd|hkd)) ?\d[\d,]{0,20}(?:\.\d{1,6})?"
    rf"(?: ?(?:{_SCALE}|bn|mn|m|k)\b)?"
    rf"|\b(?:\d[\d,]{{0,20}}(?:\.\d{{1,6}})?|{_WORDS}(?:[- ]{_WORDS})?(?: \(\d{{1,4}}\))?)[ -]?{_UNIT}"
)

_BOUNDARY = re.compile(r"[:;—–] |\. (?=[A-Z(])|\0,? ?|(?:^|(?<=[:;—–] ))\(?\w{1,5}[.)] ")
_ADVERBIAL = re.compile(
    r"(?:(?:and )?(?:in|on|under|subject|for|without|notwithstanding|to|at|during|pursuant|with|by|from|as"
    r"|within|following|however|accordingly|therefore|further|furthermore|moreover|also|additionally|similarly"
    r"|thereafter|then|generally|otherwise|despite|having|prior|immediately|no later|not later)\b"
    r"[^,]{0,300}, )+"
)
_DUTY_OF = re.compile(
    r"\b(?:duty on|offence for|incumbent (?:up)?on|necessary for"
    r"|(?:duty|duties|responsibility|responsibilities) of) "
)
_HOLDER = re.compile(
    r"(?P<who>.{1,200}?) (?:(?:must|shall|should|may) )?(?:to|that|includes?|in respect of(?! wh))\b"
)
_TAIL = re.compile(
    r"(?:,? (?:also|therefore|further|always|at all times|generally|normally|only|and|or|will))?,? *$"
)
_DENIED = re.compile(r"[,;:)—]? ?(?P<who>(?:no|neither|nobody|none)\b.*?) (?:may|shall|must)\b")
_EXPLETIVE = re.compile(r"it|there")
_BARE = re.compile(r"\W*|\(?\w{1,5}[.)]|the|an?")
"""What is no subject: an article, a mark, or the marker of an item that begins with its verb."""
_PARTY = re.compile(r"A (?:must|shall|should|may|need|cannot|is|has)\b")
"""Somebody who is called by the letter: "A must tell B"."""
_CLAUSE = re.compile(r"(?:if|when|where|while|unless|until|once)\b")
"""What cannot begin a subject: a clause whose end was not found."""


def parts(sentence: str, stated: Modal | None) -> dict[str, list[Place]]:
    """Find the parts of a statement in English; one in another language is not divided.

    Parameters
    ----------
    sentence : str
        A statement, white space collapsed.
    stated : Modal or None
        What it states, as returned by `modal`.

    Returns
    -------
    dict of str to list of (start, end)
        The `PARTS` that the statement has, each in reading order and without overlap. A duration that belongs
        to a deadline is not an amount.

    """
    if language_of(sentence) is not ENGLISH:
        return {}
    sentence = sentence[:LONGEST]
    lower = lowered(sentence)
    found: dict[str, list[Place]] = {name: [] for name in PARTS}
    for clause in clauses(sentence):
        found[clause.kind].append((clause.start, clause.end))
    found["deadline"] = [match.span() for match in _DEADLINE.finditer(lower)]
    found["amount"] = [
        match.span()
        for match in _AMOUNT.finditer(lower)
        if not any(start <= match.start() < end for start, end in found["deadline"])
    ]
    if stated and stated.start < len(sentence) and (actor := _actor(sentence, lower, stated, found)):
        found["actor"] = [actor]
    return {name: places for name, places in found.items() if places}


def _actor(sentence: str, lower: str, stated: Modal, found: dict[str, list[Place]]) -> Place | None:
    """Return the grammatical subject of the modal words, or the holder of the duty."""
    if stated.modality == "definition":
        return None
    if (duty := _DUTY_OF.search(lower, stated.start)) and duty.start() <= stated.end + 1:
        holder = _HOLDER.match(lower, duty.end())
        return holder.span("who") if holder else None
    if denied := _DENIED.match(lower, stated.start):
        return denied.span("who")
    ahead = sentence[: stated.start]
    for start, end in (*found["condition"], *found["exception"]):
        if start < len(ahead) and ahead[start - 1 : start] != "(":
            ahead = ahead[:start] + "\0" * (min(end, len(ahead)) - start) + ahead[end:]
    ahead = ahead.rstrip("\0, ")
    start = max((match.end() for match in _BOUNDARY.finditer(ahead)), default=0)
    if adverbial := _ADVERBIAL.match(lowered(ahead), start):
        start = adverbial.end()
    tail = _TAIL.search(ahead, start)
    end = tail.start() if tail else len(ahead)
    expletive = sentence.startswith("is ", stated.start) and _EXPLETIVE.fullmatch(lower, start, end)
    bare = _BARE.fullmatch(lower, start, end) and not _PARTY.match(sentence, start)
    nobody = expletive or bare or _CLAUSE.match(lower, start)
    return (start, end) if start < end and not nobody else None
