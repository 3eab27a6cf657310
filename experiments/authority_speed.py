"""Print how long it takes to order generated documents by supersession, all at once and one by one."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import numpy as np
import polars as pl
from rich.console import Console
from rich.table import Table

from rulerank.authority.domain import Domain
from rulerank.authority.live import LiveOrder
from rulerank.authority.rules import supersession
from rulerank.authority.sides import Document
from rulerank.console import reported

DOMAIN = Domain(
    anchor_type="rule",
    superseding_type=["amendment", "repeal"],
    scope_keys=["topic"],
    rules=[["amendment", "rule"], ["amendment", "amendment"], ["repeal", ["rule", "amendment"]]],
)
TYPES = ("rule", "amendment", "repeal")
DOCUMENTS = 1_000_000
CHANGES, ASKED = 1_000, 10
SCOPES = (3, 300_000)
DAYS = 20_000
SEED = 7


def main() -> None:
    """Print one row per number of scopes.

    The row has the voided documents and the seconds to order all at once. For `CHANGES` documents, one after
    another, it has the microseconds to insert one, to find what controls it (for `ASKED` of them), and to
    withdraw it: median and 99th percentile. All times are processor time. The last column tells whether the
    resulting order equals that of all at once.
    """
    table = Table(title=f"The order of {DOCUMENTS:,} documents", pad_edge=False)
    for name in ("scopes", "voided", "s", "insert, us", "what controls, us", "withdraw, us", "as rebuilt"):
        table.add_column(name, justify="right")
    for scopes in SCOPES:
        documents = _documents(scopes, DOCUMENTS + CHANGES)
        stock, arrivals = documents[:DOCUMENTS], documents[DOCUMENTS:]
        start = time.process_time()
        order = supersession(stock, DOMAIN, "generated")
        seconds = time.process_time() - start
        live = LiveOrder.of(stock, DOMAIN)
        inserted, told, withdrawn = _change(live, [Document(*row) for row in arrivals.iter_rows()])
        same = all(
            live.superseded(name) == void
            for name, void in zip(stock["document_id"], order.superseded.tolist(), strict=True)
        )
        times = (_spread(each) for each in (inserted, told, withdrawn))
        voided = f"{order.superseded.sum():,}"
        table.add_row(f"{scopes:,}", voided, f"{seconds:.1f}", *times, "yes" if same else "no")
    Console(highlight=False).print(table)


def _change(live: LiveOrder, arrivals: list[Document]) -> tuple[list[int], list[int], list[int]]:
    """Insert documents one by one, ask what is in force above each, withdraw them; return nanoseconds."""
    names = [each.document_id for each in arrivals]
    return (
        [_timed(live.insert, each) for each in arrivals],
        [_timed(live.controlling, [name]) for name in names[:ASKED]],
        [_timed(live.withdraw, name) for name in names],
    )


def _timed(work: Callable[[Any], object], subject: Any) -> int:
    start = time.process_time_ns()
    work(subject)
    return time.process_time_ns() - start


def _spread(nanoseconds: list[int]) -> str:
    median, high = np.percentile(nanoseconds, (50, 99)) / 1000
    return f"{median:.0f} / {high:.0f}"


def _documents(scopes: int, count: int) -> pl.DataFrame:
    """Return documents with evenly drawn types, days and scopes."""
    generator = np.random.default_rng(SEED)
    days = generator.integers(0, DAYS, count).tolist()
    first = datetime(1970, 1, 1)
    return pl.DataFrame(
        {
            "document_id": pl.int_range(count, eager=True).cast(pl.String),
            "type": pl.Series(TYPES)[generator.integers(0, len(TYPES), count)],
            "timestamp": [first + timedelta(days=day) for day in days],
            "topic": pl.Series(generator.integers(0, scopes, count)).cast(pl.String),
        }
    ).select("document_id", "type", "timestamp", scope=pl.struct("topic"))


if __name__ == "__main__":
    with reported():
        main()
