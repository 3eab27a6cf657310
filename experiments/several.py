"""Train on several corpora at once, and measure which training is best on which test.

    python experiments/several.py fast=OBLIQA regulations=EREGS regulations_disjoint=EREGS

Each argument is a named experiment and the folder of its corpus. Every experiment runs twice, at each point
of its grid: by itself, and with the training questions that the other corpora lend. The first experiment of
a corpus lends those it is trained on (`experiments/lend.py`). Writes runs/several/table.md: each ranker
trained both ways, on the same validation questions.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")

import polars as pl
import typer

from rulerank.console import reported
from rulerank.errors import InputError
from rulerank.evaluate.grid import MEASURE, RANKERS, written
from rulerank.evaluate.report import markdown_table
from rulerank.evaluate.significance import compare
from rulerank.files import write_text
from rulerank.pipeline.experiment import grid_points, merged, read_experiment
from rulerank.pipeline.paths import PER_QUERY
from rulerank.pipeline.run_folder import NAMED, RUNS, RunFolder
from rulerank.settings import load_settings, nested

TABLE = RUNS / "several/table.md"
ALONE, TOGETHER = "alone", "together"

_PAGE = """\
# Several corpora at once

nDCG@10 on the validation questions of each experiment, for a ranker trained only on its own corpus and for
one that is also trained on the others (their questions weigh {weight}, its own 1). `difference` is together
minus alone, with its 95 % bootstrap interval; two-sided p-value of the paired randomisation test
({permutations} rounds).

{table}"""


def main(
    experiments: Annotated[list[str], typer.Argument(metavar="NAME=CORPUS...", help="What runs on what.")],
    weight: Annotated[float, typer.Option(help="Weight of other corpora's questions; own: 1.")] = 1.0,
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
            alone.append(_measured(folder, {}))
            if _corpus(folder) not in map(_corpus, folders[:place]):
                folder.python("experiments/lend.py")
        rows = []
        for folder, before in zip(folders, alone, strict=True):
            others = {corpus: weight for corpus in corpora if corpus != _corpus(folder)}
            together = _measured(folder, {"ranker": {"others": others}})
            rows += [row for pair in zip(before, together, strict=True) for row in _rows(*pair)]
        permutations = load_settings().evaluate.permutations
        table = markdown_table(pl.DataFrame(rows))
        page = _PAGE.format(weight=weight, permutations=permutations, table=table)
        write_text(TABLE, page)
    typer.echo(page)


def _folder(argument: str) -> RunFolder:
    name, _, corpus = argument.partition("=")
    if not corpus:
        raise InputError(argument, "expected an experiment and its corpus, such as fast=data/obliqa.")
    return RunFolder.of(read_experiment(NAMED, name), name, Path(corpus))


def _corpus(folder: RunFolder) -> str:
    return Path(folder.params["data"]["root"]).name


def _measured(folder: RunFolder, changes: Mapping[str, Any]) -> list[tuple[str, pl.DataFrame]]:
    """Return a name and the measures of every question, for each point of the experiment's grid."""
    measured = []
    for point in grid_points(read_experiment(NAMED, folder.name).grid) or [{}]:
        folder.write_params(merged(nested(point), changes))
        folder.dvc("repro", "evaluate")
        scores = pl.read_parquet(folder.path / PER_QUERY).filter(split="validation")
        measured.append((" ".join([folder.name, *map(written, point.values())]), scores))
    return measured


def _rows(alone: tuple[str, pl.DataFrame], together: tuple[str, pl.DataFrame]) -> Iterator[dict[str, Any]]:
    for ranker in RANKERS:
        both = pl.concat(
            scores.filter(run=ranker).with_columns(run=pl.lit(name))
            for name, scores in ((ALONE, alone[1]), (TOGETHER, together[1]))
        )
        if both.is_empty():
            continue
        means = dict(both.group_by("run").agg(pl.col(MEASURE).mean()).iter_rows())
        compared = compare(both, TOGETHER, [ALONE], MEASURE, load_settings().evaluate.permutations)
        shown = compared.select("difference", "low", "high", "p_value").row(0, named=True)
        named = {"tested on": alone[0], "run": ranker, "questions": both.height // 2}
        yield {**named, ALONE: means[ALONE], TOGETHER: means[TOGETHER], **shown}


if __name__ == "__main__":
    typer.run(main)
