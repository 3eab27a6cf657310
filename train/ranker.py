"""Stage ranker: train LambdaMART with and without what judgements say of single passages."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

from rulerank.bundle import RANKER, WITHOUT_JUDGEMENT
from rulerank.console import reported
from rulerank.errors import InputError
from rulerank.features.registry import FeatureSet, registered
from rulerank.files import replacing_folder, write_json
from rulerank.learn.calibration import platt
from rulerank.learn.lambdamart import to_groups, train_ranker, with_relevant
from rulerank.learn.workspace import Workspace
from rulerank.settings import Settings, load_settings
from rulerank.tables import FEATURES
from rulerank.timing import timed


def main() -> None:
    """Write `outputs/ranker`."""
    settings = load_settings()
    with timed("ranker"):
        table = FEATURES.read(Path("outputs/features.parquet"))
        folds = Workspace().asked("train").select("query_id", "fold")
        training = with_relevant(table.join(folds, on="query_id", maintain_order="left"))
        _check_folds(training)
        figures = {}
        with replacing_folder(Path("outputs/ranker")) as folder:
            for name, features in _variants(table):
                figures[name] = _train(training, features, name, folder, settings)
    write_json(
        Path("outputs/figures/ranker.json"),
        {"queries": training["query_id"].n_unique(), "pairs": training.height, **figures},
    )


def _check_folds(training: pl.DataFrame) -> None:
    found = training["fold"].n_unique()
    if not found:
        raise InputError(
            "features",
            "expected a training question with a relevant candidate, found none. "
            "Check the judgements, or raise candidates.depth in params.yaml.",
        )
    if found == 1:
        raise InputError(
            "features",
            "expected training questions in two folds or more, found all in one: too few, or all alike. "
            "Add questions, or raise prepare.folds or prepare.near_duplicate in params.yaml.",
        )


def _variants(table: pl.DataFrame) -> list[tuple[str, FeatureSet]]:
    """Return the models to train: what the table holds, and the same without the group `judgement`."""
    everything = registered().named(table.columns[len(FEATURES.columns) :])
    general = everything.without("judgement")
    same = len(general) == len(everything)
    return [(RANKER, everything)] if same else [(RANKER, everything), (WITHOUT_JUDGEMENT, general)]


def _train(
    training: pl.DataFrame, features: FeatureSet, name: str, folder: Path, settings: Settings
) -> dict[str, float]:
    # The first fold decides how many rounds are enough; the final model is trained on every fold.
    held_out = pl.col("fold") == training["fold"].min()
    shown = to_groups(training.filter(~held_out), features.names)
    hidden = to_groups(training.filter(held_out), features.names)
    trial = train_ranker(
        shown,
        features.names,
        features.monotone,
        settings.ranker,
        rounds=settings.ranker.num_iterations,
        held_out=hidden,
        seed=settings.seed,
        threads=settings.threads,
    )
    # Every fold back in: more data carries proportionally more trees.
    rounds = round(trial.current_iteration() * training.height / len(shown.matrix))
    final = train_ranker(
        to_groups(training, features.names),
        features.names,
        features.monotone,
        settings.ranker,
        rounds=rounds,
        seed=settings.seed,
        threads=settings.threads,
    )
    (folder / f"{name}.txt").write_text(final.model_to_string(), encoding="utf-8")
    write_json(folder / f"{name}.features.json", features.describe())
    write_json(
        folder / f"{name}.calibration.json", platt(np.asarray(trial.predict(hidden.matrix)), hidden.labels)
    )
    return {"rounds": rounds, "features": len(features)}


if __name__ == "__main__":
    with reported():
        main()
