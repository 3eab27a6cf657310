"""Stage track: one MLflow run per result, and a model in it that ranks as the bundle does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from rulerank.bundle import WITHOUT_JUDGEMENT
from rulerank.files import read_json
from rulerank.ranker import Ranker


def test_tracking_the_same_result_again_logs_nothing(
    pipeline: Path, stage: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = (pipeline / "outputs/track.json").read_bytes()
    monkeypatch.chdir(pipeline)
    stage("track")
    assert (pipeline / "outputs/track.json").read_bytes() == before
    assert len(_runs(pipeline)) == 1


def test_tracked_run_holds_params_metrics_figures_and_report(pipeline: Path) -> None:
    (tracked,) = _runs(pipeline)
    metrics = read_json(pipeline / "outputs/evaluation/metrics.json")
    assert tracked.data.params["ranker.num_leaves"] == "15"
    assert tracked.data.params["data.name"] == "sample"
    assert tracked.data.metrics["test.runs.ranker.nDCG_at_10"] == metrics["test"]["runs"]["ranker"]["nDCG@10"]
    assert tracked.data.metrics["timing.ranker.seconds"] > 0
    artefacts = {path.name for path in Path(tracked.info.artifact_uri.removeprefix("file://")).iterdir()}
    assert {"recall_by_depth.png", "importance.png", "report.md", "metrics.json"} <= artefacts


def test_tracked_model_predicts_what_the_bundle_ranks(pipeline: Path, ranker: Ranker) -> None:
    import mlflow
    import pandas as pd

    (tracked,) = _runs(pipeline)
    (logged,) = mlflow.search_logged_models(experiment_ids=[tracked.info.experiment_id], output_format="list")
    model = mlflow.pyfunc.load_model(logged.artifact_location)
    question = "Who has to keep the register, and for how long?"
    options = {"k": 12, "reasons": 0, "model": WITHOUT_JUDGEMENT}
    predicted = model.predict(pd.DataFrame({"question": [question]}), params=options)
    ranked = ranker.rank(question, **options)
    assert predicted.drop(columns="question").to_dict("records") == [asdict(passage) for passage in ranked]
    signature = model.metadata.signature
    assert signature.inputs.input_names() == ["question"]
    assert signature.outputs.input_names() == list(predicted.columns)
    assert [param.name for param in signature.params.params] == ["k", "reasons", "model"]


def _runs(pipeline: Path) -> list[Any]:
    import mlflow

    mlflow.set_tracking_uri(f"sqlite:///{pipeline}/mlflow.db")
    experiment = mlflow.get_experiment_by_name("rulerank")
    return mlflow.search_runs([experiment.experiment_id], output_format="list")
