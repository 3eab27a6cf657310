"""The scores from which a model's probabilities are derived: those of its trees, and what the list adds."""

from __future__ import annotations

import polars as pl

from rulerank.bundle import Bundle
from rulerank.features.extract import named_pairs


def total_scores(
    bundle: Bundle, name: str, questions: pl.DataFrame, judgements: pl.DataFrame, threads: int
) -> pl.DataFrame:
    """Score the candidates of judged questions by one model, as it does when it answers them all itself.

    Parameters
    ----------
    bundle : Bundle
        The exported ranker.
    name : str
        The name of the model.
    questions : polars.DataFrame
        query_id and text.
    judgements : the JUDGEMENTS table
        The judgements of these questions.
    threads : int
        Batches described in parallel.

    Returns
    -------
    frame with columns query_id, passage_id, score, relevance
        Relevance is 0 for a passage that was not judged.

    """
    model = bundle.models[name]
    asked = bundle.queries(questions["query_id"].to_list(), questions["text"].to_list())
    scored = pl.concat(
        named_pairs(batch.pairs).with_columns(
            score=model.scored(batch, bundle.features, bundle.index.judgements, batch.every).total
        )
        for batch in bundle.described(asked, threads)
    )
    labelled = scored.join(
        judgements.select("query_id", "passage_id", "relevance"),
        on=["query_id", "passage_id"],
        how="left",
        maintain_order="left",
    )
    return labelled.with_columns(pl.col("relevance").fill_null(0))
