"""The measure of a trial: nDCG@10 on a training fold that took no part in its training."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from rulerank.features.feature_set import FeatureSet
from rulerank.learn.ranker.choice import Choice
from rulerank.learn.ranker.groups import to_groups
from rulerank.learn.ranker.lambdamart import train_ranker
from rulerank.learn.ranker.ndcg import dcg, ideals
from rulerank.learn.ranker.recipe import training_rows
from rulerank.trees import Trees


@dataclass(frozen=True, eq=False)
class Objective:
    """Training questions in their folds.

    Parameters
    ----------
    learned : polars.DataFrame
        The features table with a column `fold`: the rows to learn from.
    measured : polars.DataFrame
        The same for the rows used to measure and to stop.
    ideals : polars.DataFrame
        Columns query_id, fold and ideal, one row per judged question, found among the candidates or not.
    features : FeatureSet
        Every feature of the tables.
    threads : int
        Threads of one training.

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
        hashed = hashlib.sha256(json.dumps(self.features.identities).encode())
        hashed.update(self.ideals.write_csv().encode())
        for table in (self.learned, self.measured):
            hashed.update(table.select("query_id", "passage_id", "relevance", "fold").write_csv().encode())
            for name in self.features.names:
                hashed.update(table[name].to_numpy().tobytes())
        return hashed.hexdigest()

    def sampled(self, pairs: int, seed: int) -> Objective:
        """Return the same with about this many pairs to learn from: whole questions, drawn by the seed."""
        if pairs >= self.learned.height:
            return self
        queries = self.learned["query_id"].unique(maintain_order=True)
        size = max(1, len(queries) * pairs // self.learned.height)
        drawn = np.random.default_rng(seed).choice(len(queries), size, replace=False)
        return replace(
            self, learned=self.learned.filter(pl.col("query_id").is_in(queries[np.sort(drawn)].implode()))
        )

    def stopping_fold(self, fold: int) -> int | None:
        """Return the fold that ends a training measured on `fold`: the next one.

        None if there are two folds, because the only other one is learned from.
        """
        if len(self.folds) < 3:
            return None
        return self.folds[(self.folds.index(fold) + 1) % len(self.folds)]

    def train(self, choice: Choice, fold: int, seed: int) -> Trees | None:
        """Train without a fold and without the one that ends the training.

        With two folds the training is not ended early, and lasts `num_iterations` rounds.

        Returns
        -------
        Trees or None
            None if nothing is left to learn from, that is, no relevant passage within the depth of `choice`.

        """
        stopping = self.stopping_fold(fold)
        features = choice.features(self.features)
        learned = choice.training(self.learned.filter(~pl.col("fold").is_in([fold, stopping])))
        if learned.is_empty():
            return None
        held_out = None
        if stopping is not None:
            held_out = to_groups(self.measured.filter(pl.col("fold") == stopping), features.names)
        return train_ranker(
            to_groups(learned, features.names),
            features.names,
            choice.ranker,
            seed=seed,
            threads=self.threads,
            rounds=choice.ranker.num_iterations,
            held_out=held_out,
        )

    def measure(self, choice: Choice, fold: int, seed: int) -> float:
        """Train without a fold, and return the mean nDCG@10 of its judged questions.

        The fold takes no part in the training, not even in its end. A number of rounds chosen by it would
        favour choices whose curve is rough.
        """
        booster = self.train(choice, fold, seed)
        if booster is None:
            return 0.0
        measured = self.measured.filter(pl.col("fold") == fold)
        groups = to_groups(measured, choice.features(self.features).names)
        scores = booster.scores(groups.matrix, self.threads)
        queries = measured.select("query_id").unique(maintain_order=True)
        ideal = queries.join(self.ideals, on="query_id", how="left", maintain_order="left")["ideal"]
        judged = self.ideals.filter(pl.col("fold") == fold).height
        return float((dcg(scores, groups.labels, groups.sizes) / ideal.to_numpy()).sum() / judged)


def split_folds(folds: Sequence[int], searched: int) -> tuple[list[int], list[int]]:
    """Return the folds on which trials are measured, and those that confirm the winner.

    Parameters
    ----------
    folds : sequence of int
        At least two.
    searched : int
        Number of folds, from the first, on which trials are measured. One fold is always left to confirm, so
        with two folds a trial is measured on one.

    """
    cut = min(searched, len(folds) - 1)
    return list(folds[:cut]), list(folds[cut:])


def make_objective(
    table: pl.DataFrame, judgements: pl.DataFrame, folds: pl.DataFrame, features: FeatureSet, threads: int
) -> Objective:
    """Put the training questions of a features table into their folds.

    Parameters
    ----------
    table : the FEATURES table
    judgements : the JUDGEMENTS table
    folds : frame with columns query_id and fold
        The training questions; others take no part.
    features : FeatureSet
        The columns of `table` that a trial may use.
    threads : int
        Threads of one training.

    """
    training = training_rows(table, folds).collect()
    ideal = ideals(judgements).join(folds, on="query_id").sort("query_id")
    return Objective(training, training, ideal, features, threads)
