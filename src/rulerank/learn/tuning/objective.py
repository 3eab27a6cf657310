"""What a trial is measured by: nDCG@10 on a fold of the training questions that it has not learned from."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from rulerank.features.feature_set import FeatureSet
from rulerank.learn.ranker.choice import Choice
from rulerank.learn.ranker.groups import Groups, to_groups
from rulerank.learn.ranker.lambdamart import train_ranker
from rulerank.learn.ranker.recipe import training_rows

CUTOFF = 10


@dataclass(frozen=True, eq=False)
class Objective:
    """Training questions in their folds.

    Parameters
    ----------
    learned : polars.DataFrame
        The features table with a column `fold`: what is learned from, without the fold that is measured.
    measured : polars.DataFrame
        The same; what is measured on.
    ideals : polars.DataFrame
        Columns query_id, fold and ideal, one row a judged question, found among the candidates or not.
    features : FeatureSet
        Every feature of the tables.
    threads : int
        Of one training.

    """

    learned: pl.DataFrame
    measured: pl.DataFrame
    ideals: pl.DataFrame
    features: FeatureSet
    threads: int

    @property
    def folds(self) -> list[int]:
        """The folds, in order."""
        return [int(fold) for fold in self.measured["fold"].unique().sort()]

    @property
    def digest(self) -> str:
        """A hash of the questions, features and judgements, in hexadecimal."""
        hashed = hashlib.sha256(json.dumps(self.features.describe()).encode())
        hashed.update(self.ideals.write_csv().encode())
        for table in (self.learned, self.measured):
            hashed.update(table.select("query_id", "passage_id", "relevance", "fold").write_csv().encode())
            for name in self.features.names:
                hashed.update(table[name].to_numpy().tobytes())
        return hashed.hexdigest()

    def sampled(self, pairs: int, seed: int) -> Objective:
        """Return the same, but learning from about so many pairs: whole questions, drawn by the seed."""
        if pairs >= self.learned.height:
            return self
        queries = self.learned["query_id"].unique(maintain_order=True)
        size = max(1, len(queries) * pairs // self.learned.height)
        drawn = np.random.default_rng(seed).choice(len(queries), size, replace=False)
        return replace(
            self, learned=self.learned.filter(pl.col("query_id").is_in(queries[np.sort(drawn)].implode()))
        )

    def measure(self, choice: Choice, fold: int, seed: int) -> float:
        """Train without a fold, stop by it, and return the mean nDCG@10 of its judged questions."""
        features = choice.features(self.features)
        learned = choice.training(self.learned.filter(pl.col("fold") != fold))
        if learned.is_empty():
            return 0.0  # No run finds a relevant passage within this depth.
        measured = self.measured.filter(pl.col("fold") == fold)
        held_out = to_groups(measured, features.names)
        booster = train_ranker(
            to_groups(learned, features.names),
            features.names,
            features.monotone,
            choice.ranker,
            seed=seed,
            threads=self.threads,
            rounds=choice.ranker.num_iterations,
            held_out=held_out,
        )
        scores = np.asarray(booster.predict(held_out.matrix, num_threads=self.threads))
        queries = measured.select("query_id").unique(maintain_order=True)
        ideal = queries.join(self.ideals, on="query_id", how="left", maintain_order="left")["ideal"]
        judged = self.ideals.filter(pl.col("fold") == fold).height
        return float((dcg(scores, held_out) / ideal.to_numpy()).sum() / judged)


def make_objective(
    table: pl.DataFrame, judgements: pl.DataFrame, folds: pl.DataFrame, features: FeatureSet, threads: int
) -> Objective:
    """Put the training questions of a features table into their folds.

    Parameters
    ----------
    table : the FEATURES table
    judgements : the JUDGEMENTS table
    folds : frame with columns query_id and fold
        The training questions. Questions that are not in it take no part.
    features : FeatureSet
        The columns of `table` that a trial may use.
    threads : int
        Of one training.

    """
    training = training_rows(table, folds)
    ideal = ideals(judgements).join(folds, on="query_id").sort("query_id")
    return Objective(training, training, ideal, features, threads)


def ideals(judgements: pl.DataFrame) -> pl.DataFrame:
    """Return query_id and ideal: the DCG@10 of all relevant passages of each judged question, best first."""
    best = judgements.filter(pl.col("relevance") > 0).sort(
        "query_id", "relevance", descending=[False, True], maintain_order=True
    )
    best = best.with_columns(place=pl.int_range(pl.len()).over("query_id")).filter(pl.col("place") < CUTOFF)
    gains = pl.col("relevance") / (pl.col("place") + 2).log(2)
    return best.group_by("query_id", maintain_order=True).agg(ideal=gains.sum())


def dcg(scores: NDArray[np.float64], groups: Groups) -> NDArray[np.float64]:
    """Return the DCG@10 of each group: linear gains, discount log2(rank + 1), equal scores in row order.

    The nDCG of `rulerank.evaluate.measures` is this over `ideals`.
    """
    queries = np.repeat(np.arange(len(groups.sizes)), groups.sizes)
    order = np.lexsort((-scores, queries))
    places = np.arange(len(scores)) - np.repeat(np.cumsum(groups.sizes) - groups.sizes, groups.sizes)
    top = places < CUTOFF
    gains = groups.labels[order][top] / np.log2(places[top] + 2)
    return np.bincount(queries[top], gains, minlength=len(groups.sizes)).astype(np.float64)
