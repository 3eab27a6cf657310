"""Why a passage scores as it does: what each feature added, by the SHAP values of both passes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rulerank.arrays import FloatArray
from rulerank.bundle import RANKER, Bundle
from rulerank.ranker.results import Reason

RESTATED = ("first_score", "first_rank", "first_gap", "first_lead")
"""Features that say again what the first pass found: its own reasons stand in their place."""


def shares(bundle: Bundle, matrix: FloatArray) -> NDArray[np.float64]:
    """Return what each feature added to the scores of some rows, shape of `matrix`.

    Parameters
    ----------
    bundle : Bundle
        The exported ranker.
    matrix : array of shape (rows, features)
        Columns as `bundle.features`.

    """
    total = np.zeros(matrix.shape, np.float64)
    for model in (bundle.models[RANKER], bundle.first_pass):
        if model is not None:
            columns = bundle.columns(model.features)
            explained = np.asarray(model.booster.predict(matrix[:, columns], pred_contrib=True))
            total[:, columns] += explained[:, :-1]
    restated = np.isin(bundle.features.names, RESTATED)
    return np.where(restated, 0, total)


def greatest(
    names: Sequence[str], values: FloatArray, contributions: NDArray[np.float64], limit: int
) -> tuple[Reason, ...]:
    """Return the features of one row that added or took away most, the greatest share first."""
    order = np.argsort(-np.abs(contributions), kind="stable")[:limit]
    return tuple(
        Reason(names[column], float(values[column]), float(contributions[column])) for column in order
    )
