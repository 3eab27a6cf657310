"""Evidence-disjoint: no passage is relevant to both a training question and a held-out question.

The published splits are by question, and most held-out questions ask for passages that are judged for
training questions. Whole components of the graph of questions and passages cannot be reassigned: on ObliQA,
one component contains 70 % of the questions. So the held-out questions stay as published, which keeps the
two protocols comparable. Training questions that share a passage with one of them are dropped.
"""

from __future__ import annotations

import numpy as np
import polars as pl
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from rulerank.arrays import BoolArray
from rulerank.errors import InputError
from rulerank.splits.protocol import DROPPED, Split

SHARED = "shares evidence"
"""Why a training question is dropped by the evidence-disjoint protocol."""


def evidence_disjoint(queries: pl.DataFrame, judgements: pl.DataFrame, clusters: pl.DataFrame) -> Split:
    """Drop the training questions that share evidence with a held-out question.

    Two questions share evidence if a passage is relevant to both or if they are in one cluster.

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


def _ties(pool: pl.DataFrame, judgements: pl.DataFrame) -> sparse.csr_array:
    """Return 1 where two questions are tied, shape (questions, questions), with nothing on the diagonal."""
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


def _dropped(ids: pl.Series, ties: sparse.csr_array, held_out: BoolArray, lost: BoolArray) -> pl.DataFrame:
    found = ties[lost][:, held_out]
    found.sort_indices()
    first = ids.filter(pl.Series(held_out))[found.indices[found.indptr[:-1]]]
    rows = {"query_id": ids.filter(pl.Series(lost)), "repeats": first, "reason": [SHARED] * int(lost.sum())}
    return pl.DataFrame(rows, schema=DROPPED)
