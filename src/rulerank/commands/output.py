"""How the commands print a result."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rulerank.console import say_json
from rulerank.errors import DataWarning
from rulerank.passages import Passage


def print_json(value: Any) -> None:
    """Print one JSON value; a missing number is null, since JSON has no NaN."""
    say_json(without_nan(value))


def without_nan(value: Any) -> Any:
    """Return a JSON value with None for every NaN in it."""
    if isinstance(value, Mapping):
        return {key: without_nan(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [without_nan(each) for each in value]
    return None if isinstance(value, float) and math.isnan(value) else value


def warn_if_none(passages: Sequence[Passage]) -> None:
    """Warn that a ranking is empty: the ranker always finds passages, but none had taken effect."""
    if not passages:
        warnings.warn("none of the passages found had taken effect by that day", DataWarning, stacklevel=2)


def warn_of_replaced(out: Path, ranker: str | None) -> None:
    """Warn that the exported ranker in a folder was replaced, given as `known_as` names it; None is none."""
    if ranker is not None:
        warnings.warn(f"{out}: replaced the ranker that was there ({ranker})", DataWarning, stacklevel=2)


def shortened(text: str, limit: int = 300) -> str:
    """Return a text as one line of at most `limit` characters."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"
