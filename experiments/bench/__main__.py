"""Measure an exported ranker: milliseconds, questions and pairs per second, memory.

    python -m experiments.bench [--bundle FOLDER] [--questions FILE]

Every measurement has a process of its own, so that its threads are those that the row states. Writes
outputs/bench/bench.md and bench.json. Run it on a quiet machine: `load before` says how busy it was.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import polars as pl
import typer
from rich.console import Console

from experiments.bench.by_hand import by_hand
from experiments.bench.first_answer import first_answer
from experiments.bench.fresh import fresh
from experiments.bench.latency import steps, whole
from experiments.bench.machine import machine
from experiments.bench.many import answers, extraction
from experiments.bench.questions import read_judged, spread_out
from experiments.bench.rows import SCHEMA, Row, value_row
from rulerank.bundle import MANIFEST
from rulerank.bundle.names import PASSAGE_TABLE
from rulerank.console import reported
from rulerank.errors import InputError
from rulerank.evaluate.report import markdown_table
from rulerank.files import write_json, write_text
from rulerank.tables import PASSAGES

WRITTEN = Path("outputs/bench")
ONE, TWO = 1, 2
QUESTIONS, REPEATS = 100, 3
"""Questions that are timed one by one, and how often everything is repeated."""

_PAGE = """\
# Bench

{machine}.

{bundle}: {passages} passages, {asked} questions. Single questions: p50 and p95 over all calls, {timed}
questions {repeats} times; `least` and `greatest` are the medians of the fastest and the slowest repeat.
All else: median, least and greatest of the repeats. `processor` is p50 by processor time, not by the clock.

{table}"""


def main(
    bundle: Annotated[Path, typer.Option(help="Folder of an exported ranker.")] = Path("outputs/bundle"),
    questions: Annotated[
        Path | None, typer.Option(help="Questions in the ObliQA format; by default those of validation.")
    ] = None,
) -> None:
    """Print one row per measurement."""
    with reported():
        if not (bundle / MANIFEST).is_file():
            raise InputError(bundle, "expected an exported ranker, found none. Run `make reproduce`.")
        facts = machine()
        passages, (queries, judgements) = (
            PASSAGES.map(bundle / PASSAGE_TABLE),
            read_judged(bundle, questions),
        )
        texts = spread_out(queries["text"], QUESTIONS)
        console = Console(highlight=False)
        rows = []
        for row in _measured(bundle, passages, queries, judgements, texts):
            rows.append(row)
            console.print(_said(row))
        page = _PAGE.format(
            machine="; ".join(f"{name} {value}" for name, value in facts.items()),
            bundle=bundle,
            passages=passages.height,
            asked=queries.height,
            timed=len(texts),
            repeats=REPEATS,
            table=markdown_table(pl.DataFrame(rows, schema=SCHEMA), digits=2),
        )
        write_json(WRITTEN / "bench.json", {"machine": facts, "rows": rows})
        write_text(WRITTEN / "bench.md", page)
    typer.echo(WRITTEN / "bench.md")


def _measured(
    bundle: Path, passages: pl.DataFrame, queries: pl.DataFrame, judgements: pl.DataFrame, texts: list[str]
) -> Iterator[Row]:
    for threads in (ONE, TWO):
        yield from fresh(threads, whole, bundle, texts, threads, REPEATS)
    yield from fresh(ONE, steps, bundle, texts, ONE, REPEATS)
    yield from fresh(ONE, by_hand, passages, queries, judgements, texts, ONE, REPEATS)
    # Two threads in all: one per worker, and none for the libraries.
    yield from fresh(ONE, answers, bundle, queries, judgements, TWO, REPEATS)
    starts = [fresh(ONE, first_answer, str(bundle), texts[0]) for _ in range(REPEATS)]
    for name in starts[0]:
        unit = "MiB" if "memory" in name or "USS" in name else "s"
        yield value_row(name, unit, ONE, [each[name] for each in starts])
    for workers in (ONE, TWO):
        yield from fresh(ONE, extraction, bundle, queries, ONE, workers, REPEATS)


def _said(row: Row) -> str:
    return f"{row['measurement']}: {row['p50']:,.2f} {row['unit']} (threads {row['threads']})"


if __name__ == "__main__":
    typer.run(main)
