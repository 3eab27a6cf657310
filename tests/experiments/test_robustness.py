"""The robustness of a whole small run, as a user starts it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest


@pytest.fixture(scope="module")
def shaken(pipeline: Path, run: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the run's outputs in which `python experiments/robustness.py` has run."""
    folder = tmp_path_factory.mktemp("shaken")
    for room in ("src", "experiments", "outputs/tables", "outputs/bundle", "outputs/graph"):
        shutil.copytree(pipeline / room, folder / room)
    shutil.copy(pipeline / "params.yaml", folder)
    done = run(folder, "experiments/robustness.py")
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith(
        "written: outputs/robustness/robustness.csv, outputs/robustness/robustness.md\n"
    )
    return folder


def test_table_has_both_changes_at_both_shares(shaken: Path) -> None:
    table = pl.read_csv(shaken / "outputs/robustness/robustness.csv")
    keys = ["model", "edges", "share", "measure"]
    assert table.select(keys).is_unique().all()
    assert [table[key].n_unique() for key in keys] == [3, 2, 2, 2]
    assert table.height == 24
    assert ((table["low"] <= table["loss"] + 1e-9) & (table["loss"] <= table["high"] + 1e-9)).all()


def test_whole_graph_gives_what_the_evaluation_measured(shaken: Path, pipeline: Path) -> None:
    measured = pl.read_parquet(pipeline / "outputs/evaluation/per_query.parquet").filter(
        pl.col("split") == "validation"
    )
    table = pl.read_csv(shaken / "outputs/robustness/robustness.csv")
    for model, measure, whole in table.select("model", "measure", "whole").unique().iter_rows():
        assert whole == pytest.approx(measured.filter(pl.col("run") == model)[measure].mean(), abs=1e-9)


def test_changed_edges_change_the_ranking(shaken: Path) -> None:
    table = pl.read_csv(shaken / "outputs/robustness/robustness.csv")
    assert table.filter(pl.col("edges") == "rewired")["loss"].abs().max() > 0


def test_page_gives_the_verdict(shaken: Path) -> None:
    page = (shaken / "outputs/robustness/robustness.md").read_text()
    assert "At 20% the largest loss of Recall@10 is " in page
    assert "the bar of 0.01" in page


def test_without_an_exported_ranker_the_next_command_is_named(
    tmp_path: Path, shaken: Path, script: Callable[..., Any]
) -> None:
    shutil.copytree(shaken / "experiments", tmp_path / "experiments")
    shutil.copy(shaken / "params.yaml", tmp_path)
    done = script(tmp_path, "experiments/robustness.py")
    assert done.returncode == 1
    assert done.stderr.startswith("error: outputs/bundle: expected an exported ranker: ")
