"""Stage listwise: the features of the second pass, from the lists of the first pass."""

from __future__ import annotations

import polars as pl
from threadpoolctl import threadpool_limits

from rulerank.console import progress
from rulerank.errors import InputError
from rulerank.features.extract import extract_second_pass
from rulerank.features.feature_set import FeatureSet
from rulerank.learn.ranker.saved_first_pass import load_first_passes
from rulerank.pipeline.chosen import chosen, known_features
from rulerank.pipeline.paths import (
    DENSE,
    ENCODERS,
    FEATURE_TABLE,
    FIRST_PASSES,
    INDEX,
    LATE,
    PAIRS,
    TABLES,
    TRANSLATION,
)
from rulerank.pipeline.stage import Outcome, stage
from rulerank.pipeline.workspace import Workspace
from rulerank.settings import Settings
from rulerank.tables import FEATURES


@stage(
    "listwise",
    reads=[PAIRS, FIRST_PASSES, TABLES, INDEX, ENCODERS, DENSE, LATE, TRANSLATION],
    writes=[FEATURE_TABLE],
    params=["extract", "candidates", "late", "seed", "text", "threads", "translation"],
)
def main(settings: Settings) -> Outcome:
    """Write `outputs/features.parquet`."""
    features = chosen(settings)
    table = FEATURES.read(PAIRS)
    if len(features.of_pass(2)):
        # As in the stage extract: batches run in parallel.
        with threadpool_limits(1, "blas"):
            table = table.hstack(_second_pass(table, features, settings))
    FEATURES.write(table[[*FEATURES.columns, *features.names]], FEATURE_TABLE)
    return Outcome({"pairs": table.height, "features": len(features), "feature_set": features.digest})


def _second_pass(table: pl.DataFrame, features: FeatureSet, settings: Settings) -> pl.DataFrame:
    """Return the columns of the second pass, row by row as in the table."""
    workspace, passes = Workspace(settings), load_first_passes(FIRST_PASSES, known_features(settings))
    if passes is None:
        raise InputError(FIRST_PASSES, "expected a first pass, found none. Run `dvc repro first_pass`.")
    parts: list[pl.DataFrame] = []
    place = 0
    for served in progress(workspace.served(), "listing"):
        for part in extract_second_pass(
            served.index,
            served.queries,
            served.withheld,
            features.of_pass(1),
            features.of_pass(2),
            settings.candidates,
            passes.for_fold(served.fold),
            table[place:],
            settings.threads,
        ):
            parts.append(part)
            place += part.height
    if place < table.height:
        raise InputError(
            PAIRS, f"expected {place} candidates, found {table.height} rows. Run `dvc repro extract`."
        )
    return pl.concat(parts, rechunk=True)


if __name__ == "__main__":
    main.run()
