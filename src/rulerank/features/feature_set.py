"""Features in the order of a matrix: what declares them, and the columns they make."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, cast

import numpy as np
import polars as pl

from rulerank.arrays import FloatArray
from rulerank.features.listing import Listing
from rulerank.features.pairs import Pairs

FeatureFunction = Callable[[Listing], FloatArray]
"""A function from `Pairs` is one too: a listing is pairs and more."""

Sign = Literal[-1, 0, 1]
Pass = Literal[1, 2]


@dataclass(frozen=True)
class Feature:
    """One declared feature."""

    name: str
    group: str
    monotone: Sign
    definition: str
    function: FeatureFunction
    in_pass: Pass = 1
    """2 where the feature needs the list that the first pass made."""


@dataclass(frozen=True)
class FeatureSet:
    """An ordered set of features: the columns of the matrix."""

    features: tuple[Feature, ...]

    def __iter__(self) -> Iterator[Feature]:
        return iter(self.features)

    def __len__(self) -> int:
        return len(self.features)

    @property
    def names(self) -> list[str]:
        """The columns' names, in order."""
        return [each.name for each in self.features]

    @property
    def monotone(self) -> list[int]:
        """The columns' monotone signs, in order."""
        return [each.monotone for each in self.features]

    @property
    def digest(self) -> str:
        """A hash of names, groups, signs and definitions, in hexadecimal."""
        return hashlib.sha256(json.dumps(self.describe()).encode()).hexdigest()

    def describe(self) -> list[dict[str, str | int]]:
        """Return the declarations as plain data, in order."""
        return [
            {
                "name": each.name,
                "group": each.group,
                "monotone": each.monotone,
                "pass": each.in_pass,
                "definition": each.definition,
            }
            for each in self.features
        ]

    def without(self, group: str) -> FeatureSet:
        """Return the set without one group."""
        return FeatureSet(tuple(each for each in self.features if each.group != group))

    def of_pass(self, in_pass: Pass) -> FeatureSet:
        """Return the features of one pass."""
        return FeatureSet(tuple(each for each in self.features if each.in_pass == in_pass))

    def joined(self, other: FeatureSet) -> FeatureSet:
        """Return the features of both sets, those of the first pass first."""
        both = dict.fromkeys([*self.features, *other.features])
        return FeatureSet(tuple(sorted(both, key=lambda each: each.in_pass)))

    def named(self, names: list[str]) -> FeatureSet:
        """Return the features of these names, in this order.

        Raises
        ------
        ValueError
            A name is not in the set.

        """
        known = {each.name: each for each in self.features}
        unknown = [name for name in names if name not in known]
        if unknown:
            raise ValueError(f"expected features of {sorted(known)}, found {unknown}.")
        return FeatureSet(tuple(known[name] for name in names))

    def compute(self, pairs: Pairs) -> FloatArray:
        """Return the matrix of shape (pairs, features), float32; columns in the order of the set.

        Raises
        ------
        ValueError
            The set has features of the second pass, and the pairs are no `Listing`.

        """
        if self.of_pass(2) and not isinstance(pairs, Listing):
            raise ValueError(f"expected a Listing for {self.of_pass(2).names}, found pairs without an order")
        listing = cast("Listing", pairs)
        matrix = np.empty((len(pairs.rows), len(self.features)), np.float32, order="F")
        for column, each in enumerate(self.features):
            matrix[:, column] = each.function(listing)
        return matrix

    def frame(self, matrix: FloatArray) -> pl.DataFrame:
        """Return a matrix of these features as a frame of Float32 columns."""
        schema = {name: pl.Float32() for name in self.names}
        # Polars would take a square matrix by columns.
        return pl.DataFrame(matrix, schema=schema, orient="row")
