"""Checks of a ranker's arguments before it starts work."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any

import numpy as np
import polars as pl

from rulerank.errors import InputError
from rulerank.tables.table import Table
from rulerank.text import require_question

QUESTIONS = Table(
    "questions",
    {"query_id": pl.String(), "text": pl.String()},
    key=("query_id",),
    nullable=frozenset({"text"}),  # refused below, with a separate message
    open_ended=True,
    advice="Correct the frame.",
)


def require_at_least(name: str, least: int, value: object) -> None:
    """Raise InputError unless `value` is a whole number of at least `least`."""
    if not isinstance(value, int | np.integer) or isinstance(value, bool):
        raise InputError(name, f"expected a whole number, found {value!r}. Give one.")
    if value < least:
        raise InputError(name, f"expected at least {least}, found {value}. Give a larger number.")


def require_shown(k: object, reasons: object) -> None:
    """Raise InputError unless `k` and `reasons` are valid numbers of passages and of reasons."""
    require_at_least("k", 1, k)
    require_at_least("reasons", 0, reasons)


def require_weights(name: str, weights: object) -> None:
    """Raise InputError unless `weights` is a sequence of numbers from 0 to 1."""
    if isinstance(weights, str) or not isinstance(weights, Sequence):
        raise InputError(name, f"expected a list of numbers, found {weights!r}. Give a list.")
    for place, weight in enumerate(weights):
        number = isinstance(weight, int | float | np.number) and not isinstance(weight, bool)
        if not number or not 0 <= weight <= 1:
            raise InputError(
                f"{name}[{place}]", f"expected a number from 0 to 1, found {weight!r}. Correct it."
            )


def require_folder(path: object) -> None:
    """Raise InputError unless `path` can name a folder."""
    if not isinstance(path, str | os.PathLike):
        raise InputError(
            "path", f"expected the folder of an exported ranker, found {path!r}. Name the folder."
        )


def require_day(as_of: object) -> date:
    """Return the requested day, today for None; InputError unless it is a `datetime.date`.

    A `datetime` cannot be compared with a date, and its time zone may be unknown.
    """
    if as_of is None:
        return date.today()
    if not isinstance(as_of, date) or isinstance(as_of, datetime):
        raise InputError("as_of", f"expected a datetime.date, found {as_of!r}. Give a day.")
    return as_of


def require_listed(name: str, given: object, what: str) -> list[Any]:
    """Return what any iterable holds as a list; InputError unless it is a list, a column or the like.

    Parameters
    ----------
    name : str
        What errors call the argument.
    given : object
        The argument.
    what : str
        What it should hold, for the message.

    """
    # A frame gives the names of its columns, and a mapping its keys, which may be texts as well.
    keyed = isinstance(given, str | bytes | Mapping) or hasattr(given, "columns")
    if keyed or not isinstance(given, Iterable):
        raise InputError(
            name, f"expected a list or a column of {what}, found {type(given).__name__}. Give one."
        )
    return list(given)


def require_texts(name: str, texts: object) -> list[str]:
    """Return questions in a list; InputError unless they are some, and the message names the one at fault."""
    listed = require_listed(name, texts, "questions")
    for place, text in enumerate(listed):
        require_question(text, f"{name}[{place}]")
    return listed


def require_model(model: str, models: Sequence[str]) -> None:
    """Raise InputError unless `model` is one of the bundle's models."""
    if not isinstance(model, str) or model not in models:
        raise InputError(
            "model",
            f"expected a model of this bundle, {_listed(models)}, found {model!r}. Choose one of them.",
        )


def _listed(names: Sequence[str]) -> str:
    return " or ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def require_questions(queries: pl.DataFrame) -> None:
    """Raise InputError unless every question has a unique id, which is a string, and a text."""
    QUESTIONS.check(queries, "queries")
    silent = queries.filter(pl.col("text").fill_null("").str.strip_chars() == "")
    if silent.height:
        raise InputError(
            "queries",
            f"every question needs its text, found none for {silent['query_id'][0]!r}. Leave it out.",
        )
