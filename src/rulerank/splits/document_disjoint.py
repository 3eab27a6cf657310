"""Document-disjoint: training and held-out questions have their relevant passages in different documents.

No training question has a relevant passage in a held-out document, and no held-out question has one anywhere
else. Training questions only about held-out documents become validation questions. Published validation and
test questions keep their split if they are only about held-out documents. Questions about both kinds of
documents are dropped.
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from rulerank.errors import InputError
from rulerank.splits.protocol import Split

TEXTLESS, STRADDLING, ELSEWHERE = (
    "about held-out documents, without text",
    "about held-out and other documents",
    "held out, about other documents",
)
"""Why a question is dropped by the document-disjoint protocol."""


def document_disjoint(
    queries: pl.DataFrame, judgements: pl.DataFrame, passages: pl.DataFrame, held_out: Sequence[str]
) -> Split:
    """Hold out the questions about some documents, and train on those about the others.

    A question is about the documents of its relevant passages. A question about both kinds is dropped.

    Parameters
    ----------
    queries, judgements : polars.DataFrame
        The tables of these names, all splits.
    passages : polars.DataFrame
        The passages table.
    held_out : sequence of str
        Ids of the held-out documents.

    Raises
    ------
    InputError
        A document is not in the corpus, or no training or no validation question with a text is left.

    """
    _require_known(held_out, passages)
    places = passages.select("passage_id", inside=pl.col("document_id").is_in(list(held_out)))
    about = (
        judgements.filter(pl.col("relevance") > 0)
        .join(places, on="passage_id")
        .group_by("query_id")
        .agg(within=pl.col("inside").all(), touched=pl.col("inside").any())
    )
    training, within = pl.col("split") == "train", pl.col("within").fill_null(value=False)
    pool = queries.join(about, on="query_id", how="left", maintain_order="left").with_columns(
        reason=pl.when(pl.col("touched") & ~within)
        .then(pl.lit(STRADDLING))
        .when(within & training & pl.col("text").is_null())
        .then(pl.lit(TEXTLESS))
        .when(~within & ~training)
        .then(pl.lit(ELSEWHERE)),
        split=pl.when(within & training).then(pl.lit("validation")).otherwise("split"),
    )
    kept = pool.filter(pl.col("reason").is_null()).select(queries.columns)
    for split in ("train", "validation"):
        _require_asked(kept, split)
    dropped = pool.drop_nulls("reason").select("query_id", pl.lit(None, pl.String).alias("repeats"), "reason")
    return Split(
        kept,
        judgements.filter(pl.col("query_id").is_in(kept["query_id"].implode())),
        dropped,
        {"dropped_documents": dropped.height},
    )


def _require_known(held_out: Sequence[str], passages: pl.DataFrame) -> None:
    known = passages["document_id"].unique(maintain_order=True).to_list()
    unknown = [each for each in held_out if each not in known]
    if unknown:
        raise InputError(
            "prepare.held_out_documents",
            f"expected ids of documents, found {', '.join(unknown)}, which the corpus does not have; it has "
            f"{', '.join(known)}. Correct params.yaml.",
        )


def _require_asked(queries: pl.DataFrame, split: str) -> None:
    if queries.filter(pl.col("split") == split, pl.col("text").is_not_null()).is_empty():
        about = "held-out" if split == "validation" else "other"
        raise InputError(
            "queries",
            f"expected {split} questions only about {about} documents, found none. "
            "Name other documents in prepare.held_out_documents in params.yaml.",
        )
