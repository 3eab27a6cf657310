"""Generate the corpus of a million passages, and one of ObliQA's size to compare it with.

python -m experiments.million [--passages 1000000] [--passages 13732]
"""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer

from experiments.bench.fresh import fresh
from experiments.million.corpus import write_corpus
from rulerank.console import reported

WRITTEN = Path("outputs/million")
SIZES = (13_732, 1_000_000)
THREADS = 2


def main(
    passages: Annotated[list[int] | None, typer.Option(min=2, help="Passages; may be repeated.")] = None,
) -> None:
    """Write one corpus per size to outputs/million."""
    with reported():
        for size in passages or SIZES:
            folder = WRITTEN / str(size)
            start = perf_counter()
            fresh(THREADS, write_corpus, folder, size)
            typer.echo(f"{folder}: {size:,} passages generated in {perf_counter() - start:.1f} s")


if __name__ == "__main__":
    typer.run(main)
