"""Stage track: log each result to MLflow once, with its params, metrics, figures and model."""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
import tempfile
from collections.abc import Mapping
from importlib.metadata import requires, version
from pathlib import Path
from typing import Any, get_type_hints

import pandas as pd
import polars as pl
from packaging.requirements import Requirement

os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")
os.environ.setdefault("MLFLOW_ENABLE_ARTIFACTS_PROGRESS_BAR", "false")

import mlflow
from mlflow import MlflowClient
from mlflow.models import ModelSignature
from mlflow.types import ColSpec, DataType, ParamSchema, ParamSpec, Schema
from mlflow.types.schema import Array, Object, Property

import rulerank
from rulerank.bundle import MANIFEST, RANKER
from rulerank.bundle.golden_rows import golden_path
from rulerank.bundle.names import TRUST
from rulerank.evaluate.tracking import CANDIDATE, OF_FEATURES, use_store
from rulerank.files import read_json, write_json
from rulerank.passages import RankedPassage, Reason
from rulerank.pipeline.paths import ANSWERS, BUNDLE, EVALUATION, EXPLANATION, METRICS, TRACKED
from rulerank.pipeline.stage import Outcome, stage
from rulerank.redact import redacted
from rulerank.settings import Settings, flat
from rulerank.timing import TIMINGS

MODEL, FEATURE_MODEL = Path("experiments/pyfunc_model.py"), Path("experiments/feature_model.py")
"""The code of the models that MLflow keeps, and runs once to check that they work."""
QUESTION = "Who must keep the register?"
"""The example input that MLflow shows."""
RESULTS = (
    "report.md",
    "report.html",
    "metrics.json",
    "per_query.parquet",
    "queries.parquet",
    "recall_by_depth.csv",
)
"""Files of the evaluation that are logged with the run; `compare.py` reads them there."""
SAME = (BUNDLE / MANIFEST, METRICS, EVALUATION / "report.md", ANSWERS / "metrics.json", ANSWERS / "report.md")
"""With the tables and the report of the explanation, what a result is known by: equal for equal inputs."""
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
                Property("value", DataType.double, required=False),
                Property("contribution", DataType.double),
            ]
        )
    ),
}
"""How MLflow stores each type of a field of `RankedPassage`."""


@stage(
    "track",
    reads=[MODEL, FEATURE_MODEL, BUNDLE, *(EVALUATION / name for name in RESULTS), ANSWERS, EXPLANATION],
    writes=[TRACKED],
    params=["track", "data", "sample", "tune", "evaluate", "explain"],
    figures=False,
)
def main(settings: Settings) -> Outcome:
    """Write `outputs/track.json`."""
    logging.getLogger("mlflow").setLevel(logging.WARNING)
    result = _result(settings.track.name)
    use_store(settings.track.store)
    mlflow.set_experiment(settings.track.experiment)
    write_json(TRACKED, {"result": result, "run_id": _logged(result) or _log(settings, result)})
    return Outcome()


def _result(name: str) -> str:
    explained = [*EXPLANATION.glob("*.csv"), EXPLANATION / "report.md"]
    found = hashlib.sha256(name.encode())
    for path in (*SAME, *sorted(explained)):
        found.update(path.read_bytes())
    return found.hexdigest()


def _logged(result: str) -> str | None:
    """Return the run that holds a result; one that did not finish may lack its measures or its models."""
    wanted = f"tags.`{TAG}` = '{result}' AND attributes.status = 'FINISHED'"
    found = mlflow.search_runs(filter_string=wanted, output_format="list")
    return str(found[0].info.run_id) if found else None


