"""The first pass: a ranker that looks at each passage by itself. The second pass looks at its list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from rulerank.arrays import FloatArray
from rulerank.features.curve import probabilities
from rulerank.features.feature_set import FeatureSet
from rulerank.features.listing import Listing
from rulerank.features.pairs import Pairs
from rulerank.trees import Trees


@dataclass(frozen=True, eq=False)
class FirstPass:
    """A trained first pass.

    Parameters
    ----------
    trees : Trees
        The model.
    features : FeatureSet
        The columns that the trees read, all features of the first pass.
    curve : mapping
        `slope` and `intercept` of the logistic curve from score to probability of relevance.

    """

    trees: Trees
    features: FeatureSet
    curve: Mapping[str, float]

    def listing(self, pairs: Pairs, described: FeatureSet, matrix: FloatArray) -> Listing:
        """Rank the pairs.

        Parameters
        ----------
        pairs : Pairs
            The candidates.
        described : FeatureSet
            The columns of `matrix`. The first pass finds the columns it reads by name.
        matrix : array of shape (pairs, features)
            The pairs' features.

        """
        columns = described.places(self.features.names)
        scores = self.trees.scores(matrix[:, columns]).astype(np.float32)
        return Listing(pairs, scores, probabilities(scores, self.curve).astype(np.float32))
