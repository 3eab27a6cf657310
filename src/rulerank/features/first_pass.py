"""The first pass: a ranker that looks at each passage for itself, whose list the second pass looks at."""

from __future__ import annotations

from dataclasses import dataclass

import lightgbm
import numpy as np
from scipy.special import expit

from rulerank.arrays import FloatArray
from rulerank.features.listing import Listing
from rulerank.features.pairs import Pairs
from rulerank.features.registry import FeatureSet


@dataclass(frozen=True, eq=False)
class FirstPass:
    """A trained first pass.

    Parameters
    ----------
    booster : lightgbm.Booster
        Its trees.
    features : FeatureSet
        The columns that they read, all of the first pass.
    slope, intercept : float
        The logistic curve from score to probability of relevance.

    """

    booster: lightgbm.Booster
    features: FeatureSet
    slope: float
    intercept: float

    def listing(self, pairs: Pairs, described: FeatureSet, matrix: FloatArray) -> Listing:
        """Rank the pairs.

        Parameters
        ----------
        pairs : Pairs
            The candidates.
        described : FeatureSet
            The columns of `matrix`; those that the first pass reads are found by name.
        matrix : array of shape (pairs, features)
            The pairs' features.

        """
        columns = [described.names.index(name) for name in self.features.names]
        scores = np.zeros(0)
        if len(matrix):
            scores = np.asarray(self.booster.predict(matrix[:, columns]))
        return Listing(
            pairs.index,
            pairs.queries,
            pairs.retrieved,
            pairs.held_out,
            scores.astype(np.float32),
            expit(self.slope * scores + self.intercept).astype(np.float32),
        )
