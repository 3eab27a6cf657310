"""Stage listwise: the features of the second pass, from the lists that the first pass makes."""

from __future__ import annotations

import sys
from pathlib import Path

import polars as pl
from rich.progress import track

from rulerank.console import reported
from rulerank.features.chosen import chosen
from rulerank.features.extract import look_again
from rulerank.features.feature_set import FeatureSet
from rulerank.files import write_json
from rulerank.learn.folds import FULL
from rulerank.learn.ranker.first_pass import load_first_passes
from rulerank.learn.workspace import FIRST_PASSES, Workspace
from rulerank.settings import Settings, load_settings
from rulerank.tables import FEATURES
from rulerank.timing import timed


def main() -> None:
    """Write `outputs/features.parquet`."""
    settings = load_settings()
    features = chosen(settings)
    with timed("listwise"):
        table = FEATURES.read(Path("outputs/pairs.parquet"))
        if len(features.of_pass(2)):
            table = pl.concat(_looked_at_again(table, features, settings), rechunk=True)
        FEATURES.write(table.select(*FEATURES.columns, *features.names), Path("outputs/features.parquet"))
    write_json(
        Path("outputs/figures/listwise.json"),
        {"pairs": table.height, "features": len(features), "feature_set": features.digest},
    )


def _looked_at_again(table: pl.DataFrame, features: FeatureSet, settings: Settings) -> list[pl.DataFrame]:
    workspace, passes = Workspace(), load_first_passes(FIRST_PASSES)
    index = workspace.ranking_index(settings)
    parts: list[pl.DataFrame] = []
    for asked in track(list(workspace.served()), "listing", disable=not sys.stderr.isatty()):
        parts.extend(
            look_again(
                index.seen_through(asked.dense, asked.known, None),
                asked.queries,
                asked.held_out,
                features.of_pass(1),
                features.of_pass(2),
                # A fold in which no relevant passage was found taught none of the passes anything.
                passes.get(asked.adapter, passes[FULL]),
                table,
            )
        )
    return parts


if __name__ == "__main__":
    with reported():
        main()
