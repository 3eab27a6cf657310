"""Measure how loading, answering and memory grow with the corpus, from ObliQA's size to a million passages.

    python -m experiments.million [--passages 13732] [--passages 1000000] [--ranker FOLDER]

Corpora, vectors and judgements are generated; models, settings and encoder are those of a trained ranker.
Writes a bundle per size, and million.md and million.json, to outputs/million.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from experiments.bench.fresh import fresh
from experiments.bench.machine import machine
from experiments.bench.rows import Row, value_row
from experiments.million.build import build
from experiments.million.corpus import write_corpus
from experiments.million.measure import beyond, generators, loading
from experiments.million.page import page
from rulerank.bundle import MANIFEST
from rulerank.console import reported
from rulerank.errors import InputError
from rulerank.files import write_json, write_text

WRITTEN = Path("outputs/million")
SIZES = (13_732, 1_000_000)
THREADS, REPEATS = 1, 3


def main(
    passages: Annotated[list[int] | None, typer.Option(min=2, help="Passages; may be repeated.")] = None,
    ranker: Annotated[Path, typer.Option(help="Folder of an exported ranker.")] = Path("outputs/bundle"),
) -> None:
    """Measure one bundle per size."""
    with reported():
        if not (ranker / MANIFEST).is_file():
            raise InputError(ranker, "expected an exported ranker, found none. Run `make reproduce`.")
        facts = machine()
        console = Console(highlight=False)
        measured: dict[int, list[Row]] = {}
        for size in passages or SIZES:
            measured[size] = []
            for row in _measured(size, ranker):
                measured[size].append(row)
                console.print(f"{size:,} passages: {row['measurement']}: {row['p50']:,.2f} {row['unit']}")
        write_json(WRITTEN / "million.json", {"machine": facts, "rows": measured})
        write_text(WRITTEN / "million.md", page(measured, facts, ranker, REPEATS))
    typer.echo(WRITTEN / "million.md")


def _measured(size: int, ranker: Path) -> Iterator[Row]:
    corpus, bundle = WRITTEN / str(size) / "corpus", WRITTEN / str(size) / "bundle"
    # A corpus is written whole, and a seed always gives the same corpus.
    if not corpus.is_dir():
        fresh(THREADS, write_corpus, corpus, size)
    for name, value in fresh(THREADS, build, corpus, ranker, bundle).items():
        yield value_row(name, "GiB" if "memory" in name else "s", THREADS, [value])
    starts = [fresh(THREADS, loading, bundle, corpus, THREADS) for _ in range(REPEATS)]
    for name in starts[0]:
        yield value_row(name, "s" if name == "load" else "MiB", THREADS, [each[name] for each in starts])
    yield from fresh(THREADS, generators, bundle, corpus, THREADS, REPEATS)
    yield from fresh(THREADS, beyond, bundle, corpus, THREADS, REPEATS)


if __name__ == "__main__":
    typer.run(main)
