"""The one place where features plug in.

A feature is a pure function from `Pairs` to one float32 value a pair, NaN where it has no value:

    @feature("lexical", monotone=+1)
    def idf_overlap_sum(pairs: Pairs) -> FloatArray:
        '''Sum of idf over the question's terms that the passage holds.'''

Its name, group, monotone sign and first docstring line are its declaration: they drive the matrix, the
constraints, docs/features.md, the MLflow signature and the exported ranker.

A feature of the second pass looks at the list that the first pass made: it is a function from `Listing`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeVar, cast

import numpy as np
import polars as pl

from rulerank.arrays import FloatArray
from rulerank.features.listing import Listing
from rulerank.features.pairs import Pairs

FeatureFunction = Callable[[Listing], FloatArray]
"""A function from `Pairs` is one too: a listing is pairs and more."""

Declared = TypeVar("Declared", bound=FeatureFunction)
Sign = Literal[-1, 0, 1]
Pass = Literal[1, 2]

GROUPS = (
    "lexical",
    "fusion",
    "late",
    "centrality",
    "neighbours",
    "closure",
    "authority",
    "structure",
    "obligation",
    "judgement",
    "listwise",
)
"""The feature groups, in the order of the matrix; features of the second pass come after all others."""


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


_REGISTRY: dict[str, Feature] = {}


def feature(
    group: str, *, monotone: Sign = 0, name: str | None = None, in_pass: Pass = 1
) -> Callable[[Declared], Declared]:
    """Declare a function as a feature.

    Parameters
    ----------
    group : str
        One of `GROUPS`.
    monotone : {-1, 0, 1}, optional (default=0)
        The direction in which the value may move the score, all else equal; 0 leaves it free.
    name : str, optional
        The feature's name, by default the function's.
    in_pass : {1, 2}, optional (default=1)
        2 for a function from `Listing`.

    Raises
    ------
    ValueError
        The group is unknown, the name is taken, or the function has no docstring to define it.

    """

    def declare(function: Declared) -> Declared:
        own = name or function.__name__
        if group not in GROUPS:
            raise ValueError(f"feature {own!r}: expected a group of {GROUPS}, found {group!r}")
        if own in _REGISTRY:
            raise ValueError(f"feature {own!r} is declared twice; give one of them another name")
        if not function.__doc__:
            raise ValueError(f"feature {own!r}: expected a docstring that defines it, found none")
        definition = function.__doc__.strip().splitlines()[0]
        _REGISTRY[own] = Feature(own, group, monotone, definition, function, in_pass)
        return function

    return declare


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
            A name is not in the set: the ranker was trained with other features than this version has.

        """
        known = {each.name: each for each in self.features}
        unknown = [name for name in names if name not in known]
        if unknown:
            raise ValueError(
                f"expected features of {sorted(known)}, found {unknown}. Train the ranker again."
            )
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


def registered() -> FeatureSet:
    """Return every declared feature, by pass, group and then order of declaration."""
    from rulerank import features

    features.declare_all()
    order = {group: place for place, group in enumerate(GROUPS)}
    return FeatureSet(tuple(sorted(_REGISTRY.values(), key=lambda each: (each.in_pass, order[each.group]))))
