"""The page of the measurement: every figure by the size of the corpus, and the targets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import polars as pl

from experiments.bench.rows import SCHEMA, Row
from experiments.million.build import TRAINING_QUESTIONS
from experiments.million.corpus import DIMENSION
from experiments.million.measure import ASKED, BEYOND, DENSE, LOAD, PASS, RESIDENT
from rulerank.evaluate.report import markdown_table

MOST_LOAD, MOST_RESIDENT, MOST_GROWTH, MOST_OF_PASS = 5.0, 4.0, 1.5, 1.2
"""Targets: seconds, GiB, and ratios."""

_PAGE = """\
# A million passages

{machine}.

Generated corpora of {sizes} passages. Texts are made-up words from a Zipf distribution, vectors are random
unit vectors of {dimension} numbers that cluster by topic, and {judged:,} generated training questions judge
the passages of each. Models, settings and encoder are those of {ranker}: their features are the same
columns on any corpus. Times show the cost of a corpus's size; rankings of made-up words mean nothing.

## {largest} passages

{bars}
## All figures

Every step has its own process. Single questions: p50 and p95 over all calls, {asked} questions {repeats}
times; `least` and `greatest` are the medians of the fastest and the slowest repeat. Files are in the
system's cache. Resident memory includes the touched pages of mapped files, and nearby pages that the
system maps at the same time and takes back when it needs them. What is not mapped from files stays.

{table}"""


def page(
    measured: Mapping[int, Sequence[Row]], machine: Mapping[str, str], ranker: Path, repeats: int
) -> str:
    """Return the page.

    Parameters
    ----------
    measured : mapping of int to sequence of Row
        The rows of each size, in passages.
    machine : mapping of str to str
        The machine that they were measured on.
    ranker : Path
        The ranker whose models were used.
    repeats : int
        How often single questions were asked.

    """
    rows = [{"passages": size, **row} for size, those in sorted(measured.items()) for row in those]
    table = pl.DataFrame(rows, schema={"passages": pl.Int64(), **SCHEMA})
    return _PAGE.format(
        machine="; ".join(f"{name} {value}" for name, value in machine.items()),
        sizes=" and ".join(f"{size:,}" for size in sorted(measured)),
        dimension=DIMENSION,
        judged=TRAINING_QUESTIONS,
        ranker=ranker,
        largest=f"{max(measured):,}",
        bars=markdown_table(bars(measured), digits=2),
        asked=ASKED,
        repeats=repeats,
        table=markdown_table(table.with_columns(pl.col("passages").cast(pl.String)), digits=2),
    )


def bars(measured: Mapping[int, Sequence[Row]]) -> pl.DataFrame:
    """Compare the largest corpus with the targets, and with the smallest corpus."""
    p50 = {
        size: {str(row["measurement"]): float(str(row["p50"])) for row in those}
        for size, those in measured.items()
    }
    small, large = p50[min(p50)], p50[max(p50)]
    found = {
        "load, s": (large[LOAD], MOST_LOAD),
        f"{RESIDENT}, GiB": (large[RESIDENT] / 1024, MOST_RESIDENT),
        f"{BEYOND}, over that at {min(p50):,} passages": (large[BEYOND] / small[BEYOND], MOST_GROWTH),
        f"{DENSE}, over {PASS}": (large[DENSE] / large[PASS], MOST_OF_PASS),
    }
    return pl.DataFrame(
        [{"measurement": name, "measured": value, "at most": most} for name, (value, most) in found.items()]
    )
