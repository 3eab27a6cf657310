"""Measure a served ranker: its throughput compared with the same ranker in its own process, and its errors.

    python -m experiments.serving [--bundle F] [--questions F] [--requests N] [--swaps N] [--minutes N]

Eight clients ask one worker. Then they continue while the ranker is replaced again and again, and finally for
half an hour at a steady rate below what the worker can do.
Processor time is that of the process that answers; it depends less than the clock on other programs.
Writes outputs/bench/serving.md and serving.json.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, islice
from pathlib import Path
from typing import Annotated

import numpy as np
import polars as pl
import typer

from experiments.bench.fresh import fresh
from experiments.bench.machine import machine
from experiments.bench.questions import read_judged, spread_out
from experiments.serving.asking import WARMING, Asked, K, ask_all, in_process
from experiments.serving.load import SHARE, Load, under_load
from experiments.serving.server import Server, served
from rulerank.console import reported
from rulerank.evaluate.report import markdown_table
from rulerank.files import write_json, write_text

WRITTEN = Path("outputs/bench")
CLIENTS, THREADS, QUESTIONS = 8, 2, 200


def main(
    bundle: Annotated[Path, typer.Option(help="Folder of an exported ranker.")] = Path("outputs/bundle"),
    questions: Annotated[
        Path | None, typer.Option(help="Questions in the ObliQA format; by default the validation questions.")
    ] = None,
    requests: Annotated[int, typer.Option(min=CLIENTS, help="Requests in all.")] = 10_000,
    swaps: Annotated[int, typer.Option(min=1, help="Changes of the ranker.")] = 20,
    minutes: Annotated[float, typer.Option(min=0.01, help="Minutes of steady load.")] = 30,
) -> None:
    """Print what serving costs, and how many requests failed."""
    with reported():
        facts = machine() | {"clients": str(CLIENTS), "threads of the worker": str(THREADS)}
        texts = spread_out(read_judged(bundle, questions)[0]["text"], QUESTIONS)
        alone = fresh(1, in_process, bundle, texts, THREADS)
        with tempfile.TemporaryDirectory() as folder, served(bundle, Path(folder), THREADS) as server:
            for text in texts[:WARMING]:
                server.client.rank(text, K)
            over_http = _asked(server, islice(cycle(texts), requests))
            changing = _changed(server, texts, swaps)
            load = under_load(server, texts, over_http.rate, CLIENTS, 60 * minutes)
        table = _table(alone, over_http, changing, swaps, load)
        write_json(WRITTEN / "serving.json", {"machine": facts, "rows": table.to_dicts()})
        said = "; ".join(f"{name} {value}" for name, value in facts.items())
        page = f"# Serving\n\n{said}.\n\n{bundle}\n\n{markdown_table(table, digits=2)}"
        write_text(WRITTEN / "serving.md", page)
    typer.echo(page)


def _asked(server: Server, texts: Iterable[str]) -> Asked:
    return ask_all(lambda text: server.client.rank(text, K), texts, CLIENTS, server.process)


def _changed(server: Server, texts: list[str], swaps: int) -> tuple[int, int]:
    """Ask continuously while one copy of the ranker replaces another; return requests and errors."""

    def change() -> None:
        for number in range(1, swaps + 1):
            server.change(number)

    rounds = []
    with ThreadPoolExecutor(1) as pool:
        changing = pool.submit(change)
        while not changing.done():
            rounds.append(_asked(server, texts[: 5 * CLIENTS]))
        changing.result()
    return sum(len(each.milliseconds) for each in rounds), sum(each.errors for each in rounds)


def _table(alone: Asked, over_http: Asked, changing: tuple[int, int], swaps: int, load: Load) -> pl.DataFrame:
    rows = {
        "in process, questions/s": alone.rate,
        "served, requests/s": over_http.rate,
        "share of the throughput in process": over_http.rate / alone.rate,
        "in process, ms of processor time a question": alone.cost,
        "served, ms of processor time a request": over_http.cost,
        "share of the throughput in process, by processor time": alone.cost / over_http.cost,
        "served, p50 ms": np.percentile(over_http.milliseconds, 50),
        "served, p95 ms": np.percentile(over_http.milliseconds, 95),
        "requests": len(over_http.milliseconds),
        "errors": over_http.errors,
        "changes of the ranker": swaps,
        "requests during the changes": changing[0],
        "errors during the changes": changing[1],
        f"minutes at {SHARE:.0%} of the throughput": load.asked.clock / 60,
        "requests under load": len(load.asked.milliseconds),
        "errors under load": load.errors,
        "resident MiB before the load": load.before / 2**20,
        "resident MiB after it": load.after / 2**20,
        "growth of resident memory, %": load.growth,
    }
    return pl.DataFrame({"measurement": list(rows), "value": [float(each) for each in rows.values()]})


if __name__ == "__main__":
    typer.run(main)
