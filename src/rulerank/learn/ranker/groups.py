"""A features table in the form for LightGBM's lambdarank: one matrix, cut into one group per query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from rulerank.arrays import DoubleArray, FloatArray, IntArray
from rulerank.errors import InputError

AT_ONCE = 8
"""Columns of a table on disk that are read together: few, to save memory, but enough to read in threads."""

WEIGHT = "weight"
"""Column of the training rows with the weight of the question's corpus."""

LONGEST_GROUP = 10_000
"""LightGBM's lambdarank refuses a query with more rows (src/metric/dcg_calculator.cpp, kMaxPosition)."""


@dataclass(frozen=True, eq=False)
class Groups:
    """A feature matrix cut into one group per query.

    Parameters
    ----------
    matrix : array of shape (pairs, features), float32
        NaN where a feature is missing.
    labels : array of shape (pairs,), int
        Relevance.
    sizes : array of shape (queries,), int
        Number of pairs of each query; they sum to the rows of `matrix`.
    weights : array of shape (queries,), optional
        The weight of each query's corpus; 1 by default.

    """

    matrix: FloatArray
    labels: IntArray
    sizes: IntArray
    weights: FloatArray | None = None

    def weighted(self, several: float) -> FloatArray:
        """Return the weight of each pair: `several` if its query has at least two relevant passages, else 1.

        It is multiplied by the weight of the query's corpus.
        """
        weights = question_weights(self.labels, self.sizes, several)
        if self.weights is not None:
            weights = weights * self.weights
        return np.repeat(weights, self.sizes).astype(np.float32)


def question_weights(labels: IntArray, sizes: IntArray, several: float) -> DoubleArray:
    """Return the weight of each query: `several` if it has at least two relevant passages, else 1."""
    starts = np.cumsum(sizes) - sizes
    relevant = np.add.reduceat(labels > 0, starts, dtype=np.int64) if len(starts) else starts
    return np.where(relevant > 1, several, 1.0)


def to_groups(features: pl.DataFrame | pl.LazyFrame, names: Sequence[str]) -> Groups:
    """Cut a features table into groups; the only place where groups are made.

    Parameters
    ----------
    features : polars.DataFrame or polars.LazyFrame
        The features table, with adjacent rows per query, and the column `weight` if corpora differ in weight.
        The columns of a lazy table are read a few at a time, so the matrix is their only copy.
    names : sequence of str
        The columns of the matrix, matched by name.

    Raises
    ------
    InputError
        The rows of a query are scattered, or a query has more rows than lambdarank takes.

    """
    weight = [WEIGHT] if WEIGHT in features.lazy().collect_schema() else []
    keys = features.lazy().select("query_id", "relevance", *weight).collect()
    blocks = keys["query_id"].rle().struct.unnest()
    if blocks["value"].n_unique() != blocks.height:
        scattered = blocks.filter(blocks["value"].is_duplicated())["value"][0]
        raise InputError("features", f"rows of query {scattered!r} must be adjacent; sort by query_id")
    sizes = blocks["len"].to_numpy().astype(np.int64)
    if len(sizes) and sizes.max() > LONGEST_GROUP:
        longest = blocks["value"][int(sizes.argmax())]
        raise InputError(
            "features",
            f"query {longest!r} has {sizes.max()} candidates, lambdarank takes {LONGEST_GROUP}; "
            "lower candidates.depth in params.yaml",
        )
    labels = keys["relevance"].to_numpy().astype(np.int64)
    weights = keys[WEIGHT].to_numpy()[np.cumsum(sizes) - sizes] if weight else None
    return Groups(_matrix(features, names, keys.height), labels, sizes, weights)


def _matrix(features: pl.DataFrame | pl.LazyFrame, names: Sequence[str], rows: int) -> FloatArray:
    """Return columns of a features table as a matrix in which each column is contiguous."""
    matrix = np.empty((rows, len(names)), np.float32, order="F")
    for start in range(0, len(names), AT_ONCE):
        part = features.lazy().select(names[start : start + AT_ONCE]).collect()
        matrix[:, start : start + part.width] = part.to_numpy()
    return matrix


def with_relevant(features: pl.DataFrame) -> pl.DataFrame:
    """Keep the queries that have a relevant candidate; the others have nothing to teach."""
    return features.filter((pl.col("relevance") > 0).any().over("query_id"))
