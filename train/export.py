"""Stage export: put everything a service needs into one verified folder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.metadata import version
from typing import Any

import polars as pl

from rulerank.answer.selection import Selection
from rulerank.arrays import DoubleArray, FloatArray
from rulerank.bundle import RANKER, Contents, Encoders, Golden, Model, Upkeep, write_bundle
from rulerank.bundle.reference import describe
from rulerank.evaluate.measures import MEASURES
from rulerank.evaluate.significance import bootstrap_interval
from rulerank.files import read_json
from rulerank.learn.encoder.plan import BASE
from rulerank.learn.ranker.choice import read_choice
from rulerank.learn.ranker.groups import AT_ONCE
from rulerank.learn.ranker.saved import load_rankers
from rulerank.learn.ranker.saved_first_pass import load_first_passes
from rulerank.pipeline.chosen import known_features
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
    LIMITS,
    OUT_OF_FOLD,
    RANKERS,
    SELECTION,
    TABLES,
    TRANSLATION,
    TRUST,
    TUNING,
)
from rulerank.pipeline.stage import Outcome, stage
from rulerank.pipeline.workspace import Workspace
from rulerank.settings import Settings
from rulerank.tables import EDGES

NOT_OF_A_RANKER = {"device", "data", "sample", "tune", "ranker", "evaluate", "explain", "track"}
"""Sections of params.yaml that do not describe an exported ranker; the stage tune chose its training."""

LEFT_OUT: dict[str, Any] = {**dict.fromkeys(NOT_OF_A_RANKER, True), "answer": {"obligations", "measured"}}
"""What the manifest does not repeat: these sections, a path of the machine that trained it, and how answers
are measured."""

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
        TRANSLATION,
        FIRST_PASSES,
        SELECTION,
        TRUST,
        TUNING,
        OUT_OF_FOLD,
    ],
    writes=[BUNDLE],
    params=[name for name in Settings.model_fields if name not in NOT_OF_A_RANKER],
    figures=False,
)
def main(settings: Settings) -> Outcome:
    """Write `outputs/bundle`."""
    known = known_features(settings)
    models = {name: each.full for name, each in load_rankers(RANKERS, known).items()}
    choice, workspace = read_choice(CHOICE), Workspace(settings)
    index = workspace.index()
    passes = load_first_passes(FIRST_PASSES, known)
    contents = Contents(
        documents=workspace.documents,
        passages=workspace.passages,
        edges=workspace.edges,
        index=index,
        models=models,
        first_pass=passes.full if passes else None,
        trust=read_json(LIMITS),
        selections=_selections(models),
    )
    encoders = Encoders(ENCODERS / workspace.encoders.of_queries(None), ENCODERS / BASE)
    facts = {
        "rulerank": version("rulerank"),
        "versions": {name: version(name) for name in VERSIONS},
        "feature_set": models[RANKER].features.digest,
        "settings": settings.model_dump(mode="json", exclude=LEFT_OUT)
        | {"ranker": choice.ranker.model_dump(mode="json")},
        "groups": models[RANKER].features.groups,
        "data": read_json(TABLES / "provenance.json"),
        "questions": {split: workspace.asked(split).height for split in ("train", "validation")},
        "out_of_fold": _out_of_fold(settings.seed),
    }
    reference = describe(_training_columns(workspace, contents))
    write_bundle(BUNDLE, contents, encoders, _golden(workspace), facts, reference, _upkeep(workspace))
    return Outcome()


def _out_of_fold(seed: int) -> dict[str, dict[str, dict[str, float]]]:
    """Return how well each model ranks training questions that it has not seen, by model and measure."""
    measured = pl.read_parquet(OUT_OF_FOLD).filter(~pl.col("hidden"))
    return {
        model: {
            name: _mean(measured.filter(pl.col("run") == model)[name].to_numpy(), seed) for name in MEASURES
        }
        for model in measured["run"].unique(maintain_order=True)
    }


def _mean(values: DoubleArray, seed: int) -> dict[str, float]:
    low, high = bootstrap_interval(values, seed)
    return {"mean": float(values.mean()), "low": low, "high": high, "n": len(values)}


def _training_columns(workspace: Workspace, contents: Contents) -> Iterator[tuple[str, FloatArray]]:
    """Yield each feature that the ranker or its first pass reads, and its values for training questions."""
    rows = pl.scan_parquet(FEATURE_TABLE).filter(
        pl.col("query_id").is_in(workspace.asked("train")["query_id"].to_list())
    )
    # A few columns at a time: the table may be larger than memory.
    names = list(dict.fromkeys(name for model in contents.trained.values() for name in model.features.names))
    for start in range(0, len(names), AT_ONCE):
        for column in rows.select(names[start : start + AT_ONCE]).collect():
            yield column.name, column.to_numpy()


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
        read_json(TABLES / "names.json"),
    )


def _golden(workspace: Workspace) -> Golden:
    """Return the first candidates, and the first questions with a text, from validation if there are any."""
    rows = pl.scan_parquet(FEATURE_TABLE).head(GOLDEN_ROWS).collect()
    held_out, training = (workspace.asked(split) for split in ("validation", "train"))
    questions = held_out if held_out.height else training
    return Golden(rows, questions.select("query_id", "text").head(GOLDEN_QUESTIONS))


if __name__ == "__main__":
    main.run()
