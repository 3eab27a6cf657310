"""Stage ranker: train LambdaMART with the tuned settings, with and without the judgements about passages.

To the trees of the ranker with judgements, it adds a model that completes judged sets
(`features/completion.py`); to the trees of the other, one of a passage's company (`features/affinity.py`).
For rules that nobody has judged, a model of a passage's standing (`features/standing.py`) comes between.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import polars as pl

from rulerank.bundle import ON_NEW_RULES, RANKER, WITHOUT_JUDGEMENT
from rulerank.evaluate.out_of_fold import measured
from rulerank.features.company import DESCRIBED
from rulerank.features.feature_set import FeatureSet
from rulerank.features.storage import JUDGEMENTS, load_judgements
from rulerank.features.withheld import NOTHING, Withheld, draw_withheld
from rulerank.files import replacing, replacing_folder
from rulerank.learn.ranker.affinity import AffinityExamples, fit_affinity
from rulerank.learn.ranker.choice import Choice, read_choice
from rulerank.learn.ranker.completion import fit_completion
from rulerank.learn.ranker.lending import with_lent_rows
from rulerank.learn.ranker.multi_passage import MultiPassageNdcg
from rulerank.learn.ranker.recipe import fit, out_of_fold_scores, training_rows
from rulerank.learn.ranker.standing import StandingExamples, fit_standing
from rulerank.learn.ranker.trained import TrainedRanker
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
    TRANSLATION,
    TUNING,
)
from rulerank.pipeline.stage import Outcome, stage
from rulerank.pipeline.workspace import Workspace
from rulerank.settings import Settings
from rulerank.tables import FEATURES


@stage(
    "ranker",
    reads=[FEATURE_TABLE, OTHER_FEATURES, TABLES, INDEX, ENCODERS, DENSE, LATE, TRANSLATION, TUNING],
    writes=[RANKERS, OUT_OF_FOLD],
    params=[
        "affinity",
        "candidates",
        "data",
        "extract",
        "late",
        "seed",
        "standing",
        "text",
        "threads",
        "translation",
    ],
)
def main(settings: Settings) -> Outcome:
    """Write `outputs/ranker`, and how well models that have not seen a training question rank it."""
    choice, workspace = read_choice(CHOICE), Workspace(settings)
    table = FEATURES.scan(FEATURE_TABLE)
    names = FEATURES.further(table.collect_schema().names())
    own = training_rows(table, workspace.training_folds)
    # Those whose relevant passages no generator found have no rows, and count 0.
    judged = workspace.judgements_of(workspace.asked("train")["query_id"])
    figures, measures = {}, []
    with replacing_folder(RANKERS) as folder:
        for name, ranker in _rankers(own, _variants(names, choice, settings), choice, workspace):
            ranker.save(folder / name)
            figures[name] = ranker.figures
            measures.append(measured(ranker.held_out, judged, name))
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
    return draw_withheld(clusters, query_ids.to_list(), asked["as_new"].to_numpy(), settings.seed)


def _variants(names: list[str], choice: Choice, settings: Settings) -> list[tuple[str, FeatureSet]]:
    """Return the models to train: the chosen groups, and the same without the group `judgement`."""
    everything = choice.features(known_features(settings).named(names))
    general = everything.without("judgement")
    same = len(general) == len(everything)
    return [(RANKER, everything)] if same else [(RANKER, everything), (WITHOUT_JUDGEMENT, general)]


def _rankers(
    own: pl.LazyFrame, variants: list[tuple[str, FeatureSet]], choice: Choice, workspace: Workspace
) -> Iterator[tuple[str, TrainedRanker]]:
    """Yield each ranker with its name, trained on the corpus's own rows and on those of other corpora."""
    for name, features in variants:
        trees = _trees(own, features, choice, workspace)
        if len(features.without("judgement")) < len(features):
            yield name, _completing(trees, workspace)
        else:
            yield name, _in_company(trees, own, workspace)
        if name == WITHOUT_JUDGEMENT:
            yield ON_NEW_RULES, _in_company(_standing(trees, own, choice, workspace), own, workspace)


def _trees(own: pl.LazyFrame, features: FeatureSet, choice: Choice, workspace: Workspace) -> TrainedRanker:
    """Train trees, to which nothing is added."""
    settings = workspace.settings
    others = choice.ranker.others
    training = with_lent_rows(own, settings.data.root.name, features, others, OTHER_FEATURES)
    trained = fit(training, features, choice, settings.seed, settings.threads)
    return TrainedRanker(trained.models, features, out_of_fold_scores(own, trained))


def _completing(ranker: TrainedRanker, workspace: Workspace) -> TrainedRanker:
    """Learn how much completing judged sets adds."""
    rows = workspace.rows(ranker.held_out["passage_id"])
    judged = load_judgements(INDEX / JUDGEMENTS, workspace.surroundings)
    withheld, measure = _measure(ranker, workspace)
    completion, scores = fit_completion(ranker.scores, rows, withheld, judged, measure)
    return replace(ranker.with_scores(scores), completion=completion)


def _standing(
    ranker: TrainedRanker, own: pl.LazyFrame, choice: Choice, workspace: Workspace
) -> TrainedRanker:
    """Learn what the standing of a candidate adds."""
    examples = StandingExamples.of(own, ranker.held_out, ranker.features, choice.ranker.several_weight)
    standing, scores = fit_standing(examples, workspace.settings.standing.penalty)
    return replace(ranker.with_scores(scores), standing=standing)


def _in_company(ranker: TrainedRanker, own: pl.LazyFrame, workspace: Workspace) -> TrainedRanker:
    """Learn what the company of a passage adds."""
    described = tuple(name for name in DESCRIBED if name in ranker.features.names)
    rows, settings = ranker.held_out, workspace.settings
    examples = AffinityExamples(
        workspace.rows(rows["passage_id"]),
        ranker.scores,
        rows["fold"].to_numpy().astype(np.int64),
        own.select(described).collect().to_numpy() if described else np.empty((rows.height, 0), np.float32),
        described,
    )
    _, measure = _measure(ranker, workspace)
    affinity, scores = fit_affinity(
        examples, workspace.index, measure, settings.affinity, seed=settings.seed, threads=settings.threads
    )
    return replace(ranker.with_scores(scores), affinity=affinity)


def _measure(ranker: TrainedRanker, workspace: Workspace) -> tuple[Withheld, MultiPassageNdcg]:
    """Return what is withheld from the training questions of a ranker, and how it is measured on them."""
    asked = ranker.held_out["query_id"].unique(maintain_order=True)
    withheld = _withheld(asked, workspace)
    return withheld, MultiPassageNdcg.of(ranker.held_out, withheld, workspace.judgements)


if __name__ == "__main__":
    main.run()
