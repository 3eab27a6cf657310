"""Feedback joined to the training questions; it never changes what is held out."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from rulerank.splits.protocol import Split

HELD_OUT = "feedback on held-out evidence"
"""Why a question from feedback is dropped by a protocol that keeps evidence separate."""


def join_feedback(split: Split, queries: pl.DataFrame, judgements: pl.DataFrame, barred: pl.Series) -> Split:
    """Add questions from feedback to those of a corpus, after a protocol has split the latter.

    Parameters
    ----------
    split : Split
        The questions of the corpus.
    queries, judgements : polars.DataFrame
        The tables of the feedback, all for training.
    barred : polars.Series
        Passages that must not be judged relevant to any training question; such questions are dropped.

    """
    on_barred = judgements.filter(pl.col("relevance") > 0, pl.col("passage_id").is_in(barred.implode()))
    lost = pl.col("query_id").is_in(on_barred["query_id"].implode())
    dropped = queries.filter(lost).select(
        "query_id", pl.lit(None, pl.String).alias("repeats"), pl.lit(HELD_OUT).alias("reason")
    )
    return Split(
        pl.concat([split.queries, queries.filter(~lost)]),
        pl.concat([split.judgements, judgements.filter(~lost)]),
        pl.concat([split.dropped, dropped]),
        split.figures,
    )


def barred_passages(
    split: Split, passages: pl.DataFrame, protocol: str, documents: Sequence[str]
) -> pl.Series:
    """Return the passages that a protocol keeps from the training questions.

    Parameters
    ----------
    split : Split
        The questions after the protocol split them.
    passages : polars.DataFrame
        The passages table.
    protocol : str
        One of the values of `prepare.protocol` in params.yaml.
    documents : sequence of str
        The held-out documents.

    """
    if protocol == "document_disjoint":
        return passages.filter(pl.col("document_id").is_in(list(documents)))["passage_id"]
    if protocol == "evidence_disjoint":
        held_out = split.queries.filter(pl.col("split") != "train")["query_id"]
        judged = split.judgements.filter(pl.col("query_id").is_in(held_out.implode()))
        return judged.filter(pl.col("relevance") > 0)["passage_id"].unique(maintain_order=True)
    return passages["passage_id"].clear()
