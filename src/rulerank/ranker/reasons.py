"""Why a passage has its score: what each feature added, along the paths of trees or by its standing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rulerank.arrays import DoubleArray, FloatArray, IntArray
from rulerank.features.completion import COMPANIONS
from rulerank.passages import Reason
from rulerank.ranker.ranking import Ranking

RESTATED = ("first_score", "first_rank", "first_gap", "first_lead")
"""Features that restate the first pass's result; in the trees, the reasons of the first pass replace them."""


def parts_at(ranking: Ranking, places: IntArray) -> tuple[Sequence[str], FloatArray, DoubleArray]:
    """Return the contributions to the scores at some places of a ranking; see `Reason`.

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
    matrix, company = ranking.matrix[places], ranking.company[places, None]
    explained = sum(
        weight * _of_model(ranking, name, places, matrix) for name, weight in ranking.answering.items()
    )
    names = (*ranking.bundle.features.names, COMPANIONS)
    return names, np.hstack([matrix, company]), np.hstack([explained, company])


def _of_model(ranking: Ranking, name: str, places: IntArray, matrix: FloatArray) -> DoubleArray:
    """Return what each feature adds to the scores that one model gives, shape (places, features)."""
    bundle, model = ranking.bundle, ranking.bundle.models[name]
    of_trees = np.zeros(matrix.shape, np.float64)
    for trained in (model, bundle.first_pass):
        if trained is not None:
            columns = bundle.features.places(trained.features.names)
            of_trees[:, columns] += trained.trees.path_contributions(matrix[:, columns])
    explained = np.where(np.isin(bundle.features.names, RESTATED), 0, of_trees)
    if model.standing is not None:
        columns = bundle.features.places(model.standing.names)
        shares = model.standing.shares(ranking.found[:, columns], np.array([0, len(ranking.found)]))
        explained *= model.standing.factor
        explained[:, columns] += shares[ranking.places_found[places]]
    return explained


def greatest(
    names: Sequence[str], values: FloatArray, contributions: DoubleArray, limit: int
) -> tuple[Reason, ...]:
    """Return the features of one row with the greatest shares, positive or negative, greatest first."""
    order = np.argsort(-np.abs(contributions), kind="stable")[:limit]
    return tuple(
        Reason(names[column], float(values[column]), float(contributions[column])) for column in order
    )
