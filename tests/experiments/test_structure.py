"""The structure experiment on a whole small run, as a user starts it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest


@pytest.fixture(scope="module")
def held_against(pipeline: Path, run: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the run in which `python experiments/structure.py` has run."""
    folder = tmp_path_factory.mktemp("structure")
    for room in ("src", "features", "train", "experiments", "outputs"):
        shutil.copytree(pipeline / room, folder / room)
    for name in ("params.yaml", "dvc.yaml"):
        shutil.copy(pipeline / name, folder)
    done = run(folder, "experiments/structure.py")
    assert done.returncode == 0, done.stderr
    return folder


def test_table_has_each_measure_of_easy_and_hard_questions(held_against: Path) -> None:
    table = pl.read_csv(held_against / "outputs/structure/structure.csv")
    keys = ["levels", "split", "measure"]
    assert table.select(keys).is_unique().all()
    assert [table[key].n_unique() for key in keys] == [2, 3, 3]
    assert table["difference"].to_list() == pytest.approx((table["with"] - table["without"]).to_list())


def test_ranker_with_citations_is_the_one_that_was_evaluated(held_against: Path, pipeline: Path) -> None:
    scores = pl.read_parquet(pipeline / "outputs/evaluation/per_query.parquet")
    hard = scores.filter(pl.col("run") == "ranker", pl.col("level").is_in(["L3", "L4"]))
    table = pl.read_csv(held_against / "outputs/structure/structure.csv")
    row = table.filter(
        pl.col("levels") == "L3, L4",
        pl.col("split") == "validation, test",
        pl.col("measure") == "Recall@10",
    ).row(0, named=True)
    assert row["queries"] == hard.height
    assert row["with"] == pytest.approx(hard["Recall@10"].mean())


def test_the_run_itself_is_left_as_it_was(held_against: Path, pipeline: Path) -> None:
    for name in ("features.parquet", "graph/edges.parquet", "evaluation/metrics.json"):
        assert (held_against / "outputs" / name).read_bytes() == (pipeline / "outputs" / name).read_bytes()


def test_without_an_evaluated_ranker_the_next_command_is_named(
    tmp_path: Path, held_against: Path, script: Callable[..., Any]
) -> None:
    shutil.copytree(held_against / "experiments", tmp_path / "experiments")
    shutil.copy(held_against / "params.yaml", tmp_path)
    done = script(tmp_path, "experiments/structure.py")
    assert done.returncode == 1
    assert done.stderr == (
        "error: outputs/evaluation: expected an evaluated ranker, found none. Run `dvc repro evaluate`.\n"
    )
