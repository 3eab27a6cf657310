"""Stage track: log each result to MLflow once, with its params, metrics, figures and model."""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")
os.environ.setdefault("MLFLOW_ENABLE_ARTIFACTS_PROGRESS_BAR", "false")

import mlflow
from mlflow.models import ModelSignature
from mlflow.types import ColSpec, DataType, ParamSchema, ParamSpec, Schema

from rulerank.bundle import MANIFEST
from rulerank.console import reported
from rulerank.files import read_json, write_json
from rulerank.settings import Settings, load_settings
from rulerank.timing import TIMINGS, timed

BUNDLE, EVALUATION, EXPLANATION, MODEL = (
    Path("outputs/bundle"),
    Path("outputs/evaluation"),
    Path("outputs/explain"),
    Path("experiments/pyfunc_model.py"),
)
RESULTS = (
    "report.md",
    "report.html",
    "metrics.json",
    "per_query.parquet",
    "queries.parquet",
    "recall_by_depth.csv",
)
"""Files of the evaluation that go into the run; `compare.py` reads them there."""
TAG = "rulerank.result"
"""Holds the hash of what was measured and of what measured it: the same result is logged once."""

OUTPUT = {
    "question": DataType.string,
    "rank": DataType.long,
    "passage_id": DataType.string,
    "document_id": DataType.string,
    "document": DataType.string,
    "section": DataType.string,
    "text": DataType.string,
    "score": DataType.double,
    "probability": DataType.double,
}


def main() -> None:
    """Write `outputs/track.json`."""
    settings = load_settings()
    logging.getLogger("mlflow").setLevel(logging.WARNING)
    with timed("track"):
        result = _result(settings.track.name)
        mlflow.set_tracking_uri(settings.track.store)
        mlflow.set_experiment(settings.track.experiment)
        logged = mlflow.search_runs(filter_string=f"tags.`{TAG}` = '{result}'", output_format="list")
        run_id = logged[0].info.run_id if logged else _log(settings, result)
    write_json(Path("outputs/track.json"), {"result": result, "run_id": run_id})


def _result(name: str) -> str:
    parts = [(BUNDLE / MANIFEST).read_bytes(), (EVALUATION / "metrics.json").read_bytes(), name.encode()]
    return hashlib.sha256(b"".join(parts)).hexdigest()


def _log(settings: Settings, result: str) -> str:
    manifest = read_json(BUNDLE / MANIFEST)
    metrics = read_json(EVALUATION / "metrics.json")
    with mlflow.start_run(
        run_name=settings.track.name or f"{manifest['data']['name']} {result[:8]}", tags={TAG: result}
    ) as run:
        mlflow.log_params(dict(_flat({**settings.model_dump(mode="json"), **manifest["settings"]})))
        facts = {"data.name": manifest["data"]["name"], "feature_set": manifest["feature_set"]}
        mlflow.log_params({**facts, "groups": manifest["groups"]})
        # MLflow allows no "@" in the name of a metric.
        mlflow.log_metrics({name.replace("@", "_at_"): float(value) for name, value in _flat(metrics)})
        for path in sorted(TIMINGS.glob("*.json")):
            mlflow.log_metrics(
                {f"timing.{path.stem}.{name}": value for name, value in read_json(path).items()}
            )
        for name in RESULTS:
            mlflow.log_artifact(str(EVALUATION / name))
        for path in sorted(EXPLANATION.glob("*.png")):
            mlflow.log_artifact(str(path))
        for path in sorted(EXPLANATION.glob("report.*")):
            mlflow.log_artifact(str(path), "explain")
        _log_model()
        return str(run.info.run_id)


def _log_model() -> None:
    signature = ModelSignature(
        inputs=Schema([ColSpec(DataType.string, "question")]),
        outputs=Schema([ColSpec(kind, name) for name, kind in OUTPUT.items()]),
        params=ParamSchema([ParamSpec("k", DataType.long, 10)]),
    )
    requirements = [f"rulerank=={read_json(BUNDLE / MANIFEST)['rulerank']}"]
    mlflow.pyfunc.log_model(
        name="ranker",
        python_model=str(MODEL),
        artifacts={"bundle": str(BUNDLE)},
        signature=signature,
        input_example=pd.DataFrame({"question": ["Who must keep the register?"]}),
        pip_requirements=requirements,
    )


def _flat(values: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


if __name__ == "__main__":
    with reported():
        main()
