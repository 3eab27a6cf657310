"""Whether a change names a time from which no day is read: "at the end of three years from 1 May 2020"."""

from __future__ import annotations

import re

from rulerank.authority.days import DATE
from rulerank.authority.period import first_day, last_day

_DONE = "made", "issued", "published", "adopted", "approved", "laid", "given", "signed"
_MADE = "".join(f"(?<!{done} on )" for done in _DONE)
_LONG = r"(?:day|week|month|year)s?"
_TIME = re.compile(
    rf"{_MADE}(?<!dated )(?<!\bof )\b(?:{DATE})"
    r"|(?i:\b(?:from|since|until|during|after|before|in)(?: the year)? (?:19|20)\d\d\b"
    r"|\b(?:beginning|start|close|end) of"
    r"(?:(?: the)?(?: year)? \d| (?:the|a|that) (?:[\w-]{1,20} )?(?:period|year|quarter|month)\b)"
    rf"|\bend of (?:the )?\w+ {_LONG}\b|\b\w+ {_LONG} (?:after|from|later|following)\b"
    r"|\banniversary of\b|\bexpir(?:y|ation) of\b"
    r"|\b(?:financial|calendar) years?\b|\bmidnight\b|\b(?:such|a) (?:day|date) (?:as|to be)\b"
    r"|\bthe (?:day|date) (?:after|before|following|(?:on|from) which (?!(?:this|these|it|they)\b)))"
)
"""When a change may begin or end; a day on which something was made is none."""
_PERIOD = re.compile(r"\b(?:for|during) (?:the|a) (?:[\w-]{1,20} )?(?:period|term)\b", re.IGNORECASE)


def undated(sentence: str) -> bool:
    """Return whether a sentence says when a change begins or ends, and no day of that is read.

    Parameters
    ----------
    sentence : str
        The change, its quotations blotted out.

    """
    last = last_day(sentence)
    if not last and _PERIOD.search(sentence):
        return True
    return _TIME.search(sentence) is not None and not (last or first_day(sentence))
