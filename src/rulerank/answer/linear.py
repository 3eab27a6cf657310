"""Linear and logistic models of named columns, fitted elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from rulerank.arrays import DoubleArray


@dataclass(frozen=True)
class Linear:
    """Value = x weights + intercept.

    Parameters
    ----------
    names : tuple of str
        The columns of x.
    weights : tuple of float
        One per column.
    intercept : float
        The constant term.
    usual : tuple of float
        The value that replaces a missing value, one per column.

    """

    names: tuple[str, ...]
    weights: tuple[float, ...]
    intercept: float
    usual: tuple[float, ...]

    def __call__(self, x: NDArray[np.floating]) -> DoubleArray:
        """Return the value of each row of `x`, shape (rows,)."""
        line: DoubleArray = np.where(np.isnan(x), self._usual, x) @ self._weights + self.intercept
        return line

    @cached_property
    def _weights(self) -> DoubleArray:
        return np.array(self.weights)

    @cached_property
    def _usual(self) -> DoubleArray:
        return np.array(self.usual)

    def as_json(self) -> dict[str, Any]:
        """Return the model as a JSON object."""
        return asdict(self)

    @classmethod
    def read(cls, said: Mapping[str, Any]) -> Self:
        """Return the model that a JSON object states.

        Raises
        ------
        ValueError, KeyError, TypeError
            It is not such a model, or its numbers are not all finite.

        """
        names, weights, usual = (tuple(said[name]) for name in ("names", "weights", "usual"))
        if not len(names) == len(weights) == len(usual):
            raise ValueError(f"expected {len(names)} weights, found {len(weights)}")
        if not np.isfinite([*weights, *usual, said["intercept"]]).all():
            raise ValueError("expected finite weights, found others")
        return cls(names, weights, float(said["intercept"]), usual)


@dataclass(frozen=True)
class Logistic(Linear):
    """Probability = 1 / (1 + exp(-(x weights + intercept)))."""

    def __call__(self, x: NDArray[np.floating]) -> DoubleArray:
        """Return the probability of each row of `x`, shape (rows,)."""
        chance: DoubleArray = np.exp(-np.logaddexp(0, -super().__call__(x)))
        return chance
