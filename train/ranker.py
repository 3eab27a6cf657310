"""Stage ranker: train LambdaMART by the tuned settings, with and without what judgements say of passages."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from rulerank.bundle import RANKER, WITHOUT_JUDGEMENT
from rulerank.features.chosen import known_features
from rulerank.features.feature_set import FeatureSet
from rulerank.files import replacing_folder, write_json
from rulerank.learn.ranker.choice import Choice, read_choice
from rulerank.learn.ranker.recipe import fit, held_out, training_rows
from rulerank.pipeline.outputs import Outputs
from rulerank.pipeline.paths import CHOICE, FEATURE_TABLE, RANKERS, TABLES, TUNING
from rulerank.pipeline.stage import Outcome, stage
from rulerank.settings import Settings
from rulerank.tables import FEATURES


@stage("ranker", reads=[FEATURE_TABLE, TABLES, TUNING], writes=[RANKERS], params=["seed", "threads"])
def main(settings: Settings) -> Outcome:
    """Write `outputs/ranker`."""
    choice = read_choice(CHOICE)
    table = FEATURES.scan(FEATURE_TABLE)
    names = table.collect_schema().names()[len(FEATURES.columns) :]
    training = training_rows(table, Outputs().training_folds)
    figures = {}
    with replacing_folder(RANKERS) as folder:
        for name, features in _variants(names, choice, settings):
            figures[name] = _train(training, features, name, folder, choice, settings)
    queries = training.select("query_id").collect().to_series()
    return Outcome({"queries": queries.n_unique(), "pairs": len(queries), **figures})


def _variants(names: list[str], choice: Choice, settings: Settings) -> list[tuple[str, FeatureSet]]:
    """Return the models to train: the groups that were chosen, and the same without the group `judgement`."""
    everything = choice.features(known_features(settings).named(names))
    general = everything.without("judgement")
    same = len(general) == len(everything)
    return [(RANKER, everything)] if same else [(RANKER, everything), (WITHOUT_JUDGEMENT, general)]


def _train(
    training: pl.LazyFrame, features: FeatureSet, name: str, folder: Path, choice: Choice, settings: Settings
) -> dict[str, int]:
    trained = fit(training, features, choice, settings.seed, settings.threads)
    held_out(training, trained).write_parquet(folder / f"{name}.held_out.parquet")
    (folder / f"{name}.txt").write_text(trained.models.full.text, encoding="utf-8")
    write_json(folder / f"{name}.features.json", features.describe())
    write_json(folder / f"{name}.calibration.json", trained.calibration)
    return {"trees": trained.models.full.rounds, "features": len(features)}


if __name__ == "__main__":
    main.run()
