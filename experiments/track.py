"""Stage track: log each result to MLflow once, with its params, metrics, figures and model."""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_type_hints

import pandas as pd

os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")
os.environ.setdefault("MLFLOW_ENABLE_ARTIFACTS_PROGRESS_BAR", "false")

import mlflow
from mlflow.models import ModelSignature
from mlflow.types import ColSpec, DataType, ParamSchema, ParamSpec, Schema
from mlflow.types.schema import Array, Object, Property

from rulerank.bundle import MANIFEST, RANKER
from rulerank.files import read_json, write_json
from rulerank.passages import RankedPassage, Reason
from rulerank.pipeline.paths import ANSWERS, BUNDLE, EVALUATION, EXPLANATION, METRICS, TRACKED
from rulerank.pipeline.stage import Outcome, stage
from rulerank.settings import Settings
from rulerank.timing import TIMINGS

MODEL = Path("experiments/pyfunc_model.py")
"""The code of the model that MLflow keeps, and runs once to see that it works."""
RESULTS = (
    "report.md",
    "report.html",
    "metrics.json",
    "per_query.parquet",
    "queries.parquet",
    "recall_by_depth.csv",
)
"""Files of the evaluation that are logged with the run; `compare.py` reads them there."""
TAG = "rulerank.result"
"""Tag with the hash of the result and of the ranker that it measures: the same result is logged once."""

COLUMN_TYPES: dict[Any, DataType | Array] = {
    str: DataType.string,
    int: DataType.long,
    float: DataType.double,
    tuple[str, ...]: Array(DataType.string),
    tuple[Reason, ...]: Array(
        Object(
            [
                Property("feature", DataType.string),
                Property("value", DataType.double),
                Property("contribution", DataType.double),
            ]
        )
    ),
}
"""How MLflow stores each type of a field of `RankedPassage`."""


@stage(
    "track",
    reads=[MODEL, BUNDLE, *(EVALUATION / name for name in RESULTS), ANSWERS, EXPLANATION],
    writes=[TRACKED],
    params=["track", "data", "sample", "tune", "evaluate", "explain"],
    figures=False,
)
def main(settings: Settings) -> Outcome:
    """Write `outputs/track.json`."""
    logging.getLogger("mlflow").setLevel(logging.WARNING)
    result = _result(settings.track.name)
    mlflow.set_tracking_uri(settings.track.store)
    mlflow.set_experiment(settings.track.experiment)
    logged = mlflow.search_runs(filter_string=f"tags.`{TAG}` = '{result}'", output_format="list")
    run_id = logged[0].info.run_id if logged else _log(settings, result)
    write_json(TRACKED, {"result": result, "run_id": run_id})
    return Outcome()


def _result(name: str) -> str:
    parts = [(BUNDLE / MANIFEST).read_bytes(), METRICS.read_bytes(), name.encode()]
    return hashlib.sha256(b"".join(parts)).hexdigest()


def _log(settings: Settings, result: str) -> str:
    manifest = read_json(BUNDLE / MANIFEST)
    metrics = read_json(METRICS)
    with mlflow.start_run(
        run_name=settings.track.name or f"{manifest['data']['name']} {result[:8]}", tags={TAG: result}
    ) as run:
        mlflow.log_params(dict(_flat({**settings.model_dump(mode="json"), **manifest["settings"]})))
        facts = {"data.name": manifest["data"]["name"], "feature_set": manifest["feature_set"]}
        mlflow.log_params({**facts, "groups": manifest["groups"]})
        # MLflow allows no "@" in the name of a metric.
        mlflow.log_metrics({name.replace("@", "_at_"): float(value) for name, value in _flat(metrics)})
        answers = _flat({"answers": read_json(ANSWERS / "metrics.json")})
        mlflow.log_metrics({name: float(value) for name, value in answers if value is not None})
        for path in sorted(ANSWERS.iterdir()):
            mlflow.log_artifact(str(path), "answers")
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
        outputs=Schema(
            [
                ColSpec(DataType.string, "question"),
                *(ColSpec(COLUMN_TYPES[kind], name) for name, kind in get_type_hints(RankedPassage).items()),
            ]
        ),
        params=ParamSchema(
            [
                ParamSpec("k", DataType.long, 10),
                ParamSpec("reasons", DataType.long, 3),
                ParamSpec("model", DataType.string, RANKER),
            ]
        ),
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
    main.run()
