"""Which statements are titles and state nothing."""

from __future__ import annotations

import re

from rulerank.obligations.clauses import VERB

LONGEST_TITLE = 15
"""The most words of a title."""

_NO_TITLE = re.compile(rf"\d|[^\w)”\"’']$|\b{VERB}\b")
"""A figure, the stop of a sentence, a verb: signs of something stated."""


def is_title(text: str) -> bool:
    """Whether the text of a statement is a title: a few words from a capital letter on, without a verb.

    Only the verbs that regulations use most are known: "Firms maintain records", without a stop, is a title.

    Parameters
    ----------
    text : str
        As of `Statement.text`.

    """
    return text[:1].isupper() and len(text.split()) <= LONGEST_TITLE and not _NO_TITLE.search(text)
