"""The retrieval measures of SearchFireSafety: recall by depth, MRR, nDCG@20, and whole sets by depth."""

from __future__ import annotations

import math

import polars as pl

DEPTHS = (1, 2, 3, 5, 10, 20, 50, 100)
NDCG = 20

SEARCH_MEASURES = (*(f"R@{depth}" for depth in DEPTHS), "MRR", f"nDCG@{NDCG}", *(f"All@{k}" for k in DEPTHS))
"""Names of the measures, in the order of every table."""


def search_measures(judgements: pl.DataFrame, runs: pl.DataFrame) -> pl.DataFrame:
    """Score every run on every judged query.

    - `R@k`: share of the relevant passages among the first k.
    - `MRR`: 1 / rank of the first relevant passage among the first 100, 0 if there is none.
    - `nDCG@20`: a passage is relevant or not; discount log2(rank + 1), ideal from all relevant passages.
    - `All@k`: 1 if every relevant passage is among the first k, else 0; "both found" if there are two.

    Parameters
    ----------
    judgements : the JUDGEMENTS table
        A passage of relevance 1 or more is relevant.
    runs : the RUNS table
        Only `rank` determines the order.

    Returns
    -------
    frame with columns run, query_id and one Float64 column per measure
        One row per run and judged query; a query that a run misses scores 0.

    """
    relevant = judgements.filter(pl.col("relevance") >= 1).select(
        "query_id", "passage_id", relevant=pl.len().over("query_id")
    )
    asked = relevant.select("query_id", "relevant").unique("query_id", maintain_order=True)
    hits = runs.filter(pl.col("rank") <= max(DEPTHS)).join(
        relevant.select("query_id", "passage_id"), on=("query_id", "passage_id"), how="semi"
    )
    gain = (1 / (pl.col("rank") + 1).log(2)).filter(pl.col("rank") <= NDCG).sum()
    found = hits.group_by("run", "query_id").agg(
        *((pl.col("rank") <= depth).sum().alias(f"found@{depth}") for depth in DEPTHS),
        gain.alias("gain"),
        (1 / pl.col("rank").min()).alias("MRR"),
    )
    ideals = [
        sum((1 / math.log2(rank + 1) for rank in range(1, count + 1)), 0.0) for count in range(NDCG + 1)
    ]
    ideal = pl.col("relevant").clip(upper_bound=NDCG).replace_strict(dict(enumerate(ideals)))
    return (
        runs.select("run")
        .unique(maintain_order=True)
        .join(asked, how="cross")
        .join(found, on=("run", "query_id"), how="left", maintain_order="left")
        .with_columns(pl.exclude("run", "query_id", "relevant").fill_null(0))
        .with_columns(
            *((pl.col(f"found@{depth}") / pl.col("relevant")).alias(f"R@{depth}") for depth in DEPTHS),
            *(
                (pl.col(f"found@{depth}") == pl.col("relevant")).cast(pl.Float64).alias(f"All@{depth}")
                for depth in DEPTHS
            ),
            (pl.col("gain") / ideal).alias(f"nDCG@{NDCG}"),
        )
        .select("run", "query_id", pl.col(SEARCH_MEASURES).cast(pl.Float64))
    )
