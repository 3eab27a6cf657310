"""The ids, kinds and days of published records, in forms that every file of the pipeline can hold."""

from __future__ import annotations

import re
import unicodedata
from datetime import date
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field

from rulerank.tables import KINDS, OTHER_NODES


def _one_word(key: str) -> str:
    if key.split() != [key]:
        raise ValueError("expected an id without white space, which separates the fields of TREC files")
    return key


def listed(value: Any) -> Any:
    """Return what may be given alone or in a list as a list."""
    return [value] if isinstance(value, str | int) else value


Key = Annotated[str, AfterValidator(_one_word)]
"""The id of a passage or a question, in a form that any file of the pipeline can hold."""


def passage_key(key: str) -> str:
    """Return the id of a passage, which the graph must not take for a document, a term or a name."""
    if key.startswith(OTHER_NODES):
        raise ValueError(
            f"expected an id that begins with none of {', '.join(OTHER_NODES)}, which name other nodes"
        )
    return key


def writable(key: str) -> str:
    """Return the id of a passage or document, which any file of the graph can hold."""
    if any(unicodedata.category(sign) == "Cc" or sign in "\ufffe\uffff" for sign in key):
        raise ValueError("expected an id without control characters, which XML cannot hold")
    return key


def _visible(key: str) -> str:
    if any(unicodedata.category(sign) == "Cf" for sign in key):
        raise ValueError("expected an id without invisible characters, which would look like another id")
    return key


PassageKey = Annotated[Key, AfterValidator(writable), AfterValidator(_visible), AfterValidator(passage_key)]
"""The id of a passage that is read from a corpus."""
DocumentKey = Annotated[
    str, AfterValidator(str.strip), Field(min_length=1), AfterValidator(writable), AfterValidator(_visible)
]
"""The id of a document, without the white space around it."""
Label = Annotated[str | None, AfterValidator(lambda label: " ".join((label or "").split()) or None)]
"""What a rule is about, or to which group a question belongs; a blank one is none."""


def _known(kind: str) -> str:
    if kind not in KINDS:
        raise ValueError(f"expected one of {', '.join(KINDS)}")
    return kind


Kind = Annotated[str, AfterValidator(_known)]
"""The kind of a passage."""


_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)


def moment_stated(when: Any) -> Any:
    """Return a value that begins with an ISO date; a number, even as text, would pass as Unix time."""
    if isinstance(when, date) or (isinstance(when, str) and _DAY.match(when)):
        return when
    raise ValueError("expected an ISO date and time such as 2026-03-01T09:00:00Z")


def _day_stated(when: Any) -> Any:
    """Return an ISO date; which day a time falls on depends on its zone, even at midnight."""
    if type(when) is date or (isinstance(when, str) and _DAY.fullmatch(when)):
        return when
    raise ValueError("expected an ISO date such as 2026-03-01, without a time")


Day = Annotated[date, BeforeValidator(_day_stated)]
"""A day such as `2026-03-01`."""
