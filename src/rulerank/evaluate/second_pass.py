"""The passages of a run in the order of another scorer, such as a cross-encoder."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import polars as pl

from rulerank.arrays import FloatArray, IntArray


def second_pass(
    name: str,
    first: pl.DataFrame,
    queries: pl.DataFrame,
    passage_ids: pl.Series,
    score: Callable[[str, IntArray], FloatArray],
) -> pl.DataFrame:
    """Return the passages of a run in another order, as a new run.

    Parameters
    ----------
    name : str
        Name of the new run.
    first : the RUNS table
        One run, question by question.
    queries : frame with columns query_id and text
    passage_ids : polars.Series
        The passages, as `score` numbers them.
    score : callable
        Maps the text of a question and the numbers of passages to scores; higher is better.

    Returns
    -------
    the RUNS table
        Its rows correspond to those of `first`; equal scores keep the order of `first`.

    """
    numbered = pl.DataFrame({"passage_id": passage_ids}).with_row_index("number")
    numbers = first.join(numbered, on="passage_id", maintain_order="left")["number"].cast(pl.Int64)
    texts = dict(queries.select("query_id", "text").iter_rows())
    asked = first.select("query_id", number=numbers).group_by("query_id", maintain_order=True)
    scores = [score(texts[str(query)], part["number"].to_numpy()) for (query,), part in asked]
    ordered = pl.struct(-pl.col("score"), pl.col("rank")).rank("ordinal").over("query_id")
    return first.with_columns(
        run=pl.lit(name), score=pl.Series(np.concatenate(scores), dtype=pl.Float64)
    ).with_columns(rank=ordered.cast(pl.Int32))
