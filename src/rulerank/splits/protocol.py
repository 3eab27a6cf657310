"""Protocols: which questions are trained on, which are held out, and which are dropped.

Random: a share of the training questions is held out too, for corpora whose publication holds none out.

Evidence-disjoint: no passage is relevant both to a training and to a held-out question.

The published splits are by question, and most held-out questions ask for passages that training questions
were judged on. Whole components of the graph of questions and passages cannot be dealt out anew: on ObliQA
one component holds 70 % of the questions. So the held-out questions stay as they were published, which keeps
the two protocols comparable, and the training questions that share a passage with one of them are dropped.

Document-disjoint: no training question has a relevant passage in a held-out document, and no held-out
question has one anywhere else. Training questions about held-out documents alone become validation
questions; published validation and test questions stay what they are, as far as they are about held-out
documents alone. Questions about both kinds of documents are dropped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from rulerank.errors import InputError
from rulerank.splits.folds import cluster_hashes

SHARED = "shares evidence"
"""Why a training question is dropped by the evidence-disjoint protocol."""

TEXTLESS, STRADDLING, ELSEWHERE = (
    "about held-out documents, without text",
    "about held-out and other documents",
    "held out, about other documents",
)
"""Why a question is dropped by the document-disjoint protocol."""

_DROPPED = {"query_id": pl.String(), "repeats": pl.String(), "reason": pl.String()}

Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Split:
    """Questions as a protocol splits them.

    Parameters
    ----------
    queries, judgements : polars.DataFrame
        The tables without the dropped questions.
    dropped : polars.DataFrame
        Columns query_id, repeats (a held-out question that it is tied to, null where it is none) and
        reason, as of `folds.drop_repeats`.
    figures : dict of str to int
        What the protocol says of itself: of the evidence-disjoint one `components` (that the
        questions fall into before any is dropped), `largest_component` (its questions) and
        `dropped_evidence`; of the document-disjoint one `dropped_documents`.

    """

    queries: pl.DataFrame
    judgements: pl.DataFrame
    dropped: pl.DataFrame
    figures: dict[str, int]


def published(queries: pl.DataFrame, judgements: pl.DataFrame) -> Split:
    """Return the splits as published."""
    return Split(queries, judgements, pl.DataFrame(schema=_DROPPED), {})


def random_share(
    queries: pl.DataFrame,
    judgements: pl.DataFrame,
    clusters: pl.DataFrame,
    share: float,
    part: int,
    seed: int,
) -> Split:
    """Hold out a share of the training questions for validation, whole clusters of near-duplicates together.

    Which ones is a hash of the seed and the cluster's smallest id, as of the folds. Questions that were
    published for validation or test stay what they are.

    Parameters
    ----------
    queries, judgements : polars.DataFrame
        The tables of these names, all splits.
    clusters : polars.DataFrame
        From `folds.cluster_queries`.
    share : float
        Of the clusters, about.
    part : int
        Which share, from 0. No cluster is in two of them, and of 1 / `share` parts it is in one.
    seed : int
        Another seed holds out other questions.

    Raises
    ------
    InputError
        No training or no validation question with a text is left.

    """
    pool = queries.join(clusters, on="query_id", how="left", maintain_order="left")
    drawn = (cluster_hashes(pool, f"held out {seed}") / (share * 2**64)).floor() == part
    moved = drawn & (pool["split"] == "train") & pool["text"].is_not_null()
    split = pl.when(moved).then(pl.lit("validation")).otherwise("split")
    dealt = queries.with_columns(split=split)
    for name in ("train", "validation"):
        if dealt.filter(pl.col("split") == name, pl.col("text").is_not_null()).is_empty():
            raise InputError(
                "queries",
                f"expected {name} questions with a text, found none. "
                "Change prepare.held_out_share in params.yaml, or add questions.",
            )
    return Split(dealt, judgements, pl.DataFrame(schema=_DROPPED), {"held_out": int(moved.sum())})


def evidence_disjoint(queries: pl.DataFrame, judgements: pl.DataFrame, clusters: pl.DataFrame) -> Split:
    """Drop the training questions that share evidence with a held-out question.

    Two questions share evidence when a passage is relevant to both or when they are in one cluster.

    Parameters
    ----------
    queries, judgements : polars.DataFrame
        The tables of these names, all splits.
    clusters : polars.DataFrame
        From `folds.cluster_queries`.

    Raises
    ------
    InputError
        No training question with a text is left.

    """
    pool = queries.join(clusters, on="query_id", how="left", maintain_order="left")
    ties = _ties(pool, judgements)
    held_out = (pool["split"] != "train").to_numpy()
    lost = np.asarray(ties @ held_out.astype(np.int64) > 0) & ~held_out
    kept = ~pl.col("query_id").is_in(pool["query_id"].filter(pl.Series(lost)).implode())
    left = queries.filter(kept)
    if left.filter(pl.col("split") == "train", pl.col("text").is_not_null()).is_empty():
        raise InputError(
            "queries",
            "expected training questions that share no evidence with a held-out question, found none. "
            "Set prepare.protocol to published in params.yaml.",
        )
    components = np.unique(connected_components(ties, directed=False)[1], return_counts=True)[1]
    return Split(
        left,
        judgements.filter(kept),
        _dropped(pool["query_id"], ties, held_out, lost),
        {
            "components": len(components),
            "largest_component": int(components.max()),
            "dropped_evidence": int(lost.sum()),
        },
    )


def document_disjoint(
    queries: pl.DataFrame, judgements: pl.DataFrame, passages: pl.DataFrame, held_out: Sequence[str]
) -> Split:
    """Hold out the questions about some documents, and train on those about the others.

    A question is about the documents of its relevant passages. One about both kinds is dropped.

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
            f"expected {split} questions about {about} documents alone, found none. "
            "Name other documents in prepare.held_out_documents in params.yaml.",
        )


def _ties(pool: pl.DataFrame, judgements: pl.DataFrame) -> sparse.csr_array:
    """Return 1 where two questions are tied, shape (questions, questions), nothing on the diagonal."""
    rows = pool.select("query_id", row=pl.int_range(pl.len()))
    relevant = judgements.filter(pl.col("relevance") > 0).join(rows, on="query_id", maintain_order="left")
    passages = relevant["passage_id"].rank("dense").cast(pl.Int64) - 1
    groups = [
        (relevant["row"].to_numpy(), passages.to_numpy()),
        (np.arange(pool.height), pool["cluster"].to_numpy()),
    ]
    ties = sparse.csr_array((pool.height, pool.height), dtype=np.int64)
    for members, group in groups:
        size = int(group.max(initial=-1)) + 1
        belongs = sparse.csr_array(
            (np.ones(len(members), np.int64), (members, group)), shape=(pool.height, size)
        )
        ties = ties + belongs @ belongs.T
    ties.setdiag(0)
    ties.eliminate_zeros()
    ties.data[:] = 1
    return sparse.csr_array(ties)


def _dropped(ids: pl.Series, ties: sparse.csr_array, held_out: Mask, lost: Mask) -> pl.DataFrame:
    found = ties[lost][:, held_out]
    found.sort_indices()
    first = ids.filter(pl.Series(held_out))[found.indices[found.indptr[:-1]]]
    rows = {"query_id": ids.filter(pl.Series(lost)), "repeats": first, "reason": [SHARED] * int(lost.sum())}
    return pl.DataFrame(rows, schema=_DROPPED)
