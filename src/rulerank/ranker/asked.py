"""What a ranker is asked, checked before it works."""

from __future__ import annotations

import numpy as np
import polars as pl

from rulerank.errors import InputError
from rulerank.tables.table import Table

ASKED = Table(
    "questions",
    {"query_id": pl.String(), "text": pl.String()},
    key=("query_id",),
    nullable=frozenset({"text"}),  # refused below, in words of its own
    open_ended=True,
)


def require_at_least(name: str, least: int, found: object) -> None:
    """Raise InputError for what is no whole number, or one below `least`."""
    if not isinstance(found, int | np.integer):
        raise InputError(name, f"expected a whole number, found {found!r}.")
    if found < least:
        raise InputError(name, f"expected at least {least}, found {found}.")


def require_questions(queries: pl.DataFrame) -> None:
    """Raise InputError unless every question has an id of its own, a string, and a text."""
    ASKED.check(queries, "queries")
    silent = queries.filter(pl.col("text").fill_null("").str.strip_chars() == "")
    if silent.height:
        raise InputError(
            "queries",
            f"every question needs its text, found none for {silent['query_id'][0]!r}. Leave it out.",
        )
