"""Stage extract: the features of the first pass for every training and validation candidate."""

from __future__ import annotations

import time

import polars as pl
from threadpoolctl import threadpool_limits

from rulerank.console import progress
from rulerank.features.extract import extract
from rulerank.pipeline.chosen import chosen
from rulerank.pipeline.paths import DENSE, ENCODERS, INDEX, LATE, PAIRS, TABLES, TRANSLATION
from rulerank.pipeline.stage import Outcome, stage
from rulerank.pipeline.workspace import Workspace
from rulerank.settings import Settings
from rulerank.tables import FEATURES


@stage(
    "extract",
    reads=[TABLES, INDEX, ENCODERS, DENSE, LATE, TRANSLATION],
    writes=[PAIRS],
    params=["extract", "candidates", "late", "seed", "text", "threads", "translation"],
)
def main(settings: Settings) -> Outcome:
    """Write `outputs/pairs.parquet`."""
    features = chosen(settings).of_pass(1)
    workspace = Workspace(settings)
    start = time.perf_counter()
    parts: list[pl.DataFrame] = []
    # Batches run in parallel. With its own threads, BLAS would wait for them and round differently.
    with threadpool_limits(1, "blas"):
        for served in progress(workspace.served(), "extracting"):
            batches = extract(
                served.index,
                served.queries,
                served.withheld,
                features,
                settings.candidates,
                workers=settings.threads,
            )
            parts.extend(_judged(batch.frame(features), workspace.judgements) for batch in batches)
    table = pl.concat(parts)
    rate = round(table.height / (time.perf_counter() - start))
    FEATURES.write(table, PAIRS)
    return Outcome(
        {"pairs": table.height, "features": len(features), "feature_set": features.digest},
        timing={"pairs_per_second": rate},
    )


def _judged(frame: pl.DataFrame, judgements: pl.DataFrame) -> pl.DataFrame:
    """Add the relevance of each pair: 0 if it is not judged."""
    pairs = frame.select("query_id", "passage_id")
    found = pairs.join(judgements, on=pairs.columns, how="left", maintain_order="left")
    return frame.insert_column(2, found["relevance"].fill_null(0))


if __name__ == "__main__":
    main.run()
