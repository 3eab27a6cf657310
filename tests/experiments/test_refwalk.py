"""RefWalk measured on a whole small run, as a user starts it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from rulerank.files import read_json


@pytest.fixture(scope="module")
def walked(pipeline: Path, run: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the run's outputs in which `python experiments/refwalk.py` has run."""
    folder = tmp_path_factory.mktemp("walked")
    for room in ("src", "experiments", "outputs/tables", "outputs/bundle"):
        shutil.copytree(pipeline / room, folder / room)
    shutil.copy(pipeline / "params.yaml", folder)
    done = run(folder, "experiments/refwalk.py")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "written: outputs/refwalk/metrics.json, outputs/refwalk/report.md\n"
    return folder


def test_every_fusion_and_view_is_measured_beside_ranker_and_rrf(walked: Path, pipeline: Path) -> None:
    metrics = read_json(walked / "outputs/refwalk/metrics.json")
    fusions, views = ("rrf", "wrrf", "rrm", "weighted_sum"), ("narrow", "mid", "wide")
    walks = {f"refwalk {name}{tiers}" for name in fusions for tiers in ("", ", tiers alike")}
    walks |= {f"refwalk only {view}" for view in views}
    assert set(metrics["runs"]) == walks | {"ranker", "rrf"}
    assert set(metrics["levels"]) == {"L1", "L2", "L3", "L4"}
    measured = pl.read_parquet(pipeline / "outputs/evaluation/per_query.parquet")
    expected = measured.filter(pl.col("split") == "validation", pl.col("run") == "ranker")["nDCG@10"].mean()
    assert metrics["runs"]["ranker"]["nDCG@10"] == pytest.approx(expected, abs=1e-9)


def test_no_walk_finds_more_than_its_pool_holds(walked: Path) -> None:
    metrics = read_json(walked / "outputs/refwalk/metrics.json")
    for run, measured in metrics["runs"].items():
        if run.startswith("refwalk"):
            assert 0 < measured["Recall@10"] <= metrics["recall"]["pool"]


def test_page_has_the_table_of_levels_and_the_comparisons(walked: Path) -> None:
    page = (walked / "outputs/refwalk/report.md").read_text()
    assert "| L4 | refwalk rrm |" in page
    assert "| ranker | refwalk rrm | FullCov@10 |" in page
