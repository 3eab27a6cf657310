"""The first pass: a ranker that looks at each passage for itself, whose list the second pass looks at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rulerank.arrays import FloatArray
from rulerank.features.curve import probabilities
from rulerank.features.feature_set import FeatureSet
from rulerank.features.listing import Listing
from rulerank.features.pairs import Pairs

if TYPE_CHECKING:  # lightgbm takes two seconds to import, and most stages have no use for it
    import lightgbm


@dataclass(frozen=True, eq=False)
class FirstPass:
    """A trained first pass.

    Parameters
    ----------
    booster : lightgbm.Booster
        Its trees.
    features : FeatureSet
        The columns that they read, all of the first pass.
    curve : mapping
        `slope` and `intercept` of the logistic curve from score to probability of relevance.

    """

    booster: lightgbm.Booster
    features: FeatureSet
    curve: Mapping[str, float]

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
        scores = np.zeros(0, np.float32)
        if len(matrix):
            scores = np.asarray(self.booster.predict(matrix[:, columns]), np.float32)
        return Listing(
            pairs.index,
            pairs.queries,
            pairs.retrieved,
            pairs.held_out,
            scores,
            probabilities(scores, self.curve).astype(np.float32),
        )
