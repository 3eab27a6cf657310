"""Stage track: log each result to MLflow once, with its params, metrics, figures and model."""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import matplotlib as mpl
import pandas as pd
import polars as pl

mpl.use("Agg")
os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")
os.environ.setdefault("MLFLOW_ENABLE_ARTIFACTS_PROGRESS_BAR", "false")

import mlflow
from matplotlib import pyplot as plt
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import ScalarFormatter
from mlflow.models import ModelSignature
from mlflow.types import ColSpec, DataType, ParamSchema, ParamSpec, Schema

from rulerank.bundle import MANIFEST
from rulerank.console import reported
from rulerank.files import read_json, write_json
from rulerank.settings import Settings, load_settings
from rulerank.timing import TIMINGS, timed

BUNDLE, EVALUATION, MODEL = (
    Path("outputs/bundle"),
    Path("outputs/evaluation"),
    Path("experiments/pyfunc_model.py"),
)
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
        result = _result()
        mlflow.set_tracking_uri(settings.track.store)
        mlflow.set_experiment(settings.track.experiment)
        logged = mlflow.search_runs(filter_string=f"tags.`{TAG}` = '{result}'", output_format="list")
        run_id = logged[0].info.run_id if logged else _log(settings, result)
    write_json(Path("outputs/track.json"), {"result": result, "run_id": run_id})


def _result() -> str:
    parts = [(BUNDLE / MANIFEST).read_bytes(), (EVALUATION / "metrics.json").read_bytes()]
    return hashlib.sha256(b"".join(parts)).hexdigest()


def _log(settings: Settings, result: str) -> str:
    manifest = read_json(BUNDLE / MANIFEST)
    metrics = read_json(EVALUATION / "metrics.json")
    with mlflow.start_run(run_name=f"{manifest['data']['name']} {result[:8]}", tags={TAG: result}) as run:
        mlflow.log_params(dict(_flat(settings.model_dump(mode="json"))))
        mlflow.log_params({"data.name": manifest["data"]["name"], "feature_set": manifest["feature_set"]})
        # MLflow allows no "@" in the name of a metric.
        mlflow.log_metrics({name.replace("@", "_at_"): float(value) for name, value in _flat(metrics)})
        for path in sorted(TIMINGS.glob("*.json")):
            mlflow.log_metrics(
                {f"timing.{path.stem}.{name}": value for name, value in read_json(path).items()}
            )
        mlflow.log_figure(_recall_figure(), "recall_by_depth.png")
        mlflow.log_figure(_importance_figure(), "importance.png")
        for name in ("report.md", "metrics.json", "per_query.parquet"):
            mlflow.log_artifact(str(EVALUATION / name))
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


def _recall_figure() -> Figure:
    table = pl.read_csv(EVALUATION / "recall_by_depth.csv")
    splits = table["split"].unique(maintain_order=True).to_list()
    figure, axes = plt.subplots(1, len(splits), figsize=(6 * len(splits), 4.5), squeeze=False)
    for axis, split in zip(axes[0], splits, strict=True):
        for (name,), run in table.filter(pl.col("split") == split).group_by("run", maintain_order=True):
            axis.plot(run["depth"], run["recall"], marker="o", markersize=3, label=name)
        axis.set(title=split, xlabel="passages read", ylabel="recall", xscale="log", ylim=(0, 1))
        axis.xaxis.set_major_formatter(ScalarFormatter())
        axis.grid(alpha=0.3)
        axis.legend(fontsize=8)
    figure.tight_layout()
    return figure


def _importance_figure() -> Figure:
    table = pl.read_csv(EVALUATION / "importance.csv").head(25).reverse()
    groups = sorted(table["group"].unique())
    figure, axis = plt.subplots(figsize=(8, 7))
    colours = {group: f"C{place}" for place, group in enumerate(groups)}
    axis.barh(table["feature"], table["gain"], color=[colours[group] for group in table["group"]])
    axis.legend([Patch(color=colours[group]) for group in groups], groups, fontsize=8)
    axis.set(title="The 25 features with the greatest gain", xlabel="total gain", xscale="log")
    figure.tight_layout()
    return figure


if __name__ == "__main__":
    with reported():
        main()
