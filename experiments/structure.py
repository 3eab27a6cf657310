"""Measure what following citations is worth: the ranker with and without them, by difficulty.

    python experiments/structure.py

The last run of the pipeline is compared with a run that shares its tables and encoder and repeats every stage
from `index` on, in a folder that is removed afterwards. Every edge of a citing type is removed from the graph
of the second run, so neither the run `closure` nor any feature can follow a citation. Writes
outputs/structure/structure.csv and structure.md.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl
import yaml

from rulerank.bundle import RANKER
from rulerank.console import reported
from rulerank.errors import InputError, RulerankError
from rulerank.evaluate.report import COMPARED, markdown_table, with_holm
from rulerank.evaluate.significance import compare
from rulerank.files import read_json, read_text, replacing, write_text
from rulerank.graph.adjacency import CITING
from rulerank.graph.build import centrality_of
from rulerank.pipeline.paths import (
    CENTRALITY_TABLE,
    EDGE_TABLE,
    EVALUATION,
    METRICS,
    OUTPUTS,
    PER_QUERY,
    TABLES,
)
from rulerank.settings import Settings, load_settings
from rulerank.tables import CENTRALITY, EDGES, PASSAGES
from rulerank.timing import timed

PROJECT = Path(__file__).resolve().parent.parent
WRITTEN = OUTPUTS / "structure"
CACHE = Path(".cache")
SHARED = ("outputs/tables", "outputs/encoder", "data/others", "params.yaml", ".cache")
FIRST, LAST = "index", "evaluate"
"""The first and the last stage of dvc.yaml that are repeated."""
WITHOUT = f"{RANKER} without citations"
LEVELS = {"L3, L4": ("L3", "L4"), "L1, L2": ("L1", "L2")}
SPLITS = {"validation, test": ("validation", "test"), "validation": ("validation",), "test": ("test",)}
MEASURED = ("FullCov@10", "Recall@10", "nDCG@10")

_PAGE = """\
# What following citations is worth

`{ranker}` and the same model retrained on a graph without edges of the types {citing}, that is, without what
they add to candidates, centrality, neighbours, closure, authority and the list of the second pass. Tables,
encoder and adapter are the same. Candidate recall: {recall}. Seed {seed}, {permutations} rounds.

{compared}
{table}"""


def main() -> None:
    """Write the table and the page."""
    settings = load_settings()
    if not PER_QUERY.is_file():
        raise InputError(EVALUATION, "expected an evaluated ranker, found none. Run `dvc repro evaluate`.")
    with timed("structure"), TemporaryDirectory() as name:
        scores = [_scores(Path(), RANKER)]
        folder = Path(name)
        _prepare(folder)
        _run(folder, list(_scripts()))
        compared = _compared(pl.concat([*scores, _scores(folder, WITHOUT)]), settings)
        with replacing(WRITTEN / "structure.csv") as temporary:
            compared.write_csv(temporary)
        recall = f"{_recall(Path())} with, {_recall(folder)} without citations"
        page = _PAGE.format(
            ranker=RANKER,
            citing=", ".join(CITING),
            recall=recall,
            seed=settings.seed,
            permutations=settings.evaluate.permutations,
            compared=COMPARED,
            table=markdown_table(with_holm(compared)),
        )
        write_text(WRITTEN / "structure.md", page)
    print(page)  # noqa: T201


def _scores(folder: Path, run: str) -> pl.DataFrame:
    """Return the per-query measures of a folder's ranker, under the name `run`."""
    scores = pl.read_parquet(folder / PER_QUERY).filter(pl.col("run") == RANKER)
    if scores["level"].null_count() == scores.height:
        raise InputError(
            EVALUATION, "expected questions with a level of difficulty, found none. Run it on the sample."
        )
    return scores.with_columns(run=pl.lit(run))


def _prepare(folder: Path) -> None:
    """Write what the first stage needs into a folder, with a graph without citations."""
    CACHE.mkdir(exist_ok=True)
    for name in SHARED:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).symlink_to(Path(name).resolve())
    edges = EDGES.read(EDGE_TABLE).filter(~pl.col("type").is_in(CITING))
    EDGES.write(edges, folder / EDGE_TABLE)
    passages = PASSAGES.read(TABLES / "passages.parquet")
    central = centrality_of(edges, passages["passage_id"], load_settings().graph)
    CENTRALITY.write(central, folder / CENTRALITY_TABLE)


def _scripts() -> Iterator[str]:
    """Yield the scripts of the stages that are repeated, in order."""
    stages = yaml.safe_load(read_text(PROJECT / "dvc.yaml"))["stages"]
    names = list(stages)
    for name in names[names.index(FIRST) : names.index(LAST) + 1]:
        yield str(PROJECT / stages[name]["cmd"].removeprefix("python "))


def _run(folder: Path, scripts: Sequence[str]) -> None:
    """Run the scripts in a folder, all in one process, so that libraries are imported once."""
    program = "import runpy, sys; [runpy.run_path(path, run_name='__main__') for path in sys.argv[1:]]"
    environment = {**os.environ, "PYTHONPATH": str(PROJECT / "src")}
    done = subprocess.run([sys.executable, "-c", program, *scripts], cwd=folder, env=environment)  # noqa: S603
    if done.returncode:
        raise RulerankError("a stage failed on the graph without citations; the reason is printed above.")


def _compared(scores: pl.DataFrame, settings: Settings) -> pl.DataFrame:
    rows = []
    for levels, inside in LEVELS.items():
        for splits, asked in SPLITS.items():
            part = scores.filter(pl.col("level").is_in(inside), pl.col("split").is_in(asked))
            if part.is_empty():
                continue
            means = {run: part.filter(pl.col("run") == run) for run in (RANKER, WITHOUT)}
            for measure in MEASURED:
                compared = compare(
                    part, RANKER, [WITHOUT], measure, settings.evaluate.permutations, settings.seed
                )
                rows.append(
                    compared.drop("run", "baseline").select(
                        pl.lit(levels).alias("levels"),
                        pl.lit(splits).alias("split"),
                        pl.lit(means[RANKER].height).alias("queries"),
                        "measure",
                        pl.lit(means[RANKER][measure].mean()).alias("with"),
                        pl.lit(means[WITHOUT][measure].mean()).alias("without"),
                        pl.exclude("measure"),
                    )
                )
    return pl.concat(rows)


def _recall(folder: Path) -> str:
    """Return the candidate recall of each split."""
    metrics = read_json(folder / METRICS)
    return ", ".join(f"{split} {each['candidate_recall']:.4f}" for split, each in metrics.items())


if __name__ == "__main__":
    with reported():
        main()
