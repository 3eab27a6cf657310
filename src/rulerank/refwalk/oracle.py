"""How the views order passages that hold every relevant one, and the best possible order of a pool."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from rulerank.arrays import FloatArray, IntArray
from rulerank.refwalk.views import views
from rulerank.refwalk.walk import Gathered, Pool, RefWalk, scored


def given_pool(walk: RefWalk, question: str, passages: IntArray) -> Pool:
    """Return given passages as the pool of a question, scored under its views."""
    anchor = walk.anchors(question)
    nothing: FloatArray = np.zeros(len(passages), np.float32)
    gathered = Gathered(anchor, views(question, anchor), passages, np.zeros(len(passages), bool), nothing)
    return scored(gathered, walk.scorer)


def ideal_run(name: str, run: pl.DataFrame, judgements: pl.DataFrame) -> pl.DataFrame:
    """Return a run with the most relevant of its passages first: no order of them scores higher.

    Parameters
    ----------
    name : str
        Name of the result.
    run : polars.DataFrame
        One run of the runs table.
    judgements : polars.DataFrame
        The judgements table.

    """
    keys: Sequence[str] = ("query_id", "passage_id")
    return (
        run.join(judgements.select(*keys, "relevance"), on=keys, how="left", maintain_order="left")
        .sort("query_id", pl.col("relevance").fill_null(0), "rank", descending=[False, True, False])
        .with_columns(run=pl.lit(name), rank=pl.int_range(1, pl.len() + 1, dtype=pl.Int32).over("query_id"))
        .drop("relevance")
    )
