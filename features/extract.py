"""Stage extract: the features of the first pass for every training and validation candidate."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import polars as pl
from rich.progress import track

from rulerank.console import reported
from rulerank.features.chosen import chosen
from rulerank.features.extract import extract
from rulerank.files import write_json
from rulerank.learn.workspace import Workspace
from rulerank.settings import load_settings
from rulerank.tables import FEATURES
from rulerank.timing import timed


def main() -> None:
    """Write `outputs/pairs.parquet`."""
    settings = load_settings()
    features = chosen(settings).of_pass(1)
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
            Path("outputs/pairs.parquet"),
        )
    write_json(
        Path("outputs/figures/extract.json"),
        {"pairs": table.height, "features": len(features), "feature_set": features.digest},
    )


if __name__ == "__main__":
    with reported():
        main()
