"""Stage ranker: train LambdaMART by the tuned settings, with and without what judgements say of passages."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from rulerank.bundle import RANKER, WITHOUT_JUDGEMENT
from rulerank.console import reported
from rulerank.features.feature_set import FeatureSet
from rulerank.features.registry import registered
from rulerank.files import replacing_folder, write_json
from rulerank.learn.ranker.choice import Choice, read_choice
from rulerank.learn.ranker.recipe import fit, training_rows
from rulerank.learn.workspace import Workspace
from rulerank.settings import Settings, load_settings
from rulerank.tables import FEATURES
from rulerank.timing import timed


def main() -> None:
    """Write `outputs/ranker`."""
    settings = load_settings()
    with timed("ranker"):
        choice = read_choice(Path("outputs/tuning/best.json"))
        table = FEATURES.read(Path("outputs/features.parquet"))
        folds = Workspace().training_folds
        training = training_rows(table, folds)
        figures = {}
        with replacing_folder(Path("outputs/ranker")) as folder:
            for name, features in _variants(table, choice):
                figures[name] = _train(training, features, name, folder, choice, settings)
    write_json(
        Path("outputs/figures/ranker.json"),
        {"queries": training["query_id"].n_unique(), "pairs": training.height, **figures},
    )


def _variants(table: pl.DataFrame, choice: Choice) -> list[tuple[str, FeatureSet]]:
    """Return the models to train: the groups that were chosen, and the same without the group `judgement`."""
    everything = choice.features(registered().named(table.columns[len(FEATURES.columns) :]))
    general = everything.without("judgement")
    same = len(general) == len(everything)
    return [(RANKER, everything)] if same else [(RANKER, everything), (WITHOUT_JUDGEMENT, general)]


def _train(
    training: pl.DataFrame, features: FeatureSet, name: str, folder: Path, choice: Choice, settings: Settings
) -> dict[str, int]:
    trained = fit(training, features, choice, settings.seed, settings.threads)
    (folder / f"{name}.txt").write_text(trained.booster.model_to_string(), encoding="utf-8")
    write_json(folder / f"{name}.features.json", features.describe())
    write_json(folder / f"{name}.calibration.json", trained.calibration)
    return {"trees": trained.booster.num_trees(), "features": len(features)}


if __name__ == "__main__":
    with reported():
        main()
