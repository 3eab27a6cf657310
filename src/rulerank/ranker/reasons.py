"""Why a passage has its score: what each feature added, along the paths of trees or by its standing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rulerank.arrays import FloatArray, IntArray
from rulerank.bundle import Model
from rulerank.features.completion import COMPANIONS
from rulerank.passages import Reason
from rulerank.ranker.ranking import Ranking

RESTATED = ("first_score", "first_rank", "first_gap", "first_lead")
"""Features that restate the first pass's result; in the trees, the reasons of the first pass replace them."""


def parts_at(ranking: Ranking, places: IntArray) -> tuple[Sequence[str], FloatArray, NDArray[np.float64]]:
    """Return the contributions that make up the scores at some places of a ranking.

    Parameters
    ----------
    ranking : Ranking
        The ranking of one question.
    places : int array of shape (places,)
        From 0.

    Returns
    -------
    names : sequence of str
        The features, and `COMPANIONS`.
    values, contributions : arrays of shape (places, names)
        What the other passages of the list add is a value, too.

    """
    bundle, model, matrix = ranking.bundle, ranking.bundle.models[ranking.answering], ranking.matrix[places]
    stood, factor = _stood(ranking, model), model.standing.factor if model.standing else 1.0
    of_trees = np.zeros(matrix.shape, np.float64)
    for trained in (model, bundle.first_pass):
        if trained is not None:
            columns = bundle.columns(trained.features)
            of_trees[:, columns] += trained.trees.path_contributions(matrix[:, columns])
    restated = np.isin(bundle.features.names, RESTATED)
    explained = np.where(restated, 0, factor * of_trees) + stood[places]
    # What is left is due to the other candidates, among them passages that have not taken effect: a ranking
    # lacks them, but they took part in the standings.
    rest = ranking.added - (factor - 1) * (ranking.scores - ranking.added) - stood.sum(axis=1)
    added = rest[places, None]
    return (*bundle.features.names, COMPANIONS), np.hstack([matrix, added]), np.hstack([explained, added])


def _stood(ranking: Ranking, model: Model) -> NDArray[np.float64]:
    """Return what the standing of each feature adds to each score, shape (candidates, features)."""
    stood = np.zeros(ranking.matrix.shape, np.float64)
    if model.standing is not None:
        columns = ranking.bundle.columns(model.features.named([*model.standing.names]))
        starts = np.array([0, len(ranking.rows)])
        stood[:, columns] = model.standing.shares(ranking.matrix[:, columns], starts)
    return stood


def greatest(
    names: Sequence[str], values: FloatArray, contributions: NDArray[np.float64], limit: int
) -> tuple[Reason, ...]:
    """Return the features of one row with the greatest shares, positive or negative, greatest first."""
    order = np.argsort(-np.abs(contributions), kind="stable")[:limit]
    return tuple(
        Reason(names[column], float(values[column]), float(contributions[column])) for column in order
    )
