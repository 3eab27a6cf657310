"""Which statements are titles and state nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rulerank.obligations.clauses import VERB
from rulerank.obligations.statements import Statement

LONGEST_TITLE = 15
"""The most words of a title."""

LONGEST_HEADING = 8
"""The most words of a heading that ends with a full stop: a longer sentence seldom lacks a verb.

A heading of an act, "Liability for …", "Part 3 – Sharing …", may be as long as a title.
"""

LONGEST_IN_CAPITALS = 30
"""The most words of a title in capitals."""

_NO_TITLE = re.compile(rf"\d|[^\w)”\"’']$|\b{VERB}\b")
"""A figure, the stop of a sentence, a verb: signs of something stated."""
_NO_HEADING = re.compile(
    r"(?:The|An?|This|These|That|Those|It|They|We|You|He|She|There|All|Each|Every|Any|No|Such|Some|Both)\b"
    r"|.*\b(?:applies|consists|contains|gives|governs|includes|lists|means|provides|refers|requires|sets)\b"
    r"|.+ Means\b"
    r"|.* (?:allowed|amended|deleted|forbidden|omitted|permitted|prohibited|repealed|required|revoked)$"
)
"""What a sentence begins with more often than a heading, verbs in none, and "Smoking prohibited."."""
_REFERS_BACK = re.compile(r"(?:It|They|He|She|One)\b")
_ASKING = re.compile(
    r"(?:When|Where|Who|Whom|How|What|Why|Which|Whether)(?: (?!must\b|shall\b|may\b)[\w’'-]+)+$"
)
"""A heading in the words of a question: "When notice is required."."""
_UNIT = (
    "(?:annex|appendix|article|category|categories|chapter|class|classes|clause|level|part|principle|regulation"
    "|rule|schedule|section|stage|step|table|tier)s?"
)
_LABEL = r"\(?[A-Z]?\d+[A-Z]?(?:\.\d+)*(?:\(\w{1,5}\))*(?!\w|[.,]\d|%)\)?"
_NAME = re.compile(
    rf"\b(?i:{_UNIT}) {_LABEL}(?:(?:, {_LABEL})*,? (?:and|or|to) {_LABEL})?(?!, [A-Z])"
    r"|\b[A-Z]+\d{1,2}\b(?!\.\d)|\((?:[A-Z][a-z]+ )?(?:19|20)\d\d\)$"
)
"""A number that is a name: "Categories 3B and 4", "Section 92(2)", "CET1", and the year of a publication."""
_OF_A_ROW = re.compile(
    r"[=+;]|: [(a-z]|\b(?i:only|one|two|three|four|five|six|seven|eight|nine|ten|hundred|thousand)\b|\baccord"
)
"""Signs of a formula, a list or the row of a table."""
_OPENS_HEADING = re.compile(rf"(?i:{_UNIT}) {_LABEL} ?[–—-] ?(?=[A-Z])")
"""The number of a heading that runs into its passage: "Part 3 - Anchors."."""
_ACT = re.compile(
    r"(?:[A-Z][\w’'-]* )?\w+(?:tion|sion|ment|ity|ance|ence|ncy)s? (?:about|at|for|from|in|of|on|to|with)\b"
    r"(?!.*[a-z]s (?:the|an?|its|their|his|any|every|each|no)\b"
    r"|.*\b(?:unless|until|amounts to|attracts|becomes|carries|ceases|constitutes|counts|depends|ends"
    r"|entitles|expires|extends|falls|lapses|lasts|lies|makes|passes|precludes|prevents|remains|rests|runs|takes|vests)\b)"
)
"""A heading that names an act, "Liability for delay", in which no word seems to be a verb with its object."""
_ACTING = re.compile(r"[A-Z][a-z]+ing\b")
_DIVISION = re.compile(r"(?:annex|appendix|article|chapter|part|principle|schedule|section)\b", re.I)
"""What has a heading more often than a sentence after its number, unlike "Step 2 – Deduct the fee"."""
_PLURAL_SUBJECT = re.compile(
    r"[A-Z][a-z]+s (?!(?:about|and|at|by|for|from|in|of|on|or|to|under|with)\b)[a-z]+"
    r" (?:the|an?|its|their|all)\b"
)
"""The beginning of "Firms treat their customers fairly"."""
_SUBJECT = rf"(?:(?!{VERB}\b)[\w’'-]+ )"
_CLAUSE = re.compile(rf" (?:(?:that|which|who) {VERB}\b|(?:in|on|under|to) which {_SUBJECT}+{VERB}\b)")
"""What is said about a noun in its title: "insurers that are companies"."""


def is_title(text: str) -> bool:
    """Whether the text of a statement is a title: a few words from a capital letter on, without a verb.

    A short question is one, too. Numbers that are names and a verb in one clause about a noun are no signs of
    something stated. Only the verbs that regulations use most are known: "Firms maintain records", without a
    stop, is a title.

    Parameters
    ----------
    text : str
        As of `Statement.text`.

    """
    if _is_plain_title(text) or _is_in_capitals(text):
        return True
    if text.endswith("?"):
        return len(text.split()) <= LONGEST_TITLE
    if len(text.split()) > LONGEST_TITLE or _OF_A_ROW.search(text):
        return False
    bare = _CLAUSE.sub("", _NAME.sub("X", text), count=1)
    return _is_plain_title(bare) and not _NO_HEADING.match(bare)


def _is_plain_title(text: str) -> bool:
    return text[:1].isupper() and len(text.split()) <= LONGEST_TITLE and not _NO_TITLE.search(text)


def _is_in_capitals(text: str) -> bool:
    return (
        text.isupper()
        and len(text.split()) <= LONGEST_IN_CAPITALS
        and not (
            _NO_TITLE.search(text.lower()) or _OF_A_ROW.search(text) or _NO_HEADING.match(text.capitalize())
        )
    )


def without_heading(said: Sequence[Statement]) -> Sequence[Statement]:
    """Return the statements of a passage without the heading that its first sentence may be.

    Many rulebooks run a heading into the text: "Record keeping. A firm must …".

    Parameters
    ----------
    said : sequence of Statement
        As returned by `statements`.

    """
    return said[1:] if len(said) > 1 and _is_heading(said[0].text, said[1].text) else said


def _is_heading(sentence: str, following: str) -> bool:
    """Whether a sentence is a heading despite its full stop; the one after it may refer back to it."""
    words = sentence.rstrip(" .")
    bare = _OPENS_HEADING.sub("", words)
    counted = bare if _DIVISION.match(words) and not _PLURAL_SUBJECT.match(bare) else words
    long = _ACT.match(counted) or (counted != words and _ACTING.match(counted))
    longest = LONGEST_TITLE if long else LONGEST_HEADING
    if sentence[-1] != "." or len(counted.split()) > longest or _REFERS_BACK.match(following):
        return False
    titled = _is_plain_title(bare)
    return bool(_ASKING.match(words)) or (titled and not _NO_HEADING.match(words))
