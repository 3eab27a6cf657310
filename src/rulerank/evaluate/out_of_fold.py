"""How well models rank training questions that they have not seen: the basis for choosing settings."""

from __future__ import annotations

import polars as pl

from rulerank.evaluate.measures import MEASURES, per_query
from rulerank.tables import RANK, RUNS


def measured(scored: pl.DataFrame, judgements: pl.DataFrame, model: str) -> pl.DataFrame:
    """Return the measures of every judged question, as `measures.per_query` defines them.

    Parameters
    ----------
    scored : polars.DataFrame
        Columns query_id, passage_id and score, by a model that has not seen the question. Pairs with equal
        scores keep the order of the rows.
    judgements : the JUDGEMENTS table
        Those of every question that was asked. A question without any scored passage counts 0.
    model : str
        The name of the model.

    Returns
    -------
    polars.DataFrame
        Columns run (the model), query_id, relevant (the number of relevant passages) and the measures.

    """
    pairs = scored.select("query_id", "passage_id", pl.col("score").cast(pl.Float64))
    ranked = pairs.with_columns(
        run=pl.lit(model),
        rank=RANK,
    )
    relevant = judgements.filter(pl.col("relevance") > 0).group_by("query_id").agg(relevant=pl.len())
    found = per_query(judgements, ranked.select(*RUNS.columns))
    return found.join(relevant, on="query_id", maintain_order="left").select(
        "run", "query_id", "relevant", *MEASURES
    )