def _log(settings: Settings, result: str) -> str:
    manifest = read_json(BUNDLE / MANIFEST)
    metrics = read_json(METRICS)
    with mlflow.start_run(
        run_name=settings.track.name or f"{manifest['data']['name']} {result[:8]}", tags={TAG: result}
    ) as run:
        params = flat({**settings.model_dump(mode="json"), **manifest["settings"]})
        mlflow.log_params({name: redacted(str(value)) for name, value in params})
        facts = {"data.name": manifest["data"]["name"], "feature_set": manifest["feature_set"]}
        mlflow.log_params({**facts, "groups": manifest["groups"]})
        answers = flat({"answers": read_json(ANSWERS / "metrics.json")})
        timings = flat({"timing": {path.stem: read_json(path) for path in sorted(TIMINGS.glob("*.json"))}})
        mlflow.log_metrics(
            {
                # MLflow allows no "@" in the name of a metric.
                **{name.replace("@", "_at_"): float(value) for name, value in flat(metrics)},
                **{name: float(value) for name, value in answers if value is not None},
                **dict(timings),
            }
        )
        for path in sorted(ANSWERS.iterdir()):
            mlflow.log_artifact(str(path), "answers")
        for name in RESULTS:
            mlflow.log_artifact(str(EVALUATION / name))
        for path in sorted(EXPLANATION.glob("*.png")):
            mlflow.log_artifact(str(path))
        for path in sorted(EXPLANATION.glob("report.*")):
            mlflow.log_artifact(str(path), "explain")
        _log_models(settings.track.model)
        return str(run.info.run_id)


def _log_models(name: str) -> None:
    """Log and register the ranker, and the model over its features; both become the candidate."""
    for registered, log in ((name, _log_ranker), (name + OF_FEATURES, _log_scorer)):
        logged = log(registered)
        MlflowClient().set_registered_model_alias(registered, CANDIDATE, logged.registered_model_version)


def _log_ranker(name: str) -> Any:
    """Log the ranker: questions in, ranked passages out."""
    passage = [ColSpec(COLUMN_TYPES[kind], field) for field, kind in get_type_hints(RankedPassage).items()]
    signature = ModelSignature(
        inputs=Schema([ColSpec(DataType.string, "question")]),
        outputs=Schema([ColSpec(DataType.string, "question"), *passage]),
        params=ParamSchema(
            [
                ParamSpec("k", DataType.long, 10),
                ParamSpec("reasons", DataType.long, 3),
                ParamSpec("model", DataType.string, RANKER),
            ]
        ),
    )
    example = pd.DataFrame({"question": [QUESTION]})
    return _log_pyfunc("ranker", name, MODEL, {"bundle": str(BUNDLE)}, signature, example)


def _log_scorer(name: str) -> Any:
    """Log the model over features: features in, scores out; it needs only the trees of the bundle."""
    rows = pl.read_ipc(golden_path(BUNDLE, RANKER)).drop("score").head(2)
    signature = ModelSignature(
        inputs=Schema([ColSpec(DataType.double, feature) for feature in rows.columns]),
        outputs=Schema([ColSpec(DataType.double, "score")]),
        params=ParamSchema([ParamSpec("model", DataType.string, RANKER)]),
    )
    example = pd.DataFrame({feature: rows[feature].to_numpy().astype("float64") for feature in rows.columns})
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place, "models")
        folder.mkdir()
        for path in (*BUNDLE.glob(f"{RANKER}*.txt"), *BUNDLE.glob(f"{RANKER}*.onnx"), BUNDLE / TRUST):
            shutil.copy(path, folder)
        return _log_pyfunc("scorer", name, FEATURE_MODEL, {"models": str(folder)}, signature, example)


def _log_pyfunc(
    label: str,
    registered: str,
    code: Path,
    artifacts: Mapping[str, str],
    signature: ModelSignature,
    example: pd.DataFrame,
) -> Any:
    return mlflow.pyfunc.log_model(
        name=label,
        python_model=str(code),
        artifacts=dict(artifacts),
        signature=signature,
        input_example=example,
        registered_model_name=registered,
        # No package index has the package, so its code goes with the model, and its requirements are listed.
        code_paths=[str(Path(rulerank.__file__).parent)],
        pip_requirements=_requirements(),
    )


def _requirements() -> list[str]:
    """Return what a service needs in addition to the code of rulerank, in the installed versions."""
    needed = map(Requirement, requires("rulerank") or [])
    names = [each.name for each in needed if each.marker is None or each.marker.evaluate({"extra": ""})]
    return [f"{name}=={version(name)}" for name in ("mlflow", "pandas", *names)]


if __name__ == "__main__":
    main.run()
