"""The LambdaMART ranker: LightGBM's lambdarank over the feature matrix."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass

import lightgbm
import numpy as np
import polars as pl
from rich.progress import Progress

from rulerank.arrays import FloatArray, IntArray
from rulerank.errors import InputError
from rulerank.settings import Ranker

LABEL_GAIN = (0, 1, 3, 7)
"""Gain of relevance 0, 1, 2, 3: 2^relevance - 1, as in LightGBM's own ndcg."""

LONGEST_GROUP = 10_000
"""LightGBM's lambdarank refuses a query with more rows (src/metric/dcg_calculator.cpp, kMaxPosition)."""


@dataclass(frozen=True, eq=False)
class Groups:
    """A feature matrix cut into one group a query.

    Parameters
    ----------
    matrix : array of shape (pairs, features), float32
        NaN where a feature is missing.
    labels : array of shape (pairs,), int
        Relevance.
    sizes : array of shape (queries,), int
        Pairs of each query; they sum to the rows of `matrix`.

    """

    matrix: FloatArray
    labels: IntArray
    sizes: IntArray

    def weighted(self, several: float) -> FloatArray:
        """Return the weight of each pair: `several` where its query has two relevant passages or more."""
        starts = np.cumsum(self.sizes) - self.sizes
        relevant = np.add.reduceat(self.labels > 0, starts, dtype=np.int64) if len(starts) else starts
        return np.repeat(np.where(relevant > 1, several, 1.0), self.sizes).astype(np.float32)

    def dataset(
        self,
        names: Sequence[str],
        weights: FloatArray | None = None,
        reference: lightgbm.Dataset | None = None,
    ) -> lightgbm.Dataset:
        """Return the groups as LightGBM takes them."""
        return lightgbm.Dataset(
            self.matrix,
            label=self.labels,
            weight=weights,
            group=self.sizes,
            feature_name=list(names),
            reference=reference,
            free_raw_data=True,
        )


def to_groups(features: pl.DataFrame, names: Sequence[str]) -> Groups:
    """Cut a features table into groups; the only place where groups are made.

    Parameters
    ----------
    features : polars.DataFrame
        The features table, rows of one query together.
    names : sequence of str
        The columns of the matrix, matched by name.

    Raises
    ------
    InputError
        The rows of a query are scattered, or a query has more rows than lambdarank takes.

    """
    blocks = features["query_id"].rle().struct.unnest()
    if blocks["value"].n_unique() != blocks.height:
        scattered = blocks.filter(blocks["value"].is_duplicated())["value"][0]
        raise InputError("features", f"rows of query {scattered!r} must stand together; sort by query_id")
    sizes = blocks["len"].to_numpy().astype(np.int64)
    if len(sizes) and sizes.max() > LONGEST_GROUP:
        longest = blocks["value"][int(sizes.argmax())]
        raise InputError(
            "features",
            f"query {longest!r} has {sizes.max()} candidates, lambdarank takes {LONGEST_GROUP}; "
            "lower candidates.depth in params.yaml",
        )
    return Groups(
        features.select(names).to_numpy(order="c"), features["relevance"].to_numpy().astype(np.int64), sizes
    )


def with_relevant(features: pl.DataFrame) -> pl.DataFrame:
    """Keep the queries that have a relevant candidate: the others order nothing and teach nothing."""
    return features.filter((pl.col("relevance") > 0).any().over("query_id"))


def train_ranker(
    training: Groups,
    names: Sequence[str],
    monotone: Sequence[int],
    settings: Ranker,
    *,
    seed: int,
    threads: int,
    rounds: int,
    held_out: Groups | None = None,
) -> lightgbm.Booster:
    """Train one lambdarank model.

    Parameters
    ----------
    training : Groups
        What to learn from.
    names : sequence of str
        Names of the columns.
    monotone : sequence of int
        Monotone sign of each column.
    settings : Ranker
        The section `ranker` of params.yaml.
    seed, threads : int
        Recorded in the model; with both fixed, the same input gives the same bytes.
    rounds : int
        Boosting rounds, at most.
    held_out : Groups, optional
        Stops the training when ndcg@10 on these groups has not risen for `early_stopping_rounds`; the model
        then ends at its best round.

    """
    parameters = _parameters(settings, monotone, seed, threads)
    dataset = training.dataset(names, training.weighted(settings.several_weight))
    with Progress(transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task("boosting", total=rounds)
        callbacks = [lambda state: progress.update(task, completed=state.iteration + 1)]
        if held_out is None:
            return lightgbm.train(parameters, dataset, num_boost_round=rounds, callbacks=callbacks)
        booster = lightgbm.train(
            parameters,
            dataset,
            num_boost_round=rounds,
            valid_sets=[held_out.dataset(names, reference=dataset)],
            callbacks=[*callbacks, lightgbm.early_stopping(settings.early_stopping_rounds, verbose=False)],
        )
    return lightgbm.Booster(model_str=booster.model_to_string(num_iteration=booster.best_iteration))


def _parameters(settings: Ranker, monotone: Sequence[int], seed: int, threads: int) -> dict[str, object]:
    """Return what LightGBM is told, whatever the number of rounds."""
    return {
        "objective": "lambdarank",
        "metric": "ndcg",
        "eval_at": [10],
        "label_gain": list(LABEL_GAIN),
        "lambdarank_truncation_level": settings.lambdarank_truncation_level,
        "num_leaves": settings.num_leaves,
        "learning_rate": settings.learning_rate,
        "min_data_in_leaf": settings.min_data_in_leaf,
        "feature_fraction": settings.feature_fraction,
        "lambda_l2": settings.lambda_l2,
        "max_bin": settings.max_bin,
        **_bagging(settings, seed),
        # A constraint on a single feature makes the training three times slower.
        **({"monotone_constraints": list(monotone)} if any(monotone) else {}),
        "seed": seed,
        "num_threads": threads,
        "deterministic": True,
        "force_row_wise": True,
        "verbosity": -1,
    }


def _bagging(settings: Ranker, seed: int) -> dict[str, object]:
    """Draw whole queries: pairs drawn one by one would tear the lists apart."""
    if settings.bagging_fraction == 1:
        return {}
    return {
        "bagging_by_query": True,
        "bagging_fraction": settings.bagging_fraction,
        "bagging_freq": 1,
        "bagging_seed": seed,
    }
