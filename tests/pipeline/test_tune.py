"""The stage tune: what it leaves for the ranker, how it resumes, and what it logs."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import lightgbm
import mlflow
import optuna
import polars as pl
import pytest

from rulerank.learn.ranker.choice import Choice, read_choice
from rulerank.learn.tuning.search_space import ALWAYS
from rulerank.settings import load_settings

FEW = {
    "data": {"root": "data"},
    "adapter": {"epochs": 1},
    "ranker": {"num_iterations": 5},
    "tune": {"trials": 3, "workers": 1, "folds": 2, "seeds": 2},
}


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the first test keeps what the stages before this one wrote, for all others."""
    return tmp_path_factory.mktemp("before")


@pytest.fixture
def extracted(workshop: Any, rulebook: Any, before: Path) -> Any:
    """Return the folder after `listwise`; its params.yaml asks for a search of three trials."""
    rulebook.write(workshop.folder / "data")
    if not (before / "outputs").is_dir():
        workshop.up_to("listwise")
        shutil.copytree(workshop.outputs, before / "outputs")
    shutil.copytree(before / "outputs", workshop.outputs, dirs_exist_ok=True)
    workshop.write_params(workshop.folder, FEW)
    return workshop


@pytest.fixture
def store(extracted: Any) -> str:
    """Return an MLflow store for this test only: MLflow keeps a relative one open from test to test."""
    uri = f"sqlite:///{extracted.folder}/mlflow.db"
    extracted.write_params(extracted.folder, {**FEW, "track": {"store": uri}})
    return uri


def _present(workshop: Any) -> Choice:
    settings = load_settings()
    groups = read_choice(workshop.outputs / "tuning/best.json").groups
    return Choice(ranker=settings.ranker, groups=groups)


def test_without_trials_the_params_are_what_the_ranker_reads(extracted: Any) -> None:
    extracted.write_params(extracted.folder, {**FEW, "tune": {"trials": 0}})
    extracted.stage("tune")
    best = read_choice(extracted.outputs / "tuning/best.json")
    assert best == _present(extracted)
    assert {*ALWAYS, "judgement"} <= set(best.groups)
    assert pl.read_csv(extracted.outputs / "tuning/trials.csv").height == 0
    assert extracted.read("figures/tune.json") == {"trials": 0, "tuned": False}
    assert not (extracted.folder / ".cache/tuning").exists()
    assert not (extracted.folder / "mlflow.db").exists()


def test_search_writes_every_trial_and_keeps_the_params_unless_the_winner_is_better(extracted: Any) -> None:
    extracted.stage("tune")
    table = pl.read_csv(extracted.outputs / "tuning/trials.csv")
    assert table["number"].to_list() == [0, 1, 2]
    assert table["num_leaves"][0] == load_settings().ranker.num_leaves
    assert table["depth"][0] == load_settings().ranker.depth
    figures = extracted.read("figures/tune.json")
    assert figures["tuned"] == (figures["winner_mean"] > figures["untuned_mean"])
    best = read_choice(extracted.outputs / "tuning/best.json")
    assert (best.model_dump() != _present(extracted).model_dump()) == figures["tuned"]


def test_search_again_is_the_same_and_goes_on_where_it_was(extracted: Any) -> None:
    made = []
    for _ in range(2):
        shutil.rmtree(extracted.folder / ".cache/tuning", ignore_errors=True)
        extracted.stage("tune")
        made.append([extracted.read(name) for name in ("tuning/best.json", "figures/tune.json")])
    assert made[0] == made[1]
    trials = (extracted.outputs / "tuning/trials.csv").read_text()
    extracted.write_params(extracted.folder, {**FEW, "tune": {**FEW["tune"], "trials": 5}})
    extracted.stage("tune")
    # The seconds are the same too: the three were not run again.
    assert (extracted.outputs / "tuning/trials.csv").read_text().startswith(trials)
    assert len(list((extracted.folder / ".cache/tuning").glob("*.db"))) == 1


def test_validation_judgements_take_no_part_in_the_search(extracted: Any, rulebook: Any) -> None:
    extracted.stage("tune")
    first = extracted.read("tuning/best.json")
    rulebook.judged["dev"] = [(query, "baker-fee", 1) for query, _, _ in rulebook.judged["dev"]]
    rulebook.write(extracted.folder / "data")
    extracted.up_to("listwise")
    extracted.stage("tune")
    assert extracted.read("tuning/best.json") == first
    # It is the same study: nothing that it depends on has changed.
    (kept,) = (extracted.folder / ".cache/tuning").glob("*.db")
    study = optuna.load_study(study_name="ranker", storage=f"sqlite:///{kept}")
    assert len(study.trials) == 3


def test_search_is_one_mlflow_run_with_a_run_a_trial_and_logged_once(extracted: Any, store: str) -> None:
    for _ in range(2):
        extracted.stage("tune")
    mlflow.set_tracking_uri(store)
    runs = mlflow.search_runs(experiment_names=[load_settings().track.experiment], output_format="list")
    (parent,) = [run for run in runs if "rulerank.tuning" in run.data.tags]
    children = [run for run in runs if run.data.tags.get("mlflow.parentRunId") == parent.info.run_id]
    assert len(runs) == 4
    assert len(children) == 3
    assert parent.data.metrics["best"] == extracted.read("figures/tune.json")["best"]
    table = pl.read_csv(extracted.outputs / "tuning/trials.csv")
    logged = {run.data.tags["mlflow.runName"]: run.data for run in children}
    for number, state, value in table.select("number", "state", "value").iter_rows():
        data = logged[f"trial {number}"]
        assert data.tags["state"] == state
        assert data.metrics["ndcg_at_10"] == pytest.approx(value)
        assert "num_leaves" in data.params


def test_ranker_is_trained_by_the_tuned_file(extracted: Any) -> None:
    extracted.stage("tune")
    best = extracted.outputs / "tuning/best.json"
    values = json.loads(best.read_text())
    values["ranker"]["num_leaves"] = 3
    values["groups"] = [*ALWAYS, "judgement"]
    best.write_text(json.dumps(values))
    extracted.stage("ranker")
    described = extracted.read("ranker/ranker/features.json")
    assert {each["group"] for each in described} == set(values["groups"])
    model = lightgbm.Booster(model_file=str(extracted.outputs / "ranker/ranker/models/full"))
    assert "[num_leaves: 3]" in model.model_to_string()
    pairs = extracted.read("figures/ranker.json")["pairs"]
    extracted.stage("trust", "unanswered", "selection", "export")
    manifest = extracted.read("bundle/manifest.json")
    assert manifest["settings"]["ranker"]["num_leaves"] == 3
    assert manifest["groups"] == values["groups"]
    values["ranker"]["depth"] = 1
    best.write_text(json.dumps(values))
    extracted.stage("ranker")
    assert extracted.read("figures/ranker.json")["pairs"] == pairs
