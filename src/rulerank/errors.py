"""The errors and warnings that a user of rulerank can see."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from pathlib import Path

from rulerank.redact import redacted

TRAINED_ELSEWHERE = (
    "Or apply a ranker that was trained elsewhere to these passages: "
    "`rulerank index CORPUS --ranker BUNDLE --out FOLDER`."
)
"""What to do with passages that nobody has asked about."""


class RulerankError(Exception):
    """Base of every error that rulerank raises on purpose; it never shows a password of a URL."""

    def __init__(self, message: str) -> None:
        super().__init__(redacted(message))


class InputError(RulerankError):
    """A file or a table that cannot be used as it is.

    Parameters
    ----------
    source : path or str
        The file, or the name of the table, at fault.
    message : str
        What was expected, what came, and what to do next.
    line, column : int, optional
        Where in the file, both counted from 1.

    """

    def __init__(
        self,
        source: Path | str,
        message: str,
        *,
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        self.source = redacted(str(source))
        self.line = line
        self.column = column
        place = ":".join(str(part) for part in (source, line, column) if part is not None)
        super().__init__(f"{place}: {message}")


class SettingsError(RulerankError):
    """A key or a value in params.yaml that the pipeline does not accept."""


class BundleError(RulerankError):
    """An exported ranker that is missing, incomplete or changed since it was written."""


class ModelError(RulerankError):
    """A language model that cannot be reached, or whose answer is not of the form requested."""


class UnansweredError(ModelError):
    """A question that a language model's endpoint refuses or answers unreadably; it may answer others."""


def nearest(wanted: str, known: Iterable[str]) -> str:
    """Return the known name that is closest to a misspelt one; at least one must be known."""
    return difflib.get_close_matches(wanted, list(known), n=1, cutoff=0)[0]


class RulerankWarning(UserWarning):
    """Base of every warning that rulerank gives."""


class GrammarWarning(RulerankWarning):
    """A grammar of citations that does not fit its corpus; the message says what it missed."""


class DataWarning(RulerankWarning):
    """Input that was left out or repaired; the message says which and why."""
