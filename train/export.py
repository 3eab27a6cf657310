"""Stage export: put everything a service needs into one verified folder."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import lightgbm
import polars as pl

import rulerank
from rulerank.bundle import RANKER, Model, write_bundle
from rulerank.console import reported
from rulerank.errors import InputError
from rulerank.features.registry import registered
from rulerank.files import read_json
from rulerank.learn.encoder.plan import BASE
from rulerank.learn.folds import FULL
from rulerank.learn.ranker.choice import read_choice
from rulerank.learn.ranker.first_pass import load_first_passes
from rulerank.learn.workspace import ENCODERS, FIRST_PASSES, TABLES, Workspace
from rulerank.settings import load_settings
from rulerank.timing import timed

NOT_OF_A_RANKER = {"data", "sample", "tune", "evaluate", "explain", "track"}
"""Sections of params.yaml that say nothing of an exported ranker."""

GOLDEN_ROWS = 200
TRAINED = Path("outputs/ranker")
VERSIONS = ("lightgbm", "numpy", "onnxruntime", "polars", "sentence-transformers", "torch")


def main() -> None:
    """Write `outputs/bundle`."""
    settings = load_settings()
    if not (TRAINED / f"{RANKER}.txt").is_file():
        raise InputError(TRAINED, "expected a trained ranker, found none. Run `dvc repro ranker`.")
    choice = read_choice(Path("outputs/tuning/best.json"))
    with timed("export"):
        workspace = Workspace()
        models = {name: _model(name) for name in sorted(path.stem for path in TRAINED.glob("*.txt"))}
        names = models[RANKER].features.names
        golden = pl.scan_parquet("outputs/features.parquet").select(names).head(GOLDEN_ROWS).collect()
        write_bundle(
            Path("outputs/bundle"),
            documents=workspace.documents,
            passages=workspace.passages,
            edges=workspace.edges,
            index=workspace.ranking_index(settings),
            encoder=ENCODERS / workspace.encoders.of_queries(FULL),
            token_encoder=ENCODERS / BASE,
            models=models,
            first_pass=load_first_passes(FIRST_PASSES).get(FULL),
            calibration=read_json(TRAINED / f"{RANKER}.calibration.json"),
            golden=golden.to_numpy(),
            facts={
                "rulerank": rulerank.__version__,
                "versions": {name: version(name) for name in VERSIONS},
                "feature_set": models[RANKER].features.digest,
                # What the ranker was trained with is the choice of the stage tune.
                "settings": settings.model_dump(mode="json", exclude=NOT_OF_A_RANKER)
                | {"ranker": choice.ranker.model_dump(mode="json")},
                "groups": choice.groups,
                "data": read_json(TABLES / "provenance.json"),
            },
        )


def _model(name: str) -> Model:
    described = read_json(TRAINED / f"{name}.features.json")
    features = registered().named([each["name"] for each in described])
    return Model(lightgbm.Booster(model_file=str(TRAINED / f"{name}.txt")), features)


if __name__ == "__main__":
    with reported():
        main()
