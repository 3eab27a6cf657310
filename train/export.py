"""Stage export: put everything a service needs into one verified folder."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

import polars as pl

from rulerank.answer.selection import Selection
from rulerank.bundle import RANKER, WITHOUT_JUDGEMENT, Contents, Encoders, Golden, Model, Upkeep, write_bundle
from rulerank.errors import InputError
from rulerank.features.chosen import known_features
from rulerank.features.feature_set import FeatureSet
from rulerank.files import read_json
from rulerank.learn.encoder.plan import BASE
from rulerank.learn.ranker.choice import read_choice
from rulerank.learn.ranker.first_pass import load_first_passes
from rulerank.pipeline.paths import (
    BUNDLE,
    CHOICE,
    DENSE,
    EDGE_TABLE,
    ENCODERS,
    FEATURE_TABLE,
    FIRST_PASSES,
    INDEX,
    LATE,
    RANKERS,
    SELECTION,
    TABLES,
    TRUST,
    TUNING,
)
from rulerank.pipeline.stage import Outcome, stage
from rulerank.pipeline.workspace import Workspace
from rulerank.settings import Settings
from rulerank.tables import EDGES
from rulerank.trees import Trees

NOT_OF_A_RANKER = {"device", "data", "sample", "tune", "ranker", "evaluate", "explain", "track"}
"""Sections of params.yaml that say nothing of an exported ranker; the stage tune chose how it was trained."""

LEFT_OUT: dict[str, Any] = {**dict.fromkeys(NOT_OF_A_RANKER, True), "answer": {"obligations"}}
"""What the manifest does not repeat; beside these sections, a path of the machine that it was trained on."""

GOLDEN_ROWS, GOLDEN_QUESTIONS = 100, 5
VERSIONS = ("lightgbm", "numpy", "onnxruntime", "polars", "sentence-transformers", "torch")


@stage(
    "export",
    reads=[
        RANKERS,
        FEATURE_TABLE,
        TABLES,
        EDGE_TABLE,
        INDEX,
        ENCODERS,
        DENSE,
        LATE,
        FIRST_PASSES,
        TRUST,
        SELECTION,
        TUNING,
    ],
    writes=[BUNDLE],
    params=[name for name in Settings.model_fields if name not in NOT_OF_A_RANKER],
    figures=False,
)
def main(settings: Settings) -> Outcome:
    """Write `outputs/bundle`."""
    if not (RANKERS / f"{RANKER}.txt").is_file():
        raise InputError(RANKERS, "expected a trained ranker, found none. Run `dvc repro ranker`.")
    choice = read_choice(CHOICE)
    workspace = Workspace(settings)
    index, known = workspace.index(), known_features(settings)
    passes = load_first_passes(FIRST_PASSES, known)
    models = {name: _model(name, known) for name in sorted(path.stem for path in RANKERS.glob("*.txt"))}
    contents = Contents(
        documents=workspace.documents,
        passages=workspace.passages,
        edges=workspace.edges,
        index=index,
        models=models,
        first_pass=passes.full if passes else None,
        trust=read_json(TRUST) if WITHOUT_JUDGEMENT in models else None,
        selections=_selections(models),
    )
    encoders = Encoders(ENCODERS / workspace.encoders.of_queries(None), ENCODERS / BASE)
    facts = {
        "rulerank": version("rulerank"),
        "versions": {name: version(name) for name in VERSIONS},
        "feature_set": models[RANKER].features.digest,
        "settings": settings.model_dump(mode="json", exclude=LEFT_OUT)
        | {"ranker": choice.ranker.model_dump(mode="json")},
        "groups": choice.groups,
        "data": read_json(TABLES / "provenance.json"),
    }
    write_bundle(BUNDLE, contents, encoders, _golden(workspace), facts, _upkeep(workspace))
    return Outcome()


def _selections(models: Mapping[str, Model]) -> dict[str, Selection]:
    learned = read_json(SELECTION)
    return {
        name: Selection.read(learned[name], model.features.names)
        for name, model in models.items()
        if learned[name] is not None
    }


def _upkeep(workspace: Workspace) -> Upkeep:
    late, curated = workspace.late_maps, TABLES / "references.parquet"
    return Upkeep(
        workspace.adapters.full.passage,
        late.full.passage if late else None,
        workspace.queries.filter(pl.col("split") == "train").select("query_id"),
        EDGES.read(curated) if curated.is_file() else None,
    )


def _golden(workspace: Workspace) -> Golden:
    """Return the first candidates, and the first questions with a text, of validation if there are any."""
    rows = pl.scan_parquet(FEATURE_TABLE).head(GOLDEN_ROWS).collect()
    held_out, training = (workspace.asked(split) for split in ("validation", "train"))
    questions = held_out if held_out.height else training
    return Golden(rows, questions.select("query_id", "text").head(GOLDEN_QUESTIONS))


def _model(name: str, known: FeatureSet) -> Model:
    described = read_json(RANKERS / f"{name}.features.json")
    features = known.named([each["name"] for each in described])
    curve = read_json(RANKERS / f"{name}.calibration.json")
    return Model(Trees.read(RANKERS / f"{name}.txt"), features, curve)


if __name__ == "__main__":
    main.run()
