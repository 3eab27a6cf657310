"""The measures of an exported ranker's trees, without what is added to their scores."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from rulerank.evaluate.measures import per_query
from rulerank.learn.ranker.ablation import rank
from rulerank.learn.ranker.saved import load_trees


def trees_alone(outputs: Path, name: str) -> pl.DataFrame:
    """Return the measures of each validation question."""
    asked = pl.read_parquet(outputs / "tables/queries.parquet").filter(pl.col("split") == "validation")
    judged = pl.read_parquet(outputs / "tables/judgements.parquet").join(asked, on="query_id", how="semi")
    questions = pl.read_parquet(outputs / "features.parquet").join(
        asked, on="query_id", how="semi", maintain_order="left"
    )
    return per_query(judged, rank(load_trees(outputs / "ranker", name), questions, name, 1))
