"""How a ranker is trained: its rounds found on a held-out fold, then everything learned anew."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import lightgbm
import numpy as np
import polars as pl

from rulerank.errors import InputError
from rulerank.features.feature_set import FeatureSet
from rulerank.learn.ranker.calibration import platt
from rulerank.learn.ranker.choice import Choice
from rulerank.learn.ranker.committee import mean_of
from rulerank.learn.ranker.lambdamart import to_groups, train_ranker, with_relevant


@dataclass(frozen=True, eq=False)
class Trained:
    """A ranker and what its trial taught.

    Parameters
    ----------
    booster : lightgbm.Booster
        Trained on every fold, the mean of several models.
    trial : lightgbm.Booster
        Trained on all but the first fold, which stopped it.
    calibration : dict of str to float
        From `calibration.platt`, of the trial's scores for the fold that it had not seen.

    """

    booster: lightgbm.Booster
    trial: lightgbm.Booster
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
    final ranker is trained on every fold, for more rounds in proportion to its more pairs, and is the mean of
    as many models as the choice says.

    Parameters
    ----------
    training : polars.DataFrame
        From `training_rows`.
    features : FeatureSet
        The columns to learn from.
    choice : Choice
        Settings and depth.
    seed, threads : int
        Of the training; further models take the seeds that follow.

    """
    held_out = pl.col("fold") == training["fold"].min()
    hidden = training.filter(held_out)
    shown, whole = choice.training(training.filter(~held_out)), choice.training(training)
    train = partial(_train, features=features, choice=choice, threads=threads)
    trial = train(shown, rounds=choice.ranker.num_iterations, seed=seed, hidden=hidden)
    rounds = round(trial.current_iteration() * whole.height / shown.height)
    seeds = range(seed, seed + choice.ranker.models)
    booster = mean_of([train(whole, rounds=rounds, seed=each) for each in seeds])
    groups = to_groups(hidden, features.names)
    return Trained(booster, trial, platt(np.asarray(trial.predict(groups.matrix)), groups.labels))


def fit_without(
    fold: int,
    training: pl.DataFrame,
    trained: Trained,
    features: FeatureSet,
    choice: Choice,
    seed: int,
    threads: int,
) -> lightgbm.Booster:
    """Train the ranker of `fit` again without a fold, for as many rounds as its trial.

    Parameters
    ----------
    fold : int
        Left out; for the first fold this is the trial itself.
    training, features, choice, seed, threads
        As they were given to `fit`.
    trained : Trained
        What it returned.

    """
    if fold == training["fold"].min():
        return trained.trial
    shown = choice.training(training.filter(pl.col("fold") != fold))
    return _train(
        shown,
        rounds=trained.trial.current_iteration(),
        features=features,
        choice=choice,
        seed=seed,
        threads=threads,
    )


def _train(
    rows: pl.DataFrame,
    *,
    rounds: int,
    features: FeatureSet,
    choice: Choice,
    seed: int,
    threads: int,
    hidden: pl.DataFrame | None = None,
) -> lightgbm.Booster:
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
