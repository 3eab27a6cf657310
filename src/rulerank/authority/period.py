"""The first and the last day of a change, as its text names them: "From 1 May 2020, Rule 2 is repealed"."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache
from itertools import chain

from rulerank.authority.amending import amending, sentences_about_no_rule
from rulerank.authority.days import DATE, KOREAN, ONLY_MONTH, days
from rulerank.text import language_of
from rulerank.text.english_phrases import CEASES, ITSELF, LAPSE, NO_EFFECT, RULE

_DAY = re.compile(rf"(?i:\b(?P<end>after|the end of) )?(?:the )?(?:{DATE}|{ONLY_MONTH})")
_ON = r"(?:on and from|on and after|from and including|as from|from|as of|on)"
_BEGINNING = r"(?<!year )(?<!years )(?<!months )(?<!weeks )(?<!days )(?:commencing|beginning)"
"""What ends "at the end of three years beginning with 1 May 2020" does not end on that day."""
_OWN = (
    rf"(?:(?<!cease to have )(?<!ceases to have )effect {_ON}|effective(?: {_ON})?"
    rf"|(?:commences|begins) {_ON}|{_BEGINNING} (?:with|{_ON})"
    rf"|(?:comes?|enters?|brought) into (?:force|effect|operation) {_ON})"
)
_ENDS = (
    r"(?:(?:is|are|be)(?: hereby)? (?:repealed|revoked|omitted|deleted|rescinded|struck out|suspended|waived)"
    rf"|{CEASES}|ceases? to apply)"
)
_ANY = (
    rf"(?:{_OWN}|{_ENDS} (?:on|at|immediately before)|{_BEGINNING}"
    r"|on and after|on and from|from(?: and including)?|as of|as from)"
)
_SINCE, _IN_FORCE = (
    re.compile(rf"(?i:\b{lead}(?P<end> the end of)?)(?: the)? (?:{DATE}|{ONLY_MONTH})")
    for lead in (_ANY, rf"(?:{_OWN}|(?:they|it) (?:shall )?{CEASES} (?:on|at))")
)
_OPENING = re.compile(rf"^(?:\(\w+\) )?(?i:on|(?P<end>after|at the end of))(?: the)? (?:{DATE}|{ONLY_MONTH})")
"""A day that opens the sentence of the change."""
_BETWEEN = re.compile(rf"^(?:\(\w+\) )?(?i:between)(?: the)? (?:{DATE})")
_LAPSES = re.compile(
    rf"(?i:(?P<end>{RULE} (?:{LAPSE}|(?:{NO_EFFECT}|(?:do|does|shall|will) not apply) after)"
    rf"|^(?:\(\w+\) )?{ITSELF} {LAPSE})(?: the end of)?)(?: the)? (?:{DATE})"
)
"""The last day of the rule that is changed, or of the document whose end is the change."""
_UNTIL = re.compile(
    r"(?:^|\0 |\b(?:effect|repealed|revoked|suspended|waived|disapplied|delayed|deferred|postponed|stayed"
    r"|not (?:be )?required) )"
    rf"(?i:until)(?: and including| the end of)? (?:{DATE})"
)
_EXPIRES = re.compile(
    rf"(?i:{ITSELF} (?:{LAPSE}|(?:(?:shall|will) )?{CEASES} (?:(?P<before>on)|at)))"
    rf"(?: the end of)?(?: the)? (?:{DATE})"
)
"""The last day of the changing text itself."""
_BEGUN = re.compile(
    rf"(?i:^((?:\(\w+\) )?{ITSELF}) [^.;:]{{0,200}}?(?:comes?|enters?) into (?:force|operation|effect)\b"
    r"[^.;:]{0,200}?\band (?=(?:(?:shall|will) )?(?:ceases?|expires?|lapses?)\b))"
)
"""The beginning of a text that also says when it ends; its end is the change."""
_KEPT = re.compile(
    r",? (?:except(?: for)?|other than|save(?: for)?|apart from|with the exception of) [^.;:]{1,120}?,"
    r" which [^.;:,]*",
    re.IGNORECASE,
)
"""What becomes of a rule that is left out: "except rule 2, which ceases to have effect on 1 May 2030"."""
_THEN_UNTIL = re.compile(
    r",? (?:until|to|up to|(?:and )?ending (?:with|on|at))(?: and including| the end of)?(?: the)? "
    rf"(?:{DATE})"
)
_AND = re.compile(rf" and(?: the)? (?:{DATE})")
_KOREAN_DAY = re.compile(KOREAN)
_KOREAN_SINCE = re.compile(rf"{KOREAN} ?부터")
_KOREAN_IN_FORCE = re.compile(rf"{KOREAN} ?부터 (?:시행|효력)")
_KOREAN_UNTIL = re.compile(rf"(?:^(?=[^까]{{1,20}}까지(?:,| 제\d| 「))|부터 ){KOREAN} ?까지")


def stated_since(text: str, evidence: str = "") -> date | None:
    """Return the first day that a text names as its own beginning, if it names one.

    Parameters
    ----------
    text : str
        A passage that changes another. A date inside quotation marks is part of the rule that it changes.
    evidence : str, optional
        The words of the text that state the change. A date in their sentence comes first; in another
        sentence, only the day on which something takes effect counts.

    """
    said = amending(text, evidence)
    return first_day(said.own) or first_day(said.plain) or _commencement(sentences_about_no_rule(text))


def stated_until(text: str, evidence: str = "") -> date | None:
    """Return the last day of a change that a text limits in time, if it names one.

    Only a day that opens the sentence of the change counts, or one after its first day, or after the words
    that are put in place: "a permit held until 1 May 2020" says nothing about the change. So does the day on
    which the text itself ends: "This rule expires on 1 May 2020".
    """
    said = amending(text, evidence)
    if last := last_day(said.own) or last_day(said.plain):
        return last
    # What a text has repealed does not come back when the text ends.
    if language_of(said.text).changes.repeal.search(said.plain):
        return None
    return _expiry(amending(text).plain)


def first_day(sentence: str) -> date | None:
    """Return the first day of the change that a sentence makes, if it names one."""
    sentence = _BEGUN.sub(r"\1 ", _KEPT.sub("", sentence))
    # "Rule 1 is suspended until 1 May 2030, and rule 2 applies until 1 June 2031": another rule lapses.
    lapsing = () if _first(_UNTIL, sentence) and not _lapses(sentence) else (_LAPSES,)
    patterns = (_BETWEEN, _OPENING, *lapsing, _SINCE, _KOREAN_SINCE)
    return next(filter(None, (_first(pattern, sentence) for pattern in patterns)), None)


def last_day(sentence: str) -> date | None:
    """Return the last day of the change that a sentence makes, if it names one."""
    for begun, ended in ((_BETWEEN, _AND), (_SINCE, _THEN_UNTIL)):
        since = begun.search(sentence)
        then = since and ended.match(sentence, since.end())
        if then and (day := _first(ended, then[0])):
            return day
    last = _first(_UNTIL, sentence) or _first(_KOREAN_UNTIL, sentence)
    # "Rule 2 has effect until 1 May 2030": that is the last day of the rule, not of the change.
    return None if _lapses(sentence) else last


def _lapses(sentence: str) -> bool:
    """Return whether the day until which something is so is the last day of a rule."""
    until, lapse = _UNTIL.search(sentence), _LAPSES.search(sentence)
    return until is not None and lapse is not None and until.end() == lapse.end()


# A text that changes many rules says this once.
@lru_cache(maxsize=64)
def _commencement(plain: str) -> date | None:
    """Return the first day of all that a text says."""
    return _first(_IN_FORCE, plain) or _first(_KOREAN_IN_FORCE, plain)


@lru_cache(maxsize=64)
def _expiry(plain: str) -> date | None:
    """Return the last day of all that a text says."""
    return _first(_EXPIRES, plain)


def days_of(text: str) -> frozenset[date]:
    """Return the days that a text may name as its first or last: "after 30 April 2020" is 1 May, too."""
    whole = amending(text).text
    return frozenset(chain.from_iterable(days(each, whole) for each in (_DAY, _KOREAN_DAY, _EXPIRES)))


def _first(pattern: re.Pattern[str], text: str) -> date | None:
    """Return the first day that a pattern finds."""
    return next(days(pattern, text), None)
