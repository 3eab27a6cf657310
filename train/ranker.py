"""Stage ranker: train LambdaMART with the tuned settings, with and without the judgements about passages.

To the trees of the ranker with judgements, it adds a model that completes judged sets
(`features/completion.py`); to the trees of the other, one of a passage's company (`features/affinity.py`).
For rules that nobody has judged, a model of a passage's standing (`features/standing.py`) comes between.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from rulerank.bundle import ON_NEW_RULES, RANKER, WITHOUT_JUDGEMENT
from rulerank.evaluate.out_of_fold import measured
from rulerank.features.affinity import Affinity
from rulerank.features.company import DESCRIBED
from rulerank.features.feature_set import FeatureSet
from rulerank.features.storage import JUDGEMENTS, load_judgements
from rulerank.features.withheld import NOTHING, Withheld, drawn
from rulerank.files import replacing, replacing_folder
from rulerank.learn.out_of_fold import OutOfFold
from rulerank.learn.ranker.affinity import Taught, fit_affinity
from rulerank.learn.ranker.calibration import platt
from rulerank.learn.ranker.choice import Choice, read_choice
from rulerank.learn.ranker.completion import fit_completion
from rulerank.learn.ranker.judge import Judge
from rulerank.learn.ranker.others import with_others
from rulerank.learn.ranker.recipe import fit, held_out, training_rows
from rulerank.learn.ranker.saved import save_ranker
from rulerank.learn.ranker.standing import Stood, fit_standing
from rulerank.pipeline.chosen import known_features
from rulerank.pipeline.paths import (
    CHOICE,
    DENSE,
    ENCODERS,
    FEATURE_TABLE,
    INDEX,
    LATE,
    OTHER_FEATURES,
    OUT_OF_FOLD,
    RANKERS,
    TABLES,
    TUNING,
)
from rulerank.pipeline.stage import Outcome, stage
from rulerank.pipeline.workspace import Workspace
from rulerank.settings import Settings
from rulerank.tables import FEATURES


@stage(
    "ranker",
    reads=[FEATURE_TABLE, OTHER_FEATURES, TABLES, INDEX, ENCODERS, DENSE, LATE, TUNING],
    writes=[RANKERS, OUT_OF_FOLD],
    params=["affinity", "candidates", "data", "extract", "late", "seed", "standing", "text", "threads"],
)
def main(settings: Settings) -> Outcome:
    """Write `outputs/ranker`, and how well models that have not seen a training question rank it."""
    choice, workspace = read_choice(CHOICE), Workspace(settings)
    table = FEATURES.scan(FEATURE_TABLE)
    names = FEATURES.further(table.collect_schema().names())
    own = training_rows(table, workspace.training_folds)
    figures, measures = {}, []
    with replacing_folder(RANKERS) as folder:
        for name, features in _variants(names, choice, settings):
            for model, said, scored in _train(own, features, name, folder, choice, workspace):
                figures[model] = said
                measures.append(measured(scored, workspace.judgements, model))
    hidden = _hidden(workspace)
    with replacing(OUT_OF_FOLD) as temporary:
        pl.concat(measures).join(hidden, "query_id", maintain_order="left").write_parquet(temporary)
    queries = own.select("query_id").collect().to_series()
    return Outcome({"queries": queries.n_unique(), "pairs": len(queries), **figures})


def _hidden(workspace: Workspace) -> pl.DataFrame:
    """Return query_id of the training questions, and `hidden`: whether judgements are hidden from them."""
    asked = workspace.asked("train").select("query_id")
    levels = _withheld(asked["query_id"], workspace).levels
    return asked.with_columns(hidden=pl.Series(levels != NOTHING))


def _withheld(query_ids: pl.Series, workspace: Workspace) -> Withheld:
    """Return what must be withheld from training questions, as when their features were computed."""
    asked = pl.DataFrame({"query_id": query_ids})
    asked = asked.join(workspace.queries, on="query_id", how="left", maintain_order="left")
    clusters, settings = asked["cluster"].to_numpy().astype(np.int64), workspace.settings
    return drawn(clusters, query_ids.to_list(), asked["as_new"].to_numpy(), settings.seed)


def _variants(names: list[str], choice: Choice, settings: Settings) -> list[tuple[str, FeatureSet]]:
    """Return the models to train: the chosen groups, and the same without the group `judgement`."""
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
    workspace: Workspace,
) -> Iterator[tuple[str, dict[str, float], pl.DataFrame]]:
    """Write the models with the trees of some features.

    Yields the name of each model, its size, and the scores of the corpus's own rows out of fold.
    """
    settings = workspace.settings
    others = choice.ranker.others
    training = with_others(own, settings.data.root.name, features, others, OTHER_FEATURES)
    trained = fit(training, features, choice, settings.seed, settings.threads)
    scored = held_out(own, trained)
    withheld = _withheld(scored["query_id"].unique(maintain_order=True), workspace)
    judge = Judge.of(scored, withheld, workspace.judgements)
    size = {"trees": trained.models.full.rounds, "features": len(features)}

    def saved(model: str, scores: NDArray[np.float64], **further: Any) -> pl.DataFrame:
        curve, rescored = platt(scores, judge.labels), scored.with_columns(score=scores)
        save_ranker(folder / model, trained.models, features, curve, rescored, **further)
        return rescored

    if len(features.without("judgement")) < len(features):
        rows = workspace.rows(scored["passage_id"])
        judged = load_judgements(INDEX / JUDGEMENTS, workspace.surroundings)
        completion, scores = fit_completion(scored["score"].to_numpy(), rows, withheld, judged, judge)
        yield name, {**size, "completion": completion.weight}, saved(name, scores, completion=completion)
        return
    affinity, scores = _in_company(own, scored, features, judge, workspace)
    weight = affinity.full.weight if affinity else 0.0
    yield name, {**size, "affinity": weight}, saved(name, scores, affinity=affinity)
    if name == WITHOUT_JUDGEMENT:
        # Hundreds of megabytes of standings are let go before the company is learned.
        standing, scores = fit_standing(
            Stood.of(own, scored, features, choice.ranker.several_weight), settings.standing.penalty
        )
        affinity, scores = _in_company(own, scored.with_columns(score=scores), features, judge, workspace)
        weights = {"factor": standing.full.factor, "affinity": affinity.full.weight if affinity else 0.0}
        further = {"standing": standing, "affinity": affinity}
        yield ON_NEW_RULES, {**size, **weights}, saved(ON_NEW_RULES, scores, **further)


def _in_company(
    own: pl.LazyFrame,
    scored: pl.DataFrame,
    features: FeatureSet,
    judge: Judge,
    workspace: Workspace,
) -> tuple[OutOfFold[Affinity] | None, NDArray[np.float64]]:
    """Learn what company adds to the scores of training rows; return it and the new scores."""
    described = tuple(name for name in DESCRIBED if name in features.names)
    taught = Taught(
        workspace.rows(scored["passage_id"]),
        scored["score"].to_numpy(),
        scored["fold"].to_numpy().astype(np.int64),
        own.select(described).collect().to_numpy() if described else np.empty((scored.height, 0), np.float32),
        described,
    )
    settings = workspace.settings
    return fit_affinity(
        taught, workspace.index, judge, settings.affinity, seed=settings.seed, threads=settings.threads
    )


if __name__ == "__main__":
    main.run()
