"""Stage ranker: train LambdaMART by the tuned settings, with and without what judgements say of passages.

The one with judgements has a last step on top, which completes judged sets (`features/completion.py`).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from rulerank.bundle import RANKER, WITHOUT_JUDGEMENT
from rulerank.evaluate.out_of_fold import measured
from rulerank.features.chosen import known_features
from rulerank.features.completion import Completion
from rulerank.features.feature_set import FeatureSet
from rulerank.features.storage import JUDGEMENTS, load_judgements
from rulerank.features.withheld import NOTHING, Withheld, drawn
from rulerank.files import replacing, replacing_folder
from rulerank.learn.ranker.calibration import platt
from rulerank.learn.ranker.choice import Choice, read_choice
from rulerank.learn.ranker.completion import fit_completion
from rulerank.learn.ranker.others import with_others
from rulerank.learn.ranker.recipe import fit, held_out, training_rows
from rulerank.learn.ranker.saved import save_ranker
from rulerank.pipeline.outputs import Outputs
from rulerank.pipeline.paths import (
    CHOICE,
    FEATURE_TABLE,
    INDEX,
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
    reads=[FEATURE_TABLE, OTHER_FEATURES, TABLES, INDEX, TUNING],
    writes=[RANKERS, OUT_OF_FOLD],
    params=["data", "extract.masked", "seed", "threads"],
)
def main(settings: Settings) -> Outcome:
    """Write `outputs/ranker`, and how well each training question is ranked by what has not seen it."""
    choice, outputs = read_choice(CHOICE), Outputs()
    table = FEATURES.scan(FEATURE_TABLE)
    names = FEATURES.further(table.collect_schema().names())
    own = training_rows(table, outputs.training_folds)
    figures, measures = {}, []
    with replacing_folder(RANKERS) as folder:
        for name, features in _variants(names, choice, settings):
            figures[name], scored = _train(own, features, name, folder, choice, settings, outputs)
            measures.append(measured(scored, outputs.judgements, name))
    hidden = _hidden(outputs, settings)
    with replacing(OUT_OF_FOLD) as temporary:
        pl.concat(measures).join(hidden, "query_id", maintain_order="left").write_parquet(temporary)
    queries = own.select("query_id").collect().to_series()
    return Outcome({"queries": queries.n_unique(), "pairs": len(queries), **figures})


def _hidden(outputs: Outputs, settings: Settings) -> pl.DataFrame:
    """Return query_id of the training questions, and whether judgements are hidden from them: `hidden`."""
    asked = outputs.asked("train").select("query_id")
    levels = _withheld(asked["query_id"], outputs, settings).levels
    return asked.with_columns(hidden=pl.Series(levels != NOTHING))


def _withheld(query_ids: pl.Series, outputs: Outputs, settings: Settings) -> Withheld:
    """Return what training questions must not see, as when their features were made."""
    asked = pl.DataFrame({"query_id": query_ids})
    asked = asked.join(outputs.queries, on="query_id", how="left", maintain_order="left")
    clusters = asked["cluster"].to_numpy().astype(np.int64)
    return drawn(clusters, query_ids.to_list(), settings.extract.masked, settings.seed)


def _variants(names: list[str], choice: Choice, settings: Settings) -> list[tuple[str, FeatureSet]]:
    """Return the models to train: the groups that were chosen, and the same without the group `judgement`."""
    everything = choice.features(known_features(settings).named(names))
    general = everything.without("judgement")
    same = len(general) == len(everything)
    return [(RANKER, everything)] if same else [(RANKER, everything), (WITHOUT_JUDGEMENT, general)]


def _train(
    own: pl.LazyFrame,
    features: FeatureSet,
    name: str,
    folder: Path,
    choice: Choice,
    settings: Settings,
    outputs: Outputs,
) -> tuple[dict[str, float], pl.DataFrame]:
    """Write one model; return its size, and the scores of one's own rows by what has not seen them."""
    others = choice.ranker.others
    training = with_others(own, settings.data.root.name, features, others, OTHER_FEATURES)
    trained = fit(training, features, choice, settings.seed, settings.threads)
    scored, calibration = held_out(own, trained), trained.calibration
    figures: dict[str, float] = {"trees": trained.models.full.rounds, "features": len(features)}
    completion = None
    if len(features.without("judgement")) < len(features):
        completion, scores = _complete(scored, outputs, settings)
        figures["completion"] = completion.weight
        scored = scored.with_columns(score=scores)
        calibration = platt(scores, scored["relevance"].to_numpy())
    save_ranker(folder / name, trained.models, features, calibration, completion, scored)
    return figures, scored


def _complete(
    scored: pl.DataFrame, outputs: Outputs, settings: Settings
) -> tuple[Completion, NDArray[np.float64]]:
    """Choose how much completing judged sets counts; return it, and the completed scores."""
    rows = outputs.passages.select("passage_id").with_row_index("row")
    passages = scored.join(rows, on="passage_id", how="left", maintain_order="left")["row"]
    return fit_completion(
        scored,
        passages.to_numpy().astype(np.int64),
        _withheld(scored["query_id"].unique(maintain_order=True), outputs, settings),
        load_judgements(INDEX / JUDGEMENTS, outputs.surroundings),
        outputs.judgements,
    )


if __name__ == "__main__":
    main.run()
