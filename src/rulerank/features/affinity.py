"""Affinity: what the first six of a list say about its other passages, after the trees have scored it.

A model tells how likely a passage is relevant, given that another passage of the list is. Its log-odds given
the first six are averaged, each weighted by its own probability of relevance. A passage gains the
amount by which this mean exceeds its own log-odds. Company never lowers a score: most questions have a single
relevant passage, and the silence of others says nothing against it. The model has learned which passages are
relevant together, but looks only at texts and places, so it also serves passages that nobody has judged.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rulerank.arrays import DoubleArray, IntArray
from rulerank.features.company import ScoredCandidates, company
from rulerank.features.curve import probabilities, read_curve
from rulerank.trees import Trees


@dataclass(frozen=True, eq=False)
class Affinity:
    """What the company of a passage adds to its score.

    Parameters
    ----------
    trees : Trees
        Map a couple of passages to the log-odds that the second is relevant, given that the first is.
    weight : float
        The share of the gain that is added, above 0 and up to 1.
    curve : mapping
        `slope`, above 0, and `intercept` of the logistic curve from the ranker's score to probability.
    described : tuple of str
        The features of `company.DESCRIBED` that the trees look at.

    """

    trees: Trees
    weight: float
    curve: Mapping[str, float]
    described: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """Return everything but the trees as a JSON object."""
        return {"weight": self.weight, "curve": dict(self.curve), "described": list(self.described)}

    @classmethod
    def read(cls, trees: Trees, said: Mapping[str, Any]) -> Affinity:
        """Return the affinity from the result of `as_json` and its trees.

        Raises
        ------
        ValueError, KeyError, TypeError
            The mapping is something else.

        """
        curve = read_curve(said["curve"])
        read = cls(trees, float(said["weight"]), curve, tuple(map(str, said["described"])))
        if not 0 < read.weight <= 1:
            raise ValueError(f"expected a weight above 0 and up to 1, found {read.weight}")
        if curve["slope"] <= 0:
            raise ValueError(f"expected a slope above 0, found {curve['slope']}")
        return read

    def added(self, lists: ScoredCandidates) -> DoubleArray:
        """Return what is added to the scores of candidates, shape (pairs,)."""
        met = company(lists, lists.leading())
        told = self.trees.scores(met.matrix)
        probability = probabilities(lists.scores, self.curve).astype(np.float64)[met.leaders]
        gained = gains(lists.scores, self.curve, met.others, told, probability)
        return self.weight * gained / self.curve["slope"]


def gains(
    scores: DoubleArray,
    curve: Mapping[str, float],
    others: IntArray,
    told: DoubleArray,
    probability: DoubleArray,
) -> DoubleArray:
    """Return by how much the company's log-odds exceed each candidate's own; 0 if they do not.

    Parameters
    ----------
    scores : array of shape (pairs,)
        As in `ScoredCandidates`.
    curve : mapping
        As in `Affinity`.
    others, told, probability : arrays of shape (couples,)
        The other candidate of each couple, its log-odds, and the probability of the leader.

    Returns
    -------
    array of shape (pairs,)
        A candidate without company gains nothing.

    """
    size = len(scores)
    total = np.bincount(others, probability, size)
    met = total > 0
    mean = np.bincount(others, probability * told, size)[met] / total[met]
    own = curve["slope"] * scores[met] + curve["intercept"]
    gained = np.zeros(size)
    gained[met] = np.maximum(mean - own, 0)
    return gained
