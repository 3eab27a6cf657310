"""Which statements are titles and state nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rulerank.obligations.clauses import VERB
from rulerank.obligations.statements import Statement

LONGEST_TITLE = 15
"""The most words of a title."""

LONGEST_HEADING = 8
"""The most words of a heading that ends with a full stop: a longer sentence seldom lacks a verb."""

_NO_TITLE = re.compile(rf"\d|[^\w)”\"’']$|\b{VERB}\b")
"""A figure, the stop of a sentence, a verb: signs of something stated."""
_NO_HEADING = re.compile(
    r"(?:The|An?|This|These|That|Those|It|They|We|You|He|She|There|All|Each|Every|Any|No|Such|Some|Both)\b"
    r"|.*\b(?:contains|gives|governs|includes|means|provides|refers|requires)\b"
    r"|.* (?:allowed|forbidden|permitted|prohibited|required)$"
)
"""What a sentence begins with more often than a heading, verbs in none, and "Smoking prohibited."."""
_REFERS_BACK = re.compile(r"(?:It|They|He|She|One)\b")
_ASKING = re.compile(
    r"(?:When|Where|Who|Whom|How|What|Why|Which|Whether)(?: (?!must\b|shall\b|may\b)[\w’'-]+)+$"
)
"""A heading in the words of a question: "When notice is required."."""


def is_title(text: str) -> bool:
    """Whether the text of a statement is a title: a few words from a capital letter on, without a verb.

    Only the verbs that regulations use most are known: "Firms maintain records", without a stop, is a title.

    Parameters
    ----------
    text : str
        As of `Statement.text`.

    """
    return text[:1].isupper() and len(text.split()) <= LONGEST_TITLE and not _NO_TITLE.search(text)


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
    if sentence[-1] != "." or len(words.split()) > LONGEST_HEADING or _REFERS_BACK.match(following):
        return False
    return bool(_ASKING.match(words)) or (is_title(words) and not _NO_HEADING.match(words))
