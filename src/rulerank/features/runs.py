"""The features that every run has: score, rank and share of the highest score."""

from __future__ import annotations

import numpy as np

from rulerank.arrays import FloatArray
from rulerank.features.feature_set import Feature
from rulerank.features.pairs import Pairs

GROUP = "fusion"


def run_features(run: str) -> tuple[Feature, ...]:
    """Return the three features of a run with this name."""

    def score(pairs: Pairs) -> FloatArray:
        # A score of -inf says as little as no score.
        return np.where(np.isneginf(pairs.run_scores[run]), np.nan, pairs.run_scores[run])

    def rank(pairs: Pairs) -> FloatArray:
        return pairs.run_ranks[run]

    def share(pairs: Pairs) -> FloatArray:
        values = pairs.run_scores[run]
        highest = pairs.extremes(values)[1]
        return np.where(highest > 0, values / np.where(highest > 0, highest, 1), np.nan).astype(np.float32)

    return (
        Feature(f"{run}_score", GROUP, f"Score of the run {run}.", score),
        Feature(
            f"{run}_rank",
            GROUP,
            f"Rank of the passage among the question's candidates by the run {run}.",
            rank,
        ),
        Feature(
            f"{run}_share",
            GROUP,
            f"Score of the run {run} over its highest among the candidates; missing unless above 0.",
            share,
        ),
    )
