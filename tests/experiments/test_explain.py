from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from rulerank.evaluate.calibration import calibration_table
from rulerank.ranker import Ranker
from rulerank.tables import FEATURES


@pytest.fixture(scope="module")
def explained(pipeline: Path, run: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the run in which the stage explain has run once more."""
    folder = tmp_path_factory.mktemp("explain") / "run"
    shutil.copytree(pipeline, folder, ignore=shutil.ignore_patterns(".git", ".dvc", "mlruns"))
    shutil.rmtree(folder / "outputs/explain")
    done = run(folder, "experiments/explain.py")
    assert done.returncode == 0, done.stderr
    return folder / "outputs/explain"


@pytest.fixture(scope="module")
def pairs(pipeline: Path) -> pl.DataFrame:
    """The candidates of the validation questions."""
    asked = pl.read_parquet(pipeline / "outputs/tables/queries.parquet").filter(
        pl.col("split") == "validation"
    )
    return FEATURES.read(pipeline / "outputs/features.parquet").join(
        asked.select("query_id", "text"), on="query_id", maintain_order="left"
    )


def test_explain_again_gives_the_same_bytes(explained: Path, pipeline: Path) -> None:
    first = {path.name: path.read_bytes() for path in (pipeline / "outputs/explain").iterdir()}
    assert {path.name: path.read_bytes() for path in explained.iterdir()} == first


def test_explain_describes_every_feature_of_the_ranker(explained: Path, ranker: Ranker) -> None:
    features = ranker.bundle.models["ranker"].features
    for name in ("importance.csv", "shap.csv"):
        table = pl.read_csv(explained / name)
        assert sorted(table["feature"]) == sorted(features.names)
    importance = pl.read_csv(explained / "importance.csv")
    assert importance["gain"].sum() == pytest.approx(1)
    assert importance["gain"].is_sorted(descending=True)
    groups = pl.read_csv(explained / "importance_by_group.csv")
    assert groups["features"].sum() == len(features)
    assert groups["permutation"].max() > 0


def test_calibration_counts_every_validation_candidate_once(explained: Path, pairs: pl.DataFrame) -> None:
    table = pl.read_csv(explained / "calibration.csv")
    assert table["pairs"].sum() == pairs.height
    relevant = (table["relevant"] * table["pairs"]).sum()
    assert relevant == pytest.approx((pairs["relevance"] > 0).sum())
    assert table.filter(
        (pl.col("low") > pl.col("relevant")) | (pl.col("high") < pl.col("relevant"))
    ).is_empty()


def test_calibration_is_of_the_scores_to_which_its_curve_was_fitted(
    explained: Path, pairs: pl.DataFrame, ranker: Ranker
) -> None:
    bundle = ranker.bundle
    asked = pairs.unique("query_id", keep="first", maintain_order=True)
    batches = list(bundle.described(bundle.queries(asked["query_id"].to_list(), asked["text"].to_list())))
    totals = np.concatenate([bundle.own_scores(batch)["ranker"] for batch in batches])
    stated = calibration_table(totals, pairs["relevance"].to_numpy(), bundle.models["ranker"].curve)
    assert_frame_equal(pl.read_csv(explained / "calibration.csv"), stated)


def test_differences_average_to_the_difference_of_the_means(explained: Path) -> None:
    scores = pl.read_parquet(explained.parent / "evaluation/per_query.parquet")
    means = scores.filter(pl.col("split") == "validation").group_by("run").agg(pl.col("nDCG@10").mean())
    mean = dict(means.iter_rows())
    difference = pl.read_csv(explained / "differences.csv")["difference"]
    assert difference.mean() == pytest.approx(mean["ranker"] - mean["rrf"])
    assert difference.is_sorted(descending=True)


def test_explanation_page_shows_every_picture(explained: Path) -> None:
    pictures = {path.name for path in explained.glob("*.png")}
    assert pictures == {
        "calibration.png",
        "differences.png",
        "importance.png",
        "recall_by_depth.png",
        "shap.png",
    }
    report = (explained / "report.md").read_text()
    assert all(f"({name})" in report for name in pictures)
    assert (explained / "report.html").read_text().count("data:image/png;base64,") == len(pictures)
