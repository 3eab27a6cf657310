"""Clusters of near-duplicate questions and of questions of one group, and folds that never separate them.

Such questions in two folds let a model be measured on what it has memorised, and so do near-duplicates in
training and test.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from rulerank.splits.near_duplicates import near_duplicates
from rulerank.tables import FOLDS
from rulerank.text import normalise


def cluster_queries(queries: pl.DataFrame, threshold: float, feedback: Collection[str] = ()) -> pl.DataFrame:
    """Cluster queries: the connected components of near-duplicate pairs and of groups.

    Parameters
    ----------
    queries : polars.DataFrame
        The table `QUERIES`. A query without text and group forms its own cluster.
    threshold : float
        The threshold of `near_duplicates`.
    feedback : collection of str, optional
        Ids of the questions from feedback. They do not count in how rare a word is.

    Returns
    -------
    polars.DataFrame
        Columns query_id and cluster (Int32), in the order of `queries`.

    """
    size = queries.height
    rows = queries.with_row_index("row")
    asked, grouped = rows.drop_nulls("text"), rows.drop_nulls("group")
    alike = asked["row"].to_numpy()[_near(asked, threshold, feedback)]
    of_group = grouped.select(pl.col("row").first().over("group").alias("first"), "row").to_numpy()
    pairs = np.concatenate([alike, of_group])
    links = sparse.coo_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(size, size))
    _, labels = connected_components(links, directed=False)
    return queries.select("query_id", pl.Series("cluster", labels, pl.Int32))


def drop_repeats(
    queries: pl.DataFrame, judgements: pl.DataFrame, threshold: float, feedback: Collection[str] = ()
) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Drop the training questions that repeat a validation or test question.

    An id is never in two splits: readers keep it in one of them and report it.

    Parameters
    ----------
    queries, judgements : polars.DataFrame
        The tables of these names, all splits.
    threshold : float
        The threshold of `near_duplicates`.
    feedback : collection of str, optional
        As for `cluster_queries`.

    Returns
    -------
    queries, judgements : polars.DataFrame
        Without the repeats.
    dropped : polars.DataFrame
        Columns query_id, repeats (the question it repeats; the first in `queries` if there are several) and
        reason ("same text" or "nearly the same text").

    """
    asked = queries.filter(pl.col("text").is_not_null())
    texts = asked["text"].to_list()
    ids = asked["query_id"].to_list()
    trained = (asked["split"] == "train").to_numpy()
    pairs = _near(asked, threshold, feedback)
    straddling = pairs[trained[pairs[:, 0]] != trained[pairs[:, 1]]]
    rows = []
    for left, right in straddling.tolist():
        repeat, original = (left, right) if trained[left] else (right, left)
        equal = normalise(texts[repeat]) == normalise(texts[original])
        rows.append((ids[repeat], ids[original], "same text" if equal else "nearly the same text", original))
    schema = {"query_id": pl.String(), "repeats": pl.String(), "reason": pl.String(), "place": pl.Int64()}
    found = pl.DataFrame(rows, schema=schema, orient="row")
    # A word-for-word repeat is reported as such, even if the question nearly repeats an earlier one.
    dropped = (
        found.sort(pl.col("reason") != "same text", "place", maintain_order=True)
        .unique("query_id", keep="first", maintain_order=True)
        .drop("place")
        .sort("query_id")
    )
    kept = ~pl.col("query_id").is_in(dropped["query_id"].implode())
    return queries.filter(kept), judgements.filter(kept), dropped


def _near(asked: pl.DataFrame, threshold: float, feedback: Collection[str]) -> NDArray[np.int64]:
    """Return the near-duplicates among questions with text."""
    # If they counted, many verdicts in the words of a held-out question would make these words common, and a
    # near repeat of that question would pass as a new one.
    counted = [query_id not in feedback for query_id in asked["query_id"]]
    return near_duplicates(asked["text"].to_list(), threshold, counted)


def fold_queries(queries: pl.DataFrame, clusters: pl.DataFrame, folds: int, seed: int) -> pl.DataFrame:
    """Assign whole clusters of queries to folds.

    The fold of a cluster is a hash of the seed and its smallest query id. It does not depend on other
    clusters, so further questions do not change the folds of these.

    Parameters
    ----------
    queries : polars.DataFrame
        The queries to fold.
    clusters : polars.DataFrame
        From `cluster_queries`, of these queries and possibly more.
    folds : int
        Number of folds.
    seed : int
        Another seed gives other folds.

    Returns
    -------
    polars.DataFrame
        The table `FOLDS`, one row per query, in the order of `queries`. Each query is served by the models of
        its own fold, and hidden from these alone.

    """
    clustered = queries.select("query_id").join(clusters, on="query_id", how="left", maintain_order="left")
    placed = cluster_hashes(clustered, str(seed)) % folds
    fold = placed.cast(pl.Int8).alias("fold")
    folded = clustered.with_columns(fold, as_new=pl.lit(False)).with_columns(
        served_by="fold", hidden_from=pl.concat_list("fold")
    )
    return FOLDS.check(folded, "cluster_queries")


def cluster_hashes(clustered: pl.DataFrame, salt: str) -> pl.Series:
    """Return a hash of each query's cluster, 0 to 2^64 - 1, from the salt and the smallest id in it."""
    smallest = clustered.select(pl.col("query_id").min().over("cluster")).to_series()
    hashed = [_hash(f"{salt}:{query_id}") for query_id in smallest]
    return pl.Series("hash", hashed, pl.UInt64)


def _hash(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest())
