"""The stage track: one MLflow run per result, with a model that ranks as the bundle does."""

from __future__ import annotations

import io
import json
import math
import runpy
import shutil
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from rulerank.bundle import WITHOUT_JUDGEMENT
from rulerank.evaluate.tracking import use_store
from rulerank.files import read_json
from rulerank.ranker import Ranker

PROJECT = Path(__file__).parents[2]


def test_tracking_the_same_result_again_logs_nothing(
    pipeline: Path, stage: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = (pipeline / "outputs/track.json").read_bytes()
    monkeypatch.chdir(pipeline)
    stage("track")
    assert (pipeline / "outputs/track.json").read_bytes() == before
    assert len(_runs(pipeline)) == 1


@pytest.mark.parametrize("status", ["FAILED", "KILLED", "RUNNING"])
def test_run_that_did_not_finish_holds_no_result(
    status: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import mlflow

    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    use_store(f"file:{tmp_path / 'store'}")
    mlflow.set_experiment("rulerank")
    track = runpy.run_path(str(PROJECT / "experiments/track.py"))
    client, tags = mlflow.MlflowClient(), {track["TAG"]: "abc"}
    experiment = mlflow.get_experiment_by_name("rulerank").experiment_id
    run_id = client.create_run(experiment, tags=tags).info.run_id
    client.update_run(run_id, status)
    assert track["_logged"]("abc") is None
    client.set_terminated(run_id, "FINISHED")
    assert track["_logged"]("abc") == run_id
    assert track["_logged"]("other") is None


@pytest.mark.parametrize(
    "name",
    [
        "answers/metrics.json",
        "answers/report.md",
        "evaluation/report.md",
        "explain/shap.csv",
        "explain/report.md",
    ],
)
def test_a_result_with_anything_newly_measured_is_another(
    pipeline: Path, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for part in ("bundle", "evaluation", "answers", "explain"):
        shutil.copytree(pipeline / "outputs" / part, tmp_path / "outputs" / part)
    result_of = runpy.run_path(str(PROJECT / "experiments/track.py"))["_result"]
    monkeypatch.chdir(tmp_path)
    assert result_of("") == read_json(pipeline / "outputs/track.json")["result"]
    with (tmp_path / "outputs" / name).open("a") as file:
        file.write("\n")
    assert result_of("") != read_json(pipeline / "outputs/track.json")["result"]


def test_tracked_run_holds_params_metrics_figures_and_report(pipeline: Path) -> None:
    (tracked,) = _runs(pipeline)
    metrics = read_json(pipeline / "outputs/evaluation/metrics.json")
    assert tracked.data.params["ranker.num_leaves"] == "14"
    assert tracked.data.params["data.name"] == "sample"
    assert tracked.data.metrics["test.runs.ranker.nDCG_at_10"] == metrics["test"]["runs"]["ranker"]["nDCG@10"]
    assert tracked.data.metrics["timing.ranker.seconds"] > 0
    artefacts = {path.name for path in Path(tracked.info.artifact_uri.removeprefix("file://")).iterdir()}
    assert {"recall_by_depth.png", "importance.png", "report.md", "metrics.json"} <= artefacts


def test_registered_model_predicts_what_the_bundle_ranks(
    pipeline: Path, ranker: Ranker, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pandas as pd

    monkeypatch.setenv("MLFLOW_ALLOW_PICKLE_DESERIALIZATION", "false")
    model = _load(pipeline, "rulerank")
    question = "Who has to keep the register, and for how long?"
    options = {"k": 12, "reasons": 0, "model": WITHOUT_JUDGEMENT}
    predicted = model.predict(pd.DataFrame({"question": [question]}), params=options)
    ranked = ranker.rank(question, **options)
    expected = [asdict(passage) | {"reasons": []} for passage in ranked]
    assert predicted.drop(columns="question").to_dict("records") == expected
    signature = model.metadata.signature
    assert signature.inputs.input_names() == ["question"]
    assert signature.outputs.input_names() == list(predicted.columns)
    assert [param.name for param in signature.params.params] == ["k", "reasons", "model"]
    assert model.input_example["question"].tolist() == ["Who must keep the register?"]


def test_served_reasons_are_json_with_null_for_what_is_missing(
    pipeline: Path, ranker: Ranker, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pandas as pd
    from mlflow.pyfunc.scoring_server import predictions_to_json

    monkeypatch.setenv("MLFLOW_ALLOW_PICKLE_DESERIALIZATION", "false")
    question, output = "Who must keep the register?", io.StringIO()
    options = {"k": 3, "reasons": 200}
    predictions_to_json(
        _load(pipeline, "rulerank").predict(pd.DataFrame({"question": [question]}), params=options), output
    )
    served = json.loads(output.getvalue(), parse_constant=pytest.fail)["predictions"]
    for row, passage in zip(served, ranker.rank(question, **options), strict=True):
        values = {reason["feature"]: reason["value"] for reason in row["reasons"]}
        missing = {reason.feature for reason in passage.reasons if math.isnan(reason.value)}
        assert {feature for feature, value in values.items() if value is None} == missing
    assert "null" in output.getvalue()


def test_served_model_says_what_is_wrong_with_a_question(
    pipeline: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mlflow.exceptions import MlflowException
    from mlflow.pyfunc.scoring_server import invocations

    monkeypatch.setenv("MLFLOW_ALLOW_PICKLE_DESERIALIZATION", "false")
    asked = {"dataframe_records": [{"question": " "}]}
    with pytest.raises(MlflowException, match="question: expected a question, found blank text") as raised:
        invocations(json.dumps(asked), "application/json", _load(pipeline, "rulerank"), None)
    assert raised.value.get_http_status_code() == 400
    assert "stack_trace" not in raised.value.serialize_as_json()


def test_scorer_names_the_models_that_it_has(
    pipeline: Path, ranker: Ranker, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mlflow.exceptions import MlflowException

    monkeypatch.setenv("MLFLOW_ALLOW_PICKLE_DESERIALIZATION", "false")
    model = _load(pipeline, "rulerank-features")
    assert set(model.unwrap_python_model().choices) == set(ranker.bundle.names)
    for name in ("nope", "ranker_on_new_rules_affinity"):
        with pytest.raises(
            MlflowException, match=f"expected a model of this bundle, ranker.* found '{name}'"
        ):
            model.predict(model.input_example, params={"model": name})


def test_registered_scorer_scores_features_as_the_bundle_does(
    pipeline: Path, ranker: Ranker, bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MLFLOW_ALLOW_PICKLE_DESERIALIZATION", "false")
    model = _load(pipeline, "rulerank-features")
    rows = pl.read_ipc(bundle / "golden/ranker.arrow").drop("score")
    matrix = rows.select(ranker.bundle.features.names).to_numpy()
    for name in ranker.bundle.names:
        scores = model.predict(rows.cast(pl.Float64).to_pandas(), params={"model": name})["score"]
        assert scores.tolist() == ranker.score(matrix, model=name).tolist()


def test_registered_models_carry_the_code_they_need(pipeline: Path) -> None:
    for name in ("rulerank", "rulerank-features"):
        folder = Path(_load(pipeline, name)._model_impl.context.artifacts.popitem()[1]).parents[1]
        assert (folder / "code/rulerank/ranker/ranker.py").is_file()
        needed = (folder / "requirements.txt").read_text().split()
        assert not [each for each in needed if each.startswith("rulerank")]
        assert {each.partition("==")[0] for each in needed} >= {"mlflow", "onnxruntime", "polars"}


def _load(pipeline: Path, name: str) -> Any:
    """Load the candidate as a service would."""
    import mlflow

    use_store(f"sqlite:///{pipeline}/mlflow.db")
    return mlflow.pyfunc.load_model(f"models:/{name}@candidate")


def _runs(pipeline: Path) -> list[Any]:
    import mlflow

    use_store(f"sqlite:///{pipeline}/mlflow.db")
    experiment = mlflow.get_experiment_by_name("rulerank")
    return mlflow.search_runs([experiment.experiment_id], output_format="list")
