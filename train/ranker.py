"""Stage ranker: train LambdaMART by the tuned settings, with and without what judgements say of passages."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

from rulerank.bundle import RANKER, WITHOUT_JUDGEMENT
from rulerank.evaluate.out_of_fold import measured
from rulerank.features.chosen import known_features
from rulerank.features.feature_set import FeatureSet
from rulerank.features.withheld import NOTHING, drawn
from rulerank.files import replacing, replacing_folder, write_json
from rulerank.learn.ranker.choice import Choice, read_choice
from rulerank.learn.ranker.others import with_others
from rulerank.learn.ranker.recipe import fit, held_out, training_rows
from rulerank.pipeline.outputs import Outputs
from rulerank.pipeline.paths import (
    CHOICE,
    FEATURE_TABLE,
    OTHER_FEATURES,
    OUT_OF_FOLD,
    RANKERS,
    TABLES,
    TUNING,
)
from rulerank.pipeline.stage import Outcome, stage
from rulerank.settings import Settings
from rulerank.tables import FEATURES


@stage(
    "ranker",
    reads=[FEATURE_TABLE, OTHER_FEATURES, TABLES, TUNING],
    writes=[RANKERS, OUT_OF_FOLD],
    params=["data", "extract.masked", "seed", "threads"],
)
def main(settings: Settings) -> Outcome:
    """Write `outputs/ranker`, and how well each training question is ranked by what has not seen it."""
    choice, outputs = read_choice(CHOICE), Outputs()
    table = FEATURES.scan(FEATURE_TABLE)
    names = table.collect_schema().names()[len(FEATURES.columns) :]
    own = training_rows(table, outputs.training_folds)
    figures, measures = {}, []
    with replacing_folder(RANKERS) as folder:
        for name, features in _variants(names, choice, settings):
            figures[name], scored = _train(own, features, name, folder, choice, settings)
            measures.append(measured(scored, outputs.judgements, name))
    hidden = _hidden(outputs, settings)
    with replacing(OUT_OF_FOLD) as temporary:
        pl.concat(measures).join(hidden, "query_id", maintain_order="left").write_parquet(temporary)
    queries = own.select("query_id").collect().to_series()
    return Outcome({"queries": queries.n_unique(), "pairs": len(queries), **figures})


def _hidden(outputs: Outputs, settings: Settings) -> pl.DataFrame:
    """Return query_id of the training questions, and whether judgements are hidden from them: `hidden`."""
    asked = outputs.asked("train").select("query_id", "cluster")
    clusters = asked["cluster"].to_numpy().astype(np.int64)
    withheld = drawn(clusters, asked["query_id"].to_list(), settings.extract.masked, settings.seed)
    return asked.select("query_id", hidden=pl.Series(withheld.levels != NOTHING))


def _variants(names: list[str], choice: Choice, settings: Settings) -> list[tuple[str, FeatureSet]]:
    """Return the models to train: the groups that were chosen, and the same without the group `judgement`."""
    everything = choice.features(known_features(settings).named(names))
    general = everything.without("judgement")
    same = len(general) == len(everything)
    return [(RANKER, everything)] if same else [(RANKER, everything), (WITHOUT_JUDGEMENT, general)]


def _train(
    own: pl.LazyFrame, features: FeatureSet, name: str, folder: Path, choice: Choice, settings: Settings
) -> tuple[dict[str, int], pl.DataFrame]:
    """Write one model; return its size, and the scores of one's own rows by what has not seen them."""
    others = choice.ranker.others
    training = with_others(own, settings.data.root.name, features, others, OTHER_FEATURES)
    trained = fit(training, features, choice, settings.seed, settings.threads)
    scored = held_out(own, trained)
    scored.write_parquet(folder / f"{name}.held_out.parquet")
    (folder / f"{name}.txt").write_text(trained.models.full.text, encoding="utf-8")
    write_json(folder / f"{name}.features.json", features.describe())
    write_json(folder / f"{name}.calibration.json", trained.calibration)
    size = {"trees": trained.models.full.rounds, "features": len(features)}
    return size, scored


if __name__ == "__main__":
    main.run()
