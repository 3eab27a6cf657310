"""Standing: where a candidate stands among the candidates of its question, feature by feature.

Trees cut a feature at values that suit the rulebook they have learned from, and tell its passages apart by
their length, place and links. Elsewhere these cuts mean little. A linear model of standings has no cuts, and
most of what it reads depends on the question, so what it has learned travels to rules that nobody has judged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rulerank.arrays import DoubleArray, FloatArray, IntArray

OF_PASSAGES = ("authority", "centrality", "obligation", "structure")
"""Groups of features that describe a passage whatever is asked; their standing is left out.

Its length stays, as one of the lexical features.
"""

FAR = 5.0
"""Standings beyond this many standard deviations count as this many."""

LARGEST = 1e6
"""Weights of this size or more are damage: scores would overflow."""

ALIKE = 1e-6
"""Added to a standard deviation, so that the rounding of equal values is not taken for a difference."""


def standings(matrix: FloatArray, starts: IntArray) -> FloatArray:
    """Return by how many standard deviations each value differs from the mean of its question's candidates.

    Parameters
    ----------
    matrix : array of shape (pairs, features)
        NaN where a feature is missing.
    starts : int array of shape (questions + 1,)
        Where each question's candidates begin, and finally where they end.

    Returns
    -------
    array of shape (pairs, features), float32
        At most `FAR` in either direction; 0 where a feature is missing.

    """
    if not len(matrix):
        return matrix.astype(np.float32)
    sizes = np.diff(starts)
    first, sizes = starts[:-1][sizes > 0], sizes[sizes > 0]
    known = ~np.isnan(matrix)
    counts = np.maximum(np.add.reduceat(known, first, axis=0, dtype=np.int64), 1)

    def mean(values: DoubleArray) -> DoubleArray:
        of_questions: DoubleArray = np.add.reduceat(values, first, axis=0) / counts
        return of_questions

    apart = np.where(known, matrix, 0).astype(np.float64)
    apart -= np.repeat(mean(apart), sizes, axis=0)
    apart[~known] = 0
    apart /= np.repeat(np.sqrt(mean(apart**2)) + ALIKE, sizes, axis=0)
    return np.clip(apart, -FAR, FAR, out=apart).astype(np.float32)


@dataclass(frozen=True, eq=False)
class Standing:
    """What the standings of a candidate add to the score that trees give it.

    Parameters
    ----------
    names : tuple of str
        Features of the ranker.
    weights : array of shape (features,)
        What one standard deviation of each adds.
    factor : float
        The trees' score is multiplied by this.

    """

    names: tuple[str, ...]
    weights: DoubleArray
    factor: float

    def as_json(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        return {"factor": self.factor, "weights": dict(zip(self.names, self.weights.tolist(), strict=True))}

    @classmethod
    def read(cls, said: Mapping[str, Any], features: Sequence[str]) -> Standing:
        """Return the standing from the result of `as_json`.

        Raises
        ------
        ValueError, KeyError, TypeError
            The mapping is something else, or weighs other features than those of the ranker.

        """
        unknown = sorted(set(said["weights"]) - set(features))
        if unknown:
            raise ValueError(f"expected features of the ranker, found {', '.join(unknown)}"[:300])
        numbers = [said["factor"], *said["weights"].values()]
        known = all(type(each) in (int, float) and abs(each) < LARGEST for each in numbers)
        if not known or numbers[0] < 0:
            raise ValueError(f"expected numbers below {LARGEST:g}, and a factor of at least 0")
        return cls(tuple(said["weights"]), np.array(numbers[1:], np.float64), float(numbers[0]))

    def shares(self, matrix: FloatArray, starts: IntArray) -> DoubleArray:
        """Return what each feature adds to the scores, shape (pairs, features).

        Parameters
        ----------
        matrix : array of shape (pairs, features)
            Columns as `names`.
        starts : int array of shape (questions + 1,)
            As for `standings`.

        """
        return standings(matrix, starts) * self.weights

    def added(self, scores: DoubleArray, matrix: FloatArray, starts: IntArray) -> DoubleArray:
        """Return what is added to the trees' scores of candidates, shape (pairs,)."""
        # Summed row by row: the last digits of a matrix product depend on how many rows there are.
        added: DoubleArray = (self.factor - 1) * scores + self.shares(matrix, starts).sum(axis=1)
        return added
