"""How a ranker is trained: its rounds found on a held-out fold, then everything learned anew."""

from __future__ import annotations

from dataclasses import dataclass

import lightgbm
import numpy as np
import polars as pl

from rulerank.errors import InputError
from rulerank.features.registry import FeatureSet
from rulerank.learn.ranker.calibration import platt
from rulerank.learn.ranker.choice import Choice
from rulerank.learn.ranker.lambdamart import to_groups, train_ranker, with_relevant


@dataclass(frozen=True, eq=False)
class Trained:
    """A ranker and what its trial taught.

    Parameters
    ----------
    booster : lightgbm.Booster
        Trained on every fold.
    calibration : dict of str to float
        From `calibration.platt`, of the trial's scores for the fold that it had not seen.

    """

    booster: lightgbm.Booster
    calibration: dict[str, float]


def training_rows(table: pl.DataFrame, folds: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of the training questions that have a relevant candidate, with their fold.

    Raises
    ------
    InputError
        There is no such question, or all are in one fold.

    """
    training = with_relevant(table.join(folds, on="query_id", maintain_order="left"))
    found = training["fold"].n_unique()
    if not found:
        raise InputError(
            "features",
            "expected a training question with a relevant candidate, found none. "
            "Check the judgements, or raise candidates.depth in params.yaml.",
        )
    if found == 1:
        raise InputError(
            "features",
            "expected training questions in two folds or more, found all in one: too few, or all alike. "
            "Add questions, or raise prepare.folds or prepare.near_duplicate in params.yaml.",
        )
    return training


def fit(training: pl.DataFrame, features: FeatureSet, choice: Choice, seed: int, threads: int) -> Trained:
    """Train a ranker.

    The first fold decides how many rounds are enough: a trial is trained on the others and stopped by it. The
    final ranker is trained on every fold, for more rounds in proportion to its more pairs.

    Parameters
    ----------
    training : polars.DataFrame
        From `training_rows`.
    features : FeatureSet
        The columns to learn from.
    choice : Choice
        Settings and depth.
    seed, threads : int
        Of the training.

    """

    def train(rows: pl.DataFrame, rounds: int, hidden: pl.DataFrame | None = None) -> lightgbm.Booster:
        return train_ranker(
            to_groups(rows, features.names),
            features.names,
            features.monotone,
            choice.ranker,
            seed=seed,
            threads=threads,
            rounds=rounds,
            held_out=None if hidden is None else to_groups(hidden, features.names),
        )

    held_out = pl.col("fold") == training["fold"].min()
    hidden = training.filter(held_out)
    shown, whole = choice.training(training.filter(~held_out)), choice.training(training)
    trial = train(shown, choice.ranker.num_iterations, hidden)
    booster = train(whole, round(trial.current_iteration() * whole.height / shown.height))
    groups = to_groups(hidden, features.names)
    return Trained(booster, platt(np.asarray(trial.predict(groups.matrix)), groups.labels))
