"""A ranker with several seeds, as a user would run it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from rulerank.bundle import WITHOUT_JUDGEMENT
from rulerank.evaluate.measures import MEASURES
from tests.experiments.trees_alone import trees_alone


def test_first_seed_has_the_exported_trees_and_the_others_differ(
    pipeline: Path, script: Callable[..., Any], tmp_path: Path
) -> None:
    for room in ("src", "experiments"):
        shutil.copytree(pipeline / room, tmp_path / room)
    shutil.copy(pipeline / "params.yaml", tmp_path)
    shutil.copytree(pipeline / "outputs", tmp_path / "outputs")
    done = script(tmp_path, "experiments/seeds.py", WITHOUT_JUDGEMENT)
    assert done.returncode == 0, done.stderr
    table = pl.read_csv(tmp_path / "outputs/seeds" / f"{WITHOUT_JUDGEMENT}.csv")
    assert table["seed"].to_list() == [7, 8, 9, 10, 11]
    exported = trees_alone(pipeline / "outputs", WITHOUT_JUDGEMENT)
    expected = {"seed": 7, **{name: exported[name].mean() for name in MEASURES}}
    assert table.row(0, named=True) == pytest.approx(expected, abs=1e-9)
    assert table["nDCG@10"].n_unique() > 1
    page = (tmp_path / "outputs/seeds" / f"{WITHOUT_JUDGEMENT}.md").read_text()
    assert f"| standard deviation | {table['Recall@10'].std():.4f} |" in page
