"""The ablation of a whole small run, as a user starts it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from rulerank.bundle import RANKER
from rulerank.evaluate.measures import MEASURES, per_query
from rulerank.evaluate.significance import holm
from rulerank.features.registry import registered
from rulerank.learn.ranker.ablation import rank
from rulerank.learn.ranker.saved_first_pass import load_first_passes
from tests.experiments.trees_alone import trees_alone

SCRIPTS = Path(__file__).parent.parent.parent / "experiments"
NEEDED = ("tables", "tuning", "ranker", "encoder")


@pytest.fixture(scope="module")
def ablated(pipeline: Path, run: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the run's outputs in which `python experiments/ablate.py` has run."""
    folder = tmp_path_factory.mktemp("ablated")
    for room in ("src", "experiments"):
        shutil.copytree(pipeline / room, folder / room)
    shutil.copy(pipeline / "params.yaml", folder)
    for name in NEEDED:
        if (pipeline / "outputs" / name).is_dir():
            shutil.copytree(pipeline / "outputs" / name, folder / "outputs" / name)
    shutil.copy(pipeline / "outputs/features.parquet", folder / "outputs")
    done = run(folder, "experiments/ablate.py")
    assert done.returncode == 0, done.stderr
    written = [f"outputs/ablation/ablation.{kind}" for kind in ("csv", "md", "png")]
    assert done.stdout == f"written: {', '.join(written)}\n"
    assert all((folder / path).is_file() for path in written)
    return folder


def test_table_has_a_row_a_variant_and_measure(ablated: Path) -> None:
    table = pl.read_csv(ablated / "outputs/ablation/ablation.csv")
    assert table.columns == [
        *("variant", "kind", "measure", "value", "difference", "low", "high", "p_value", "p_holm")
    ]
    assert table["kind"].unique(maintain_order=True).to_list() == ["one pass", "without", "only", "named"]
    assert table.group_by("variant", "kind").agg(pl.col("measure"))["measure"].to_list() == (
        [list(MEASURES)] * table.select("variant", "kind").n_unique()
    )
    assert "paper" in table.filter(pl.col("kind") == "named")["variant"]


def test_groups_are_held_against_one_pass_and_the_rest_against_the_ranker(
    ablated: Path, pipeline: Path
) -> None:
    table = pl.read_csv(ablated / "outputs/ablation/ablation.csv")
    # Only the trees, because judged sets are completed after them.
    exported = trees_alone(pipeline / "outputs", RANKER)
    one_pass = dict(table.filter(pl.col("kind") == "one pass").select("measure", "value").iter_rows())
    for kind, measure, value, difference in table.select(
        "kind", "measure", "value", "difference"
    ).iter_rows():
        base = one_pass[measure] if kind in ("without", "only") else exported[measure].mean()
        assert value - difference == pytest.approx(base, abs=1e-9)
    assert (table["low"] <= table["difference"] + 1e-9).all()
    assert (table["difference"] <= table["high"] + 1e-9).all()


def test_p_values_are_corrected_for_the_variants_of_a_measure(ablated: Path) -> None:
    table = pl.read_csv(ablated / "outputs/ablation/ablation.csv")
    for _, rows in table.group_by("measure"):
        np.testing.assert_allclose(rows["p_holm"], holm(rows["p_value"]))


def test_one_pass_without_judgement_is_the_first_pass(ablated: Path, pipeline: Path) -> None:
    # The stage first_pass already trained it, from the same rows, features, settings and seed.
    passes = load_first_passes(pipeline / "outputs/first_pass", registered())
    assert passes is not None
    queries, judgements = (
        pl.read_parquet(pipeline / f"outputs/tables/{name}.parquet") for name in ("queries", "judgements")
    )
    asked = queries.filter(pl.col("split") == "validation").select("query_id")
    pairs = pl.read_parquet(pipeline / "outputs/features.parquet")
    ranked = rank(
        passes.full.trees, pairs.join(asked, on="query_id", how="semi", maintain_order="left"), "first", 1
    )
    scores = per_query(judgements.join(asked, on="query_id", how="semi"), ranked)
    table = pl.read_csv(ablated / "outputs/ablation/ablation.csv").filter(
        pl.col("variant") == "judgement", pl.col("kind") == "without"
    )
    assert table.height == len(MEASURES)
    for measure, value in table.select("measure", "value").iter_rows():
        assert value == pytest.approx(scores[measure].mean(), abs=1e-9)


def test_finished_variants_are_not_trained_again(ablated: Path, script: Callable[..., Any]) -> None:
    kept = sorted((ablated / "outputs/ablation/variants").glob("*.json"))
    before = [path.stat().st_mtime_ns for path in kept]
    first = (ablated / "outputs/ablation/ablation.csv").read_bytes()
    missing, missed = kept[0], kept[0].read_bytes()
    missing.unlink()
    assert script(ablated, "experiments/ablate.py").returncode == 0
    assert [path.stat().st_mtime_ns for path in kept[1:]] == before[1:]
    assert missing.read_bytes() == missed
    assert (ablated / "outputs/ablation/ablation.csv").read_bytes() == first


def test_model_that_was_not_trained_is_refused(ablated: Path, script: Callable[..., Any]) -> None:
    done = script(ablated, "experiments/ablate.py", "other")
    assert done.returncode == 1
    assert done.stderr == (
        "error: outputs/ranker/other/models/full: expected a trained ranker, found none. "
        "Run `dvc repro ranker`.\n"
    )


def test_kind_that_is_none_is_refused_and_the_table_stays(ablated: Path, script: Callable[..., Any]) -> None:
    table = ablated / "outputs/ablation/ablation.csv"
    before = table.stat().st_mtime_ns
    done = script(ablated, "experiments/ablate.py", "ranker", "nosuch")
    assert done.returncode == 1
    assert done.stderr == "error: nosuch: expected a kind of variants, one of: without, only, named.\n"
    assert table.stat().st_mtime_ns == before


def test_named_kind_has_a_table_of_its_own(ablated: Path, script: Callable[..., Any]) -> None:
    whole = (ablated / "outputs/ablation/ablation.csv").read_bytes()
    assert script(ablated, "experiments/ablate.py", "ranker", "named").returncode == 0
    table = pl.read_csv(ablated / "outputs/ablation/ablation.named.csv")
    assert table["kind"].unique(maintain_order=True).to_list() == ["one pass", "named"]
    assert (ablated / "outputs/ablation/ablation.csv").read_bytes() == whole


@pytest.mark.parametrize("name", ["ablate", "seeds"])
def test_help_is_no_model(name: str, script: Callable[..., Any], tmp_path: Path) -> None:
    done = script(tmp_path, str(SCRIPTS / f"{name}.py"), "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert "MODEL" in done.stdout


def test_seeds_of_two_models_at_once_are_refused(script: Callable[..., Any], tmp_path: Path) -> None:
    done = script(tmp_path, str(SCRIPTS / "seeds.py"), "ranker", "other")
    assert done.returncode == 2
    assert "extra argument" in done.stderr
