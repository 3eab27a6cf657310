"""Print how long it takes to order generated documents by supersession."""

from __future__ import annotations

import time
from datetime import datetime, timedelta

import numpy as np
import polars as pl
from rich.console import Console
from rich.table import Table

from rulerank.authority.domain import Domain
from rulerank.authority.rules import supersession
from rulerank.console import reported

DOMAIN = Domain(
    anchor_type="rule",
    superseding_type=["amendment", "repeal"],
    scope_keys=["topic"],
    rules=[["amendment", "rule"], ["amendment", "amendment"], ["repeal", ["rule", "amendment"]]],
)
TYPES = ("rule", "amendment", "repeal")
DOCUMENTS = 1_000_000
SCOPES = (3, 300_000)
DAYS = 20_000
SEED = 7


def main() -> None:
    """Print one row per number of scopes: the voided documents and the seconds of processor time."""
    table = Table(title=f"The order of {DOCUMENTS:,} documents", pad_edge=False)
    for name in ("scopes", "voided", "seconds of processor time"):
        table.add_column(name, justify="right")
    for scopes in SCOPES:
        documents = _documents(scopes)
        start = time.process_time()
        order = supersession(documents, DOMAIN, "generated")
        seconds = time.process_time() - start
        table.add_row(f"{scopes:,}", f"{order.superseded.sum():,}", f"{seconds:.1f}")
    Console(highlight=False).print(table)


def _documents(scopes: int) -> pl.DataFrame:
    """Return documents of evenly drawn types, days and scopes."""
    generator = np.random.default_rng(SEED)
    days = generator.integers(0, DAYS, DOCUMENTS).tolist()
    first = datetime(1970, 1, 1)
    return pl.DataFrame(
        {
            "document_id": pl.int_range(DOCUMENTS, eager=True).cast(pl.String),
            "type": pl.Series(TYPES)[generator.integers(0, len(TYPES), DOCUMENTS)],
            "timestamp": [first + timedelta(days=day) for day in days],
            "topic": pl.Series(generator.integers(0, scopes, DOCUMENTS)).cast(pl.String),
        }
    ).select("document_id", "type", "timestamp", scope=pl.struct("topic"))


if __name__ == "__main__":
    with reported():
        main()
