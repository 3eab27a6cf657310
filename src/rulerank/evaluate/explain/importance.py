"""What a trained ranker relies on, measured on questions on which it was not trained."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import polars as pl
from rich.progress import track

from rulerank.arrays import FloatArray, IntArray
from rulerank.evaluate.measures import CUTOFF, MEASURE, per_query
from rulerank.features.feature_set import FeatureSet
from rulerank.tables import RANK
from rulerank.threads import parallel_map

Predict = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True, eq=False)
class Described:
    """Judged questions and their candidates as the ranker sees them.

    Parameters
    ----------
    pairs : frame with columns query_id and passage_id
        The rows of a query are adjacent.
    matrix : array of shape (pairs, features), float32
        The features of each pair.
    judgements : the JUDGEMENTS table
        The judgements of these questions.

    """

    pairs: pl.DataFrame
    matrix: FloatArray
    judgements: pl.DataFrame

    def ranks(self, scores: FloatArray) -> pl.Series:
        """Return the rank of each pair within its question, from 1."""
        return self.pairs.with_columns(score=pl.Series(scores)).select(rank=RANK).to_series()

    def ndcg(self, scores: FloatArray) -> FloatArray:
        """Return the nDCG@10 of each question, ordered by these scores."""
        run = self.pairs.select("query_id", "passage_id", run=pl.lit("run"), rank=self.ranks(scores))
        return per_query(self.judgements, run.filter(pl.col("rank") <= CUTOFF))[MEASURE].to_numpy()


def permutation_importance(
    described: Described,
    features: FeatureSet,
    predict: Predict,
    gains: np.ndarray,
    repeats: int,
    seed: int,
    threads: int = 1,
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Measure how much nDCG@10 drops when a feature, or a whole group, is shuffled among all pairs.

    This follows Breiman (Machine Learning 2001), section 10, with the ranking measure in place of the error
    rate. The columns of a group are shuffled together, so they still agree with one another.

    Parameters
    ----------
    described : Described
        The questions that are shuffled and measured.
    features : FeatureSet
        Names and groups of the columns.
    predict : callable
        Turns a matrix into scores.
    gains : array of shape (features,)
        Total gain of each feature in the trees. A feature without gain is not shuffled; its drop is 0.
    repeats, seed : int
        Number of shuffles of each column, and the seed that draws them.
    threads : int, optional (default=1)
        Number of shuffles measured at the same time; the result does not depend on it.

    Returns
    -------
    by_feature : frame with columns feature, group, gain, permutation
        Gain is a share of the whole, permutation is the drop in nDCG@10; greatest gain first.
    by_group : frame with columns group, features, gain, permutation

    """
    groups = [feature.group for feature in features]
    place = np.array([sorted(set(groups)).index(group) for group in groups])
    named = pl.DataFrame({"feature": features.names, "group": groups, "gain": gains / (gains.sum() or 1)})
    columns = [np.array([column]) for column in range(len(groups))]
    columns += [np.flatnonzero(place == group) for group in np.unique(place)]
    usual = described.ndcg(predict(described.matrix)).mean()
    generator = np.random.default_rng(seed)
    shuffles = (
        (each, generator.permutation(len(described.matrix)))
        for each in columns
        if gains[each].any()
        for _ in range(repeats)
    )
    shuffled = parallel_map(lambda shuffle: _shuffled(described, predict, *shuffle), shuffles, threads)
    drops = [
        usual - np.mean([next(shuffled) for _ in range(repeats)]) if gains[each].any() else 0.0
        for each in track(columns, "shuffling features", transient=True, disable=not sys.stderr.isatty())
    ]
    by_group = named.group_by("group").agg(features=pl.len(), gain=pl.col("gain").sum()).sort("group")
    return (
        named.with_columns(permutation=pl.Series(drops[: len(groups)], dtype=pl.Float64)).sort(
            "gain", descending=True, maintain_order=True
        ),
        by_group.with_columns(permutation=pl.Series(drops[len(groups) :], dtype=pl.Float64)).sort(
            "permutation", descending=True, maintain_order=True
        ),
    )


def shap_table(shares: FloatArray, values: FloatArray, features: FeatureSet) -> pl.DataFrame:
    """Return how much each feature moves the scores, and which way, greatest share first.

    Parameters
    ----------
    shares, values : arrays of shape (pairs, features)
        SHAP values, and the feature values that they explain.
    features : FeatureSet
        Names and groups of the columns.

    Returns
    -------
    frame with columns feature, group, share, direction
        `share`: mean absolute SHAP value. `direction`: rank correlation of value and share over the pairs
        where the feature is present (above 0, a higher value raises the score); null if one of them is
        constant.

    """
    rows = []
    for column, feature in enumerate(features):
        present = pl.DataFrame({"value": values[:, column], "share": shares[:, column]}).filter(
            pl.col("value").is_not_nan()
        )
        direction = (
            present.select(pl.corr("value", "share", method="spearman")).item() if present.height else None
        )
        rows.append((feature.name, feature.group, float(np.abs(shares[:, column]).mean()), direction))
    schema = {"feature": pl.String, "group": pl.String, "share": pl.Float64, "direction": pl.Float64}
    return (
        pl.DataFrame(rows, schema=schema, orient="row")
        .with_columns(pl.col("direction").fill_nan(None))
        .sort("share", descending=True, maintain_order=True)
    )


def _shuffled(described: Described, predict: Predict, columns: IntArray, order: IntArray) -> float:
    """Return the mean nDCG@10 when these columns take their values from the pairs in another order."""
    matrix = described.matrix.copy()
    matrix[:, columns] = described.matrix[np.ix_(order, columns)]
    return float(described.ndcg(predict(matrix)).mean())
