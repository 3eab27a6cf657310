"""RefWalk measured on a whole small run, as a user starts it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from rulerank.corpora.beir import read_beir
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
    fusions = ("rrf", "wrrf", "rrm", "weighted_sum", "wrrf, wide twice")
    views = ("narrow", "mid", "wide")
    walks = {f"refwalk {name}{tiers}" for name in fusions for tiers in ("", ", tiers alike")}
    walks |= {f"refwalk only {view}" for view in views}
    changed = {"without graph", "without anchor", "within communities"}
    changed |= {f"pool {size}" for size in (10, 20, 100, 200)}
    changed |= {f"{share}% of edges {change}" for share in (10, 20) for change in ("dropped", "rewired")}
    orders = {"dense", "pagerank", "decomposition", "atoms", "oracle of the pool", "oracle with noise"}
    assert set(metrics["runs"]) == walks | changed | orders | {"ranker", "rrf"}
    assert set(metrics["articles"]) == set(metrics["runs"])
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
    assert "| refwalk rrm | without graph | Recall@10 |" in page
    assert "| refwalk rrm, tiers alike | pagerank | nDCG@10 |" in page


def test_no_order_of_a_pool_measures_higher_than_its_oracle(walked: Path) -> None:
    runs = read_json(walked / "outputs/refwalk/metrics.json")["runs"]
    for run in ("refwalk rrm, tiers alike", "dense", "pagerank", "decomposition", "atoms"):
        assert runs[run]["nDCG@10"] <= runs["oracle of the pool"]["nDCG@10"]
    assert runs["oracle with noise"]["Recall@10"] >= runs["oracle of the pool"]["Recall@10"]


def test_benchmark_is_a_corpus_that_can_be_read(
    pipeline: Path, tmp_path: Path, run: Callable[..., Any]
) -> None:
    for room in ("src", "experiments", "outputs/bundle"):
        shutil.copytree(pipeline / room, tmp_path / room)
    shutil.copy(pipeline / "params.yaml", tmp_path)
    done = run(tmp_path, "experiments/benchmark.py", "--count", "30")
    assert done.returncode == 0, done.stderr
    assert "| of the benchmark |" in done.stdout
    corpus = read_beir(tmp_path / "outputs/benchmark")
    assert corpus.queries.height >= 10
    assert set(corpus.queries["level"]) <= {"L1", "L2", "L3", "L4"}
