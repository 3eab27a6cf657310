"""How far judgements can be trusted, as a user would ask."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from rulerank.bundle import ON_NEW_RULES

RANKED = ("itself", "new", "mean", "trusted")


@pytest.fixture(scope="module")
def table(pipeline: Path, run: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> pl.DataFrame:
    """What `python experiments/trust.py` writes."""
    folder = tmp_path_factory.mktemp("trust")
    for room in ("src", "experiments", "outputs"):
        shutil.copytree(pipeline / room, folder / room)
    shutil.copy(pipeline / "params.yaml", folder)
    done = run(folder, "experiments/trust.py")
    assert done.returncode == 0, done.stderr
    assert f"`new` the model\n`{ON_NEW_RULES}`" in done.stdout
    return pl.read_csv(folder / "outputs/trust/trust.csv", schema_overrides={"judged": pl.String})


def test_every_question_is_counted_once_with_and_once_without_its_answers_judged(table: pl.DataFrame) -> None:
    counts = table.group_by("several", "hidden", pl.col("judged") == "all").agg(pl.col("questions").sum())
    by_question = counts.group_by("several").agg(pl.col("questions").n_unique())
    assert by_question["questions"].to_list() == [1, 1]


def test_hidden_answers_change_nothing_for_the_model_that_looks_at_no_judgement(table: pl.DataFrame) -> None:
    means = table.filter(judged="all").select("several", "hidden", "nDCG@10_new", "nDCG@10_itself")
    for (_,), rows in means.group_by("several"):
        assert rows["nDCG@10_new"].n_unique() == 1
    assert means["nDCG@10_itself"].n_unique() > means["several"].n_unique()


def test_limits_decide_which_ranker_answers(table: pl.DataFrame) -> None:
    bins = table.filter(pl.col("judged") != "all").with_columns(pl.col("judged").cast(pl.Float64))
    low = bins.filter(pl.col("judged") < 0.5)
    assert low.height
    assert low["nDCG@10_trusted"].to_list() == pytest.approx(low["nDCG@10_new"].to_list())
    for name in RANKED:
        assert bins[f"nDCG@10_{name}"].is_between(0, 1).all()
