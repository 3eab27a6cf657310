"""A small land registry: titles, liens that burden them, and releases that void the liens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

import polars as pl
import pytest

from rulerank.authority.domain import Domain


@pytest.fixture(scope="session")
def table() -> Callable[..., pl.DataFrame]:
    """Documents from rows of id, type, day of May 2020 (0: no timestamp), and scope values."""

    def _table(rows: Sequence[tuple], keys: Sequence[str] = ("plot",)) -> pl.DataFrame:
        return pl.DataFrame(
            {
                "document_id": pl.Series([row[0] for row in rows], dtype=pl.String),
                "type": pl.Series([row[1] for row in rows], dtype=pl.String),
                "text": pl.Series([f"{row[1]} {row[0]}" for row in rows], dtype=pl.String),
                "timestamp": pl.Series(
                    [datetime(2020, 5, row[2]) if row[2] else None for row in rows], dtype=pl.Datetime("us")
                ),
                "scope": pl.Series(
                    [dict(zip(keys, row[3:], strict=True)) for row in rows],
                    dtype=pl.Struct(dict.fromkeys(keys, pl.String)),
                ),
            }
        )

    return _table


@pytest.fixture(scope="session")
def registry() -> Domain:
    """A lien voids a title and a release voids a lien, both within one plot."""
    return Domain(
        anchor_type="title",
        superseding_type=["lien", "release"],
        scope_keys="plot",
        rules=[["lien", "title"], ["release", "lien"]],
    )
