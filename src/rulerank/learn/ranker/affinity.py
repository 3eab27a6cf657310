"""Affinity learned: which passages are relevant where another one is, by what has not seen the question."""

from __future__ import annotations

from collections.abc import Iterator

import lightgbm
import numpy as np
from numpy.typing import NDArray

from rulerank.arrays import BoolArray, FloatArray, IntArray
from rulerank.features.affinity import Affinity, gains
from rulerank.features.company import Company, Lists, columns_of, company
from rulerank.features.curve import probabilities
from rulerank.learn.out_of_fold import OutOfFold
from rulerank.learn.ranker.calibration import platt
from rulerank.learn.ranker.judge import Judge
from rulerank.settings import Affinity as AffinitySettings
from rulerank.trees import Trees, mean_of

WEIGHTS = (0.0, 0.15, 0.3, 0.45, 0.6, 0.75, 0.9)
"""What is tried; the least of equals is taken."""

AT_ONCE = 512
"""Questions whose couples are in memory together."""


def fit_affinity(
    lists: Lists,
    folds: IntArray,
    described: tuple[str, ...],
    judge: Judge,
    settings: AffinitySettings,
    *,
    seed: int,
    threads: int,
) -> tuple[OutOfFold[Affinity] | None, NDArray[np.float64]]:
    """Learn what company says of a passage, and choose how much it counts.

    A couple is learned from where its leader is relevant, whatever its rank.

    Parameters
    ----------
    lists : Lists
        Training questions, scored by models that have not seen them.
    folds : int array of shape (pairs,)
        The fold of each row's question.
    described : tuple of str
        The columns of `lists.described`.
    judge : Judge
        Of these rows.
    settings : Affinity
        The section `affinity` of params.yaml.
    seed, threads : int
        Of the training.

    Returns
    -------
    affinity : OutOfFold of Affinity, or None
        None where it serves nobody, or nothing can be learned. The one on all questions is the mean of those
        without each fold.
    scores : array of shape (pairs,)
        The scores, with what is added.

    """
    relevant, curve = judge.labels > 0, platt(lists.scores, judge.labels)
    if not settings.trees or curve["slope"] == 0 or not judge.judges.any():
        return None, lists.scores
    taught = list(_met(lists, relevant))
    others = np.concatenate([met.others for met in taught])
    matrix = np.concatenate([met.matrix for met in taught])
    learned = {fold: folds[others] != fold for fold in np.unique(folds).tolist()}
    if any(len(np.unique(relevant[others[rows]])) < 2 for rows in learned.values()):
        return None, lists.scores
    trees = {
        fold: _train(matrix[rows], relevant[others[rows]], described, settings, seed, threads)
        for fold, rows in learned.items()
    }
    gained = _gained(lists, folds, curve, trees)
    weight = judge.best(WEIGHTS, lists.scores, gained)
    if weight == 0:
        return None, lists.scores
    models = OutOfFold(mean_of(list(trees.values())), trees)
    return models.map(lambda each: Affinity(each, weight, curve, described)), lists.scores + weight * gained


def _met(lists: Lists, leading: BoolArray) -> Iterator[Company]:
    """Yield the couples of `AT_ONCE` questions after the other, candidates numbered as in `lists`."""
    for first in range(0, len(lists.starts) - 1, AT_ONCE):
        starts = lists.starts[first : first + AT_ONCE + 1]
        rows = slice(starts[0], starts[-1])
        part = Lists(
            lists.index,
            lists.columns[rows],
            starts - starts[0],
            lists.scores[rows],
            lists.described[rows],
        )
        met = company(part, leading[rows])
        yield Company(met.leaders + starts[0], met.others + starts[0], met.matrix)


def _gained(
    lists: Lists, folds: IntArray, curve: dict[str, float], trees: dict[int, Trees]
) -> NDArray[np.float64]:
    """Return what is added to each score at weight 1, by the trees that have not seen its question."""
    probability = probabilities(lists.scores, curve).astype(np.float64)
    others, told, leaders = [], [], []
    for met in _met(lists, lists.leading()):
        said = np.empty(len(met.others))
        for fold, each in trees.items():
            rows = folds[met.others] == fold
            said[rows] = each.scores(met.matrix[rows])
        others.append(met.others)
        leaders.append(met.leaders)
        told.append(said)
    led = probability[np.concatenate(leaders)]
    return gains(lists, curve, np.concatenate(others), np.concatenate(told), led) / curve["slope"]


def _train(
    matrix: FloatArray,
    relevant: BoolArray,
    described: tuple[str, ...],
    settings: AffinitySettings,
    seed: int,
    threads: int,
) -> Trees:
    parameters = {
        "objective": "binary",
        "num_leaves": settings.num_leaves,
        "learning_rate": settings.learning_rate,
        "min_data_in_leaf": settings.min_data_in_leaf,
        "feature_fraction": settings.feature_fraction,
        "lambda_l2": settings.lambda_l2,
        "seed": seed,
        "num_threads": threads,
        "deterministic": True,
        "force_row_wise": True,
        "verbosity": -1,
    }
    dataset = lightgbm.Dataset(matrix, relevant, feature_name=columns_of(described), free_raw_data=True)
    return Trees(lightgbm.train(parameters, dataset, settings.trees).model_to_string())
