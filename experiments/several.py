"""Train on several corpora at once, and measure which training is best on which test.

    python experiments/several.py fast=OBLIQA regulations=EREGS regulations_disjoint=EREGS

Each argument is a named experiment and the folder of its corpus. Every experiment runs twice, at each point
of its grid: by itself, and with the training questions that the other corpora lend. The first experiment of
a corpus lends those it is trained on (`experiments/lend.py`). How much the lent questions weigh is chosen on
the experiment's own training questions, ranked by models that have not seen them. Writes
runs/several/table.md: each ranker trained both ways, on the same validation questions.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")

import polars as pl
import typer

from rulerank.console import reported
from rulerank.errors import InputError
from rulerank.evaluate.grid import RANKERS, written
from rulerank.evaluate.measures import MEASURE
from rulerank.evaluate.report import markdown_table
from rulerank.evaluate.significance import compare, corrected
from rulerank.files import write_text
from rulerank.pipeline.experiment import grid_points, merged, read_experiment
from rulerank.pipeline.paths import OUT_OF_FOLD, PER_QUERY
from rulerank.pipeline.run_folder import NAMED, RUNS, RunFolder
from rulerank.settings import load_settings, nested

TABLE = RUNS / "several/table.md"
ALONE, TOGETHER = "alone", "together"
WEIGHTS = (0.0, 0.1, 0.3, 1.0)
"""What a question of another corpus may weigh; with 0, a ranker is trained by itself."""

_PAGE = """\
# Several corpora at once

nDCG@10 on the validation questions of each experiment, for a ranker trained only on its own corpus and for
one that is also trained on the others. Their questions weigh {weights}, as the training folds of its own
questions say; its own weigh 1. `difference` is together minus alone, with its 95 % bootstrap interval;
two-sided p-value of the paired randomisation test ({permutations} rounds), and the same after Holm's
correction for the number of rows.

{table}"""


def main(
    experiments: Annotated[list[str], typer.Argument(metavar="NAME=CORPUS...", help="What runs on what.")],
) -> None:
    """Run every experiment by itself and with the others, and write the table."""
    with reported():
        logging.getLogger("mlflow").setLevel(logging.WARNING)
        folders = [_folder(each) for each in experiments]
        corpora = list(dict.fromkeys(map(_corpus, folders)))
        if len(corpora) < 2:
            raise InputError("NAME=CORPUS", f"expected two corpora, found only {corpora[0]}. Add another.")
        alone = []
        for place, folder in enumerate(folders):
            alone.append([_measured(folder, point) for point in _points(folder)])
            if _corpus(folder) not in map(_corpus, folders[:place]):
                folder.python("experiments/lend.py")
        rows: list[dict[str, Any]] = []
        for folder, before in zip(folders, alone, strict=True):
            others = [corpus for corpus in corpora if corpus != _corpus(folder)]
            for point, scores in zip(_points(folder), before, strict=True):
                weight = max(WEIGHTS, key=lambda each: _out_of_fold(folder, point, others, each))
                name = " ".join([folder.name, *map(written, point.values())])
                rows += _rows(name, weight, scores, _measured(folder, point, others, weight))
        permutations = load_settings().evaluate.permutations
        table = markdown_table(corrected(pl.DataFrame(rows)))
        weights = " or ".join(map(str, WEIGHTS))
        page = _PAGE.format(weights=weights, permutations=permutations, table=table)
        write_text(TABLE, page)
    typer.echo(page)


def _folder(argument: str) -> RunFolder:
    name, _, corpus = argument.partition("=")
    if not corpus:
        raise InputError(argument, "expected an experiment and its corpus, such as fast=data/obliqa.")
    return RunFolder.of(read_experiment(NAMED, name), name, Path(corpus))


def _corpus(folder: RunFolder) -> str:
    return Path(folder.params["data"]["root"]).name


def _points(folder: RunFolder) -> list[dict[str, Any]]:
    """Return the points of an experiment's grid; without one, a single point that changes nothing."""
    return grid_points(read_experiment(NAMED, folder.name).grid)


def _run(
    folder: RunFolder, stage: str, point: Mapping[str, Any], others: Sequence[str], weight: float
) -> None:
    """Run an experiment up to a stage, with other corpora's questions unless they weigh nothing."""
    lent = {"ranker": {"others": dict.fromkeys(others, weight)}} if weight else {}
    folder.write_params(merged(nested(point), lent))
    folder.dvc("repro", stage)


def _out_of_fold(folder: RunFolder, point: Mapping[str, Any], others: Sequence[str], weight: float) -> float:
    """Return the mean of the rankers on training questions that they have not seen."""
    _run(folder, "ranker", point, others, weight)
    # Half of the judgements is hidden from some questions, which are unlike those asked in use.
    scores = pl.read_parquet(folder.path / OUT_OF_FOLD).filter(~pl.col("hidden"))
    scores = scores.filter(pl.col("run").is_in(RANKERS))
    return float(scores[MEASURE].to_numpy().mean())


def _measured(
    folder: RunFolder, point: Mapping[str, Any], others: Sequence[str] = (), weight: float = 0.0
) -> pl.DataFrame:
    """Return the measures of every validation question."""
    _run(folder, "evaluate", point, others, weight)
    return pl.read_parquet(folder.path / PER_QUERY).filter(split="validation")


def _rows(name: str, weight: float, alone: pl.DataFrame, together: pl.DataFrame) -> Iterator[dict[str, Any]]:
    for ranker in RANKERS:
        both = pl.concat(
            scores.filter(run=ranker).with_columns(run=pl.lit(trained))
            for trained, scores in ((ALONE, alone), (TOGETHER, together))
        )
        if both.is_empty():
            continue
        means = dict(both.group_by("run").agg(pl.col(MEASURE).mean()).iter_rows())
        compared = compare(both, TOGETHER, [ALONE], MEASURE, load_settings().evaluate.permutations)
        shown = compared.select("difference", "low", "high", "p_value").row(0, named=True)
        named = {"tested on": name, "run": ranker, "weight": weight, "questions": both.height // 2}
        yield {**named, ALONE: means[ALONE], TOGETHER: means[TOGETHER], **shown}


if __name__ == "__main__":
    typer.run(main)
