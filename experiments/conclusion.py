"""Print in ten lines what `make reproduce` built, how good it is, and what to try next.

python experiments/conclusion.py
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl

from rulerank.bundle import MANIFEST, RANKER
from rulerank.bundle.names import DOCUMENT_TABLE, PASSAGE_TABLE
from rulerank.console import reported
from rulerank.errors import InputError
from rulerank.evaluate.grid import MODELS
from rulerank.evaluate.measures import MEASURE, MEASURES
from rulerank.evaluate.significance import compare
from rulerank.files import read_json
from rulerank.pipeline.paths import BUNDLE, EVALUATION, METRICS, OUTPUTS, PER_QUERY, TABLES
from rulerank.settings import load_settings
from rulerank.tables import QUERIES

SPLIT = "validation"


def main() -> None:
    """Print the lines."""
    if not METRICS.is_file():
        raise InputError(OUTPUTS, "expected the results of a run, found none. Run `make reproduce`.")
    print("\n".join(conclusion()))  # noqa: T201


def conclusion() -> Iterator[str]:
    """Yield the lines about the run in the current folder."""
    data = read_json(BUNDLE / MANIFEST)["data"]["name"]
    passages, documents = (_rows(BUNDLE / name) for name in (PASSAGE_TABLE, DOCUMENT_TABLE))
    queries = QUERIES.read(TABLES / "queries.parquet").filter(pl.col("text").is_not_null())
    trained = queries.filter(pl.col("split") == "train").height
    yield ""
    yield f"{BUNDLE} is a ranker of {passages:,} passages in {documents} documents ({data})."
    yield f"It was trained on {trained:,} questions."
    metrics = read_json(METRICS)
    yield from (
        _quality(metrics[SPLIT])
        if SPLIT in metrics
        else ["There were no validation questions, so its quality was not measured."]
    )
    yield f"Slices, paired tests and the other splits: {EVALUATION}/report.html"
    yield "dvc.lock records this run; commit it to compare later runs with it (`dvc metrics diff`)."
    yield "Next, after `. .venv/bin/activate`:"
    question = shlex.quote(_example(queries))
    yield f"    rulerank rank {BUNDLE} {question}"
    yield f"    rulerank answer {BUNDLE} {question}"
    yield "    make reproduce DATA=path/to/folder    # your own regulations and questions: docs/formats.md"


def _quality(measured: dict[str, Any]) -> Iterator[str]:
    """Compare the ranker with the best of the baselines on the validation questions."""
    runs, settings = measured["runs"], load_settings()
    said = ", ".join(f"{name} {runs[RANKER][name]:.4f}" for name in MEASURES)
    yield f"On {measured['queries']} validation questions: {said}."
    baselines = {name: means[MEASURE] for name, means in runs.items() if name not in MODELS}
    best = max(baselines, key=lambda name: baselines[name])
    scores = pl.read_parquet(PER_QUERY).filter(pl.col("split") == SPLIT)
    permutations, seed = settings.evaluate.permutations, settings.seed
    row = compare(scores, RANKER, [best], MEASURE, permutations, seed).row(0, named=True)
    yield (
        f"The best baseline, {best}, has {MEASURE} {baselines[best]:.4f}: the ranker "
        f"{'gains' if row['difference'] > 0 else 'loses'} {abs(row['difference']):.4f} "
        f"(95 % interval of the difference {row['low']:.4f} to {row['high']:.4f}, p = {row['p_value']:.4f})."
    )


def _example(queries: pl.DataFrame) -> str:
    """Return the shortest question, from validation if there is one."""
    held_out = queries.filter(pl.col("split") == SPLIT)
    texts = (held_out if held_out.height else queries)["text"].str.strip_chars()
    example: str = texts[int(texts.str.len_chars().arg_min() or 0)]
    return " ".join(example.split())


def _rows(table: Path) -> int:
    rows: int = pl.scan_ipc(table).select(pl.len()).collect().item()
    return rows


if __name__ == "__main__":
    with reported():
        main()
