"""Features in the order of a matrix: their declarations, and the columns they make."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, cast, get_args

import numpy as np
import polars as pl

from rulerank.arrays import FloatArray
from rulerank.errors import nearest
from rulerank.features.listing import Listing
from rulerank.features.pairs import Pairs

FeatureFunction = Callable[[Pairs], FloatArray] | Callable[[Listing], FloatArray]
Pass = Literal[1, 2]


@dataclass(frozen=True, eq=False)
class Feature:
    """One declared feature.

    Parameters
    ----------
    name, group : str
        What the feature is called, and the group it belongs to.
    definition : str
        What it is, in a sentence. It is documentation, not part of the feature's identity.
    function : callable
        Maps `Pairs`, or `Listing` in the second pass, to an array of shape (pairs,), float32.
    in_pass : {1, 2}, optional (default=1)
        2 if it needs the list that the first pass made.
    version : int, optional (default=1)
        Increased whenever the function comes to compute something else.
    constants : mapping of str to number, optional
        The constants it computes with.

    """

    name: str
    group: str
    definition: str
    function: FeatureFunction
    in_pass: Pass = 1
    version: int = 1
    constants: Mapping[str, float] = field(default_factory=dict)

    def of(self, listing: Listing) -> FloatArray:
        """Return its value for each pair of a listing, shape (pairs,)."""
        if self.in_pass == 2:
            return cast("Callable[[Listing], FloatArray]", self.function)(listing)
        return self.of_pairs(listing.pairs)

    def of_pairs(self, pairs: Pairs) -> FloatArray:
        """Return its value for each pair, shape (pairs,).

        Raises
        ------
        ValueError
            It is a feature of the second pass.

        """
        if self.in_pass == 2:
            raise ValueError(f"expected a Listing for {self.name!r}, found pairs without an order")
        return cast("Callable[[Pairs], FloatArray]", self.function)(pairs)

    @property
    def identity(self) -> dict[str, Any]:
        """What makes it this feature, as plain data."""
        return {
            "name": self.name,
            "group": self.group,
            "pass": self.in_pass,
            "version": self.version,
            "constants": dict(self.constants),
        }


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
    def groups(self) -> tuple[str, ...]:
        """The groups of the features, each once, in order."""
        return tuple(dict.fromkeys(each.group for each in self.features))

    def places(self, names: Iterable[str]) -> list[int]:
        """Return the columns of some features of the set."""
        return [self._place[name] for name in names]

    @cached_property
    def _place(self) -> Mapping[str, int]:
        return {each.name: column for column, each in enumerate(self.features)}

    @property
    def identities(self) -> list[dict[str, Any]]:
        """The features' identities as plain data, in order."""
        return [each.identity for each in self.features]

    @property
    def digest(self) -> str:
        """A hash of the identities, in hexadecimal; rewording a definition does not change it."""
        return hashlib.sha256(json.dumps(self.identities, sort_keys=True).encode()).hexdigest()

    def describe(self) -> list[dict[str, Any]]:
        """Return identities and definitions as plain data, in order."""
        return [{**each.identity, "definition": each.definition} for each in self.features]

    def without(self, group: str) -> FeatureSet:
        """Return the set without one group."""
        return FeatureSet(tuple(each for each in self.features if each.group != group))

    def of_pass(self, in_pass: Pass) -> FeatureSet:
        """Return the features of one pass."""
        return self._by_pass[in_pass]

    @cached_property
    def _by_pass(self) -> Mapping[Pass, FeatureSet]:
        """The features of each pass, found once: a service asks for them with every question."""
        return {
            one: FeatureSet(tuple(each for each in self if each.in_pass == one)) for one in get_args(Pass)
        }

    def joined(self, other: FeatureSet) -> FeatureSet:
        """Return the features of both sets, those of the first pass first."""
        both = {each.name: each for each in (*self.features, *other.features)}
        return FeatureSet(tuple(sorted(both.values(), key=lambda each: each.in_pass)))

    def named(self, names: list[str]) -> FeatureSet:
        """Return the features with these names, in this order.

        Raises
        ------
        ValueError
            A name is not in the set.

        """
        known = {each.name: each for each in self.features}
        unknown = [name for name in names if name not in known]
        if unknown:
            raise ValueError(
                f"expected names of features, found {unknown}; the nearest to the first is "
                f"{nearest(unknown[0], known)}."
            )
        return FeatureSet(tuple(known[name] for name in names))

    def compute(self, pairs: Pairs | Listing) -> FloatArray:
        """Return the matrix of shape (pairs, features), float32; columns in the order of the set.

        Raises
        ------
        ValueError
            The set has features of the second pass, and the pairs are not a `Listing`.

        """
        matrix = np.empty((len(pairs.rows), len(self.features)), np.float32, order="F")
        for column, each in enumerate(self.features):
            matrix[:, column] = each.of(pairs) if isinstance(pairs, Listing) else each.of_pairs(pairs)
        return matrix

    def frame(self, matrix: FloatArray) -> pl.DataFrame:
        """Return a matrix of these features as a frame of Float32 columns."""
        schema = {name: pl.Float32() for name in self.names}
        # Polars would read a square matrix by columns.
        return pl.DataFrame(matrix, schema=schema, orient="row")
