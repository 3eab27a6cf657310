"""Completing judged sets: the last step on a list, after the trees have scored it.

Passages that training questions judged relevant together belong together. `set_completion` tells the trees so
from the first pass, which knows nothing of judgements. Here the trees' own scores tell it. They are far surer
of which passages are relevant, and what a passage gains is in proportion.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from rulerank.arrays import DoubleArray, FloatArray
from rulerank.features.co_judged import completed_sets
from rulerank.features.curve import probabilities, read_curve
from rulerank.features.judged import Judged
from rulerank.features.judgement_index import JudgementIndex

COMPANIONS = "companions"
"""The name of this step among the reasons for a passage."""


@dataclass(frozen=True)
class Completion:
    """What the companions of a passage in judged sets add to its score.

    Parameters
    ----------
    weight : float
        Added if the companions are certain to be relevant, and in proportion if they are not.
    curve : mapping
        `slope` and `intercept` of the logistic curve from the trees' score to probability of relevance.

    """

    weight: float
    curve: Mapping[str, float]

    @classmethod
    def read(cls, said: Mapping[str, Any]) -> Self:
        """Return the completion from the result of `as_json`.

        Raises
        ------
        ValueError, KeyError, TypeError
            The mapping is something else.

        """
        read = cls(float(said["weight"]), read_curve(said["curve"]))
        if not np.isfinite(read.weight):
            raise ValueError(f"expected a finite weight, found {read.weight}")
        return read

    def as_json(self) -> dict[str, Any]:
        """Return the completion as a JSON object."""
        return asdict(self)

    def added(self, index: JudgementIndex, judged: Judged, scores: NDArray[np.floating]) -> DoubleArray:
        """Return what is added to the scores of pairs, shape (pairs,).

        Parameters
        ----------
        index : JudgementIndex
            The judgements.
        judged : Judged
            The judgements of the pairs.
        scores : array of shape (pairs,)
            The trees' scores.

        """
        probability = probabilities(scores, self.curve).astype(np.float32)
        return self.weight * companions(index, judged, probability)


def companions(index: JudgementIndex, judged: Judged, probability: FloatArray) -> DoubleArray:
    """Return the highest mean probability of a passage's companions in a judged set; 0 without companions.

    Parameters
    ----------
    index, judged, probability
        As in `co_judged.completed_sets`.

    """
    return np.nan_to_num(completed_sets(index, judged, probability)).astype(np.float64)
