"""Why a passage has its score: what each feature added, along the paths of both passes' trees."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rulerank.arrays import FloatArray, IntArray
from rulerank.bundle import Bundle
from rulerank.features.completion import COMPANIONS
from rulerank.passages import Reason
from rulerank.ranker.ranking import Ranking

RESTATED = ("first_score", "first_rank", "first_gap", "first_lead")
"""Features that restate the first pass's result; the reasons of the first pass replace them."""


def shares(bundle: Bundle, model: str, matrix: FloatArray) -> NDArray[np.float64]:
    """Return what each feature added to the scores of some rows, with the shape of `matrix`.

    Parameters
    ----------
    bundle : Bundle
        The exported ranker.
    model : str
        The model whose scores are explained, including the shares of the first pass.
    matrix : array of shape (rows, features)
        Columns as `bundle.features`.

    """
    total = np.zeros(matrix.shape, np.float64)
    for trained in (bundle.models[model], bundle.first_pass):
        if trained is not None:
            columns = bundle.columns(trained.features)
            total[:, columns] += trained.trees.path_contributions(matrix[:, columns])
    restated = np.isin(bundle.features.names, RESTATED)
    return np.where(restated, 0, total)


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
    bundle, matrix = ranking.bundle, ranking.matrix[places]
    added = ranking.added[places, None]
    explained = shares(bundle, ranking.answering, matrix)
    return (*bundle.features.names, COMPANIONS), np.hstack([matrix, added]), np.hstack([explained, added])


def greatest(
    names: Sequence[str], values: FloatArray, contributions: NDArray[np.float64], limit: int
) -> tuple[Reason, ...]:
    """Return the features of one row with the greatest shares, positive or negative, greatest first."""
    order = np.argsort(-np.abs(contributions), kind="stable")[:limit]
    return tuple(
        Reason(names[column], float(values[column]), float(contributions[column])) for column in order
    )
