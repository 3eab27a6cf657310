"""Results tracked in MLflow: how each is named, found and read."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mlflow
import polars as pl
import pytest


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    """An MLflow store with one experiment, in which nothing has run."""
    folder = tmp_path_factory.mktemp("store")
    mlflow.set_tracking_uri(f"sqlite:///{folder}/mlflow.db")
    mlflow.create_experiment("toy", artifact_location=(folder / "artifacts").as_uri())
    return f"sqlite:///{folder}/mlflow.db"


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ("nowhere", "nowhere: expected a run of "),
        ("{folder}:best", "expected a run among ['ranker', 'rrf'], found 'best'."),
    ],
)
def test_compare_says_what_it_cannot_find(
    compare: Callable[..., str],
    evaluation: Callable[..., Path],
    capsys: pytest.CaptureFixture[str],
    store: str,
    asked: str,
    message: str,
) -> None:
    folder = evaluation("one", ranker=[1.0, 0.5], rrf=[0.5, 0.5])
    with pytest.raises(SystemExit):
        compare(asked.format(folder=folder), store=store)
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ("foo://bar", "store: expected an MLflow store, such as"),
        ("nosuch.db", "store: expected an MLflow store, such as"),
        ("sqlite:///none/x.db", "sqlite:///none/x.db: expected an MLflow store, found no file."),
    ],
)
def test_compare_refuses_what_is_no_store_and_makes_none(
    compare: Callable[..., str], capsys: pytest.CaptureFixture[str], tmp_path: Path, asked: str, message: str
) -> None:
    with pytest.raises(SystemExit):
        compare("full", store=asked)
    assert message in " ".join(capsys.readouterr().err.split())
    assert [path.name for path in tmp_path.iterdir()] == ["params.yaml"]


def test_compare_finds_tracked_runs_by_name_id_and_start_of_id(
    compare: Callable[..., str], rows: Callable[..., Any], evaluation: Callable[..., Path], store: str
) -> None:
    folder = evaluation("one", ranker=[1.0, 0.5], rrf=[0.5, 0.25])
    run_id = track(store, "full", folder)
    page = compare("full", run_id[:8], f"{run_id}:rrf", store=store)
    assert [row[:5] for row in rows(page, "# Comparison")] == [
        ["full", "ranker", "toy", "evidence_disjoint", "2"],
        [run_id[:8], "ranker", "toy", "evidence_disjoint", "2"],
        [f"{run_id}:rrf", "rrf", "toy", "evidence_disjoint", "2"],
    ]


def test_compare_asks_which_of_two_runs_of_one_name(
    compare: Callable[..., str],
    evaluation: Callable[..., Path],
    capsys: pytest.CaptureFixture[str],
    store: str,
) -> None:
    folder = evaluation("one", ranker=[1.0, 0.5], rrf=[0.5, 0.25])
    ids = [track(store, "twice", folder) for _ in range(2)]
    with pytest.raises(SystemExit):
        compare("twice", store=store)
    said = " ".join(capsys.readouterr().err.split())
    assert "twice: expected one run, found 2, newest first: " in said
    assert all(run_id in said for run_id in ids)


def test_compare_refuses_a_run_without_measures(
    compare: Callable[..., str], capsys: pytest.CaptureFixture[str], store: str
) -> None:
    track(store, "trial", None)
    with pytest.raises(SystemExit):
        compare("trial", store=store)
    assert "trial: expected per_query.parquet among its artifacts, found []." in capsys.readouterr().err


def test_compare_reads_what_the_pipeline_tracked(
    compare: Callable[..., str], rows: Callable[..., Any], pipeline: Path, ranker: Any
) -> None:
    run_id = json.loads((pipeline / "outputs/track.json").read_text())["run_id"]
    page = compare(
        run_id[:10], f"{run_id[:10]}:ranker_without_judgement", store=f"sqlite:///{pipeline}/mlflow.db"
    )
    table = rows(page, "# Comparison")
    metrics = json.loads((pipeline / "outputs/evaluation/metrics.json").read_text())["validation"]["runs"]
    for row in table:
        assert row[7].startswith(f"{metrics[row[1]]['nDCG@10']:.4f} (")
    # `by_slice` leaves out a slicing that divides nothing: all questions are in one collection.
    facts = pl.read_parquet(pipeline / "outputs/evaluation/queries.parquet").filter(split="validation")
    assert facts["collection"].n_unique() == 1
    assert facts["evidence"].n_unique() > 1
    assert re.findall(r"### By (\w+)", page) == ["level", "relevant", "words", "documents", "evidence"]
    assert "recall_by_depth_1.png" in page


def track(store: str, name: str, folder: Path | None) -> str:
    """Log an evaluation as the stage track does; return the id of the run."""
    mlflow.set_tracking_uri(store)
    toy = mlflow.get_experiment_by_name("toy")
    with mlflow.start_run(experiment_id=toy.experiment_id, run_name=name) as run:
        mlflow.log_params({"data.name": "toy", "prepare.protocol": "evidence_disjoint"})
        for path in folder.iterdir() if folder else ():
            mlflow.log_artifact(str(path))
    return str(run.info.run_id)
