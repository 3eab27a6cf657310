"""Stage extract: the feature matrix of every training and validation candidate."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import polars as pl
from rich.progress import track

from rulerank.console import reported
from rulerank.errors import SettingsError
from rulerank.features.extract import extract
from rulerank.features.registry import FeatureSet, registered
from rulerank.files import write_json
from rulerank.learn.workspace import Workspace
from rulerank.settings import Extract, load_settings
from rulerank.tables import FEATURES
from rulerank.timing import timed


def main() -> None:
    """Write `outputs/features.parquet`."""
    settings = load_settings()
    features = _chosen(settings.extract, late=settings.late.epochs > 0)
    with timed("extract") as timing:
        workspace = Workspace()
        index = workspace.ranking_index(settings)
        candidates = pl.read_parquet("outputs/candidates.parquet")
        ids = workspace.passages["passage_id"]
        start = time.perf_counter()
        parts = []
        for asked in track(list(workspace.served()), "extracting", disable=not sys.stderr.isatty()):
            seen = index.seen_through(asked.dense, asked.known, workspace.late_index(asked.adapter))
            for batch in extract(
                seen,
                asked.queries,
                asked.held_out,
                features,
                settings.candidates,
                candidates,
                workers=settings.threads,
            ):
                queries = pl.Series("query_id", batch.queries.ids, dtype=pl.String)
                parts.append(
                    features.frame(batch.matrix)
                    .insert_column(0, queries[batch.retrieved.rows])
                    .insert_column(1, ids[batch.retrieved.columns])
                )
        described = pl.concat(parts, rechunk=True)
        timing["pairs_per_second"] = round(described.height / (time.perf_counter() - start))
        table = described.join(
            workspace.judgements, on=["query_id", "passage_id"], how="left", maintain_order="left"
        ).with_columns(pl.col("relevance").fill_null(0))
        FEATURES.write(
            table.select("query_id", "passage_id", "relevance", *features.names),
            Path("outputs/features.parquet"),
        )
    write_json(
        Path("outputs/figures/extract.json"),
        {"pairs": table.height, "features": len(features), "feature_set": features.digest},
    )


def _chosen(settings: Extract, late: bool) -> FeatureSet:
    features = registered() if settings.judgement else registered().without("judgement")
    features = features if late else features.without("late")
    if settings.features is None:
        return features
    try:
        return features.named(list(settings.features))
    except ValueError as error:
        raise SettingsError(f"params.yaml: extract.features: {error}") from error


if __name__ == "__main__":
    with reported():
        main()
