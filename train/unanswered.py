"""Stage unanswered: training questions ranked as if the passages that answer them were not in the corpus.

Removing the answers from a finished list would be too easy to detect: every other passage keeps the scores it
had next to the answer. So candidates are retrieved, described and scored again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import polars as pl
from threadpoolctl import threadpool_limits

from rulerank.answer.membership import LEADERS
from rulerank.bundle import RANKER, Model
from rulerank.console import progress
from rulerank.features.extract import Batch, extract
from rulerank.features.feature_set import FeatureSet
from rulerank.features.first_pass import FirstPass
from rulerank.features.withheld import NOTHING
from rulerank.files import replacing
from rulerank.learn.ranker.saved import load_rankers
from rulerank.learn.ranker.saved_first_pass import load_first_passes
from rulerank.pipeline.chosen import known_features
from rulerank.pipeline.paths import (
    DENSE,
    ENCODERS,
    FIRST_PASSES,
    INDEX,
    LATE,
    RANKERS,
    TABLES,
    TRANSLATION,
    UNANSWERED,
)
from rulerank.pipeline.stage import Outcome, stage
from rulerank.pipeline.workspace import Served, Workspace
from rulerank.settings import Settings

QUESTIONS = 2000
"""Maximum number of questions per fold, which is enough to learn from."""


@stage(
    "unanswered",
    reads=[RANKERS, FIRST_PASSES, TABLES, INDEX, ENCODERS, DENSE, LATE, TRANSLATION],
    writes=[UNANSWERED],
    params=["extract", "candidates", "late", "seed", "text", "threads", "translation"],
)
def main(settings: Settings) -> Outcome:
    """Write `outputs/unanswered.parquet`: the first passages of each list, by every ranker."""
    known, workspace = known_features(settings), Workspace(settings)
    rankers, passes = load_rankers(RANKERS, known), load_first_passes(FIRST_PASSES, known)
    features = rankers[RANKER].full.features
    features = features if passes is None else features.joined(passes.full.features)
    parts = [_nothing(features)]
    # As in the stage extract: batches run in parallel.
    with threadpool_limits(1, "blas"):
        for served in progress(list(_training(workspace)), "unanswered"):
            first = None if passes is None else passes.for_fold(served.fold)
            for batch in _described(served, features, first, workspace):
                for name, models in rankers.items():
                    parts.append(_first(batch, features, name, models.for_fold(served.fold), served))
    with replacing(UNANSWERED) as temporary:
        pl.concat(parts).write_parquet(temporary)
    return Outcome({"lists": sum(part["query_id"].n_unique() for part in parts)})


def _training(workspace: Workspace) -> Iterator[Served]:
    """Yield the training questions of each fold from which nothing is hidden, `QUESTIONS` at most."""
    for served in workspace.served():
        if served.fold is not None:
            rows = np.flatnonzero(served.withheld.levels == NOTHING)[:QUESTIONS]
            if len(rows):
                yield replace(served, queries=served.queries.take(rows), withheld=served.withheld.take(rows))


def _described(
    served: Served, features: FeatureSet, first: FirstPass | None, workspace: Workspace
) -> Iterator[Batch]:
    """Describe the candidates of questions, without the passages that are relevant to them."""
    relevant = workspace.relevant(pl.DataFrame({"query_id": served.queries.ids}))
    gone = np.split(relevant.indices.astype(np.int64), relevant.indptr[1:-1])
    settings = workspace.settings
    return extract(
        served.index,
        served.queries,
        served.withheld,
        features,
        settings.candidates,
        settings.threads,
        first_pass=first,
        without=gone[: len(served.queries)],
    )


def _nothing(features: FeatureSet) -> pl.DataFrame:
    """Return what `_first` does, for no question: half of the rulebook may be hidden from all of them."""
    described = features.frame(np.empty((0, len(features)), np.float32))
    keys = {"query_id": pl.String(), "passage_id": pl.String()}
    of_model = {"model": pl.String(), "fold": pl.Int8(), "score": pl.Float64()}
    return pl.DataFrame(schema={**keys, **described.schema, **of_model})


def _first(batch: Batch, features: FeatureSet, name: str, model: Model, served: Served) -> pl.DataFrame:
    """Return the first `LEADERS` of each question by one model, with their features."""
    scores = model.scored(batch, features, served.index.judgements, batch.every).total
    return (
        batch.frame(features)
        .with_columns(model=pl.lit(name), fold=pl.lit(served.fold, pl.Int8), score=pl.Series(scores))
        # Ties keep the order of the table, as in a ranking.
        .sort("query_id", "score", descending=[False, True], maintain_order=True)
        .filter(pl.int_range(pl.len()).over("query_id") < LEADERS)
    )


if __name__ == "__main__":
    main.run()
