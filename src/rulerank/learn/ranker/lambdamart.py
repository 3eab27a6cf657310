"""The LambdaMART ranker: LightGBM's lambdarank over the feature matrix."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from statistics import mean
from typing import Any

import lightgbm
from rich.progress import Progress

from rulerank.arrays import FloatArray, IntArray
from rulerank.errors import SettingsError
from rulerank.learn.ranker.groups import Groups
from rulerank.settings import Ranker
from rulerank.trees import Trees

LABEL_GAIN = (0, 1, 3, 7)
"""Gain of relevance 0, 1, 2, 3: 2^relevance - 1, as in LightGBM's own ndcg."""


def train_ranker(
    training: Groups,
    names: Sequence[str],
    settings: Ranker,
    *,
    seed: int,
    threads: int,
    rounds: int,
    held_out: Groups | None = None,
) -> Trees:
    """Train one lambdarank model.

    Parameters
    ----------
    training : Groups
        What to learn from.
    names : sequence of str
        Names of the columns.
    settings : Ranker
        The section `ranker` of params.yaml.
    seed, threads : int
        Recorded in the model; if both are fixed, the same input gives the same bytes.
    rounds : int
        Maximum number of boosting rounds.
    held_out : Groups, optional
        Stops the training when ndcg@10 on these groups, weighted as in training, has not risen for
        `early_stopping_rounds`. The model then ends at its best round.

    """
    parameters = _parameters(settings, len(training.labels), seed, threads)
    dataset = to_dataset(training, names, parameters, training.weighted(settings.several_weight))
    with _progress(rounds) as advance:
        callbacks = [lambda state: advance(state.iteration + 1)]
        if held_out is None:
            whole = lightgbm.train(parameters, dataset, num_boost_round=rounds, callbacks=callbacks)
            return _cut(whole, rounds)
        booster = lightgbm.train(
            parameters,
            dataset,
            num_boost_round=rounds,
            valid_sets=[
                to_dataset(held_out, names, parameters, held_out.weighted(settings.several_weight), dataset)
            ],
            callbacks=[*callbacks, _patience(settings)],
        )
    return _cut(booster, booster.best_iteration)


def train_on_folds(
    groups: Groups,
    shown: IntArray,
    folds: Sequence[tuple[IntArray, IntArray]],
    names: Sequence[str],
    settings: Ranker,
    *,
    seed: int,
    threads: int,
) -> tuple[Trees, list[Trees]]:
    """Train a lambdarank model on all folds, and one without each, for the rounds that serve the folds best.

    The rows of each model are taken from one dataset, whose values are cut into bins once.

    Parameters
    ----------
    groups : Groups
        All questions.
    shown : int array
        The rows that the model of all folds learns from, ascending.
    folds : sequence of pairs of int arrays
        For each fold, the rows that its model learns from and the rows it is measured on, ascending.
    names, settings, seed, threads
        As for `train_ranker`. The training ends when the mean of ndcg@10 over the folds, with the weights of
        the training, has not risen for `early_stopping_rounds`, or after `num_iterations` rounds.

    Returns
    -------
    Trees, list of Trees
        The model of all folds, and those without each fold, all with the same number of trees.

    """
    fewest = min(len(rows) for rows in (shown, *(learned for learned, _ in folds)))
    parameters = _parameters(settings, fewest, seed, threads)
    weights = groups.weighted(settings.several_weight)
    whole = to_dataset(groups, names, parameters, weights).construct()
    boosters = [_booster(parameters, *(whole.subset(rows.tolist()) for rows in fold)) for fold in folds]
    best, rounds = -math.inf, 0
    with _progress(settings.num_iterations) as advance:
        for done in range(1, settings.num_iterations + 1):
            served = mean(_round(booster) for booster in boosters)
            advance(done)
            if served > best:
                best, rounds = served, done
            elif done - rounds == settings.early_stopping_rounds:
                break
    without = [_cut(booster, rounds) for booster in boosters]
    del boosters
    booster = lightgbm.Booster(parameters, whole.subset(shown.tolist()))
    for _ in range(rounds):
        booster.update()
    return _cut(booster, rounds), without


def to_dataset(
    groups: Groups,
    names: Sequence[str],
    parameters: dict[str, object],
    weights: FloatArray | None = None,
    reference: lightgbm.Dataset | None = None,
) -> lightgbm.Dataset:
    """Return groups as a LightGBM dataset.

    Parameters
    ----------
    groups : Groups
        The rows.
    names : sequence of str
        Names of the columns.
    parameters : dict
        LightGBM's parameters, which also determine the bins.
    weights : array of shape (pairs,), optional
        The weight of each row.
    reference : lightgbm.Dataset, optional
        A dataset whose bins are used instead.

    """
    return lightgbm.Dataset(
        groups.matrix,
        label=groups.labels,
        weight=weights,
        group=groups.sizes,
        feature_name=list(names),
        reference=reference,
        params=parameters,
        free_raw_data=True,
    )


def _booster(
    parameters: dict[str, object], learned: lightgbm.Dataset, hidden: lightgbm.Dataset
) -> lightgbm.Booster:
    return lightgbm.Booster(parameters, learned).add_valid(hidden, "hidden")


def _round(booster: lightgbm.Booster) -> float:
    """Grow one more tree, and return the measure on the hidden rows after it."""
    booster.update()
    (measured,) = booster.eval_valid()
    return float(measured.metric_value)


def _cut(booster: lightgbm.Booster, rounds: int) -> Trees:
    return Trees(booster.model_to_string(num_iteration=rounds))


def _patience(settings: Ranker) -> Callable[[Any], None]:
    return lightgbm.early_stopping(settings.early_stopping_rounds, verbose=False)


@contextmanager
def _progress(rounds: int) -> Iterator[Callable[[int], None]]:
    """Yield a function that shows, in a terminal, how many rounds are done."""
    with Progress(transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task("boosting", total=rounds)
        yield lambda done: progress.update(task, completed=done)


def _parameters(settings: Ranker, rows: int, seed: int, threads: int) -> dict[str, object]:
    """Return LightGBM's parameters for so many rows of training, except for the number of rounds."""
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
        # Few features are mostly zero, so bundling them only takes time. LightGBM 4.7.0 has also misread
        # bundled columns when a part of a dataset was taken.
        "enable_bundle": False,
        **_bagging(settings, rows, seed),
        **repeatable(seed, threads),
    }


def repeatable(seed: int, threads: int) -> dict[str, object]:
    """Return the parameters that make LightGBM reproduce the same model, without output.

    Column-wise, it grows the same trees as row-wise in three quarters of the time. Left to itself, it would
    time both.
    """
    return {
        "seed": seed,
        "num_threads": threads,
        "deterministic": True,
        "force_col_wise": True,
        "verbosity": -1,
    }


def _bagging(settings: Ranker, rows: int, seed: int) -> dict[str, object]:
    """Return parameters that draw whole queries; drawing single pairs would tear the lists apart."""
    if settings.bagging_fraction == 1:
        return {}
    if settings.bagging_fraction * rows < 1:
        # LightGBM would fail an internal check.
        raise SettingsError(
            f"ranker.bagging_fraction: expected a share of at least one of {rows} training pairs, "
            f"found {settings.bagging_fraction}. Raise it in params.yaml."
        )
    return {
        "bagging_by_query": True,
        "bagging_fraction": settings.bagging_fraction,
        "bagging_freq": 1,
        "bagging_seed": seed,
    }
