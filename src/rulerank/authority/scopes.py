"""Scopes: which documents share the values of a set of keys, and which scopes a question names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
import polars as pl

from rulerank.arrays import IntArray
from rulerank.text import normalise

UNDATED = int(np.iinfo(np.int64).min)
"""The instant of a document without a timestamp."""

_WORD = re.compile(r"\w+")


SHORTEST_NAME = 3
"""The total characters that a scope's values need for a text to name the scope."""


@dataclass(frozen=True, eq=False)
class ScopeIndex:
    """The N documents of a domain by scope.

    Parameters
    ----------
    keys : tuple of str
        The scope keys.
    values : list of tuples of str
        The values of each scope, in the order of `keys`; numbered by their first document.
    of : array of shape (N,)
        Number of each document's scope, -1 if it lacks a key.

    """

    keys: tuple[str, ...]
    values: list[tuple[str, ...]]
    of: IntArray

    @cached_property
    def numbers(self) -> Mapping[tuple[str, ...], int]:
        """The number of each scope by its values."""
        return {values: number for number, values in enumerate(self.values)}

    def members(self, scope: int) -> IntArray:
        """Return the rows of a scope's documents, ascending; none for -1."""
        if scope < 0:
            return np.empty(0, np.int64)
        return self._order[self._starts[scope] : self._starts[scope + 1]]

    def given(self, scope: Mapping[str, str | None]) -> list[int]:
        """Return the scopes that agree with every key in `scope`; none if it holds none of the keys."""
        wanted = {place: scope[key] for place, key in enumerate(self.keys) if scope.get(key) is not None}
        if len(wanted) == len(self.keys):
            number = self.numbers.get(tuple(str(wanted[place]) for place in range(len(self.keys))))
            return [] if number is None else [number]
        scopes = [self._holding(place).get(str(value), frozenset()) for place, value in wanted.items()]
        return sorted(frozenset.intersection(*scopes)) if scopes else []

    def named(self, question: str) -> list[int]:
        """Return the scopes all of whose values occur in `question` as whole words, by number.

        A scope of fewer than `SHORTEST_NAME` characters in all is never named: "us" occurs in too many texts.
        """
        words = _words(question)
        runs = {
            words[start : start + length]
            for length in range(1, self._longest + 1)
            for start in range(len(words) - length + 1)
        }
        mentioned = [
            sorted({value for run in runs for value in spoken.get(run, ())}) for spoken in self._spoken
        ]
        long = (values for values in product(*mentioned) if sum(map(len, values)) >= SHORTEST_NAME)
        numbers = (self.numbers.get(values) for values in long)
        return sorted(number for number in numbers if number is not None)

    @cached_property
    def _order(self) -> IntArray:
        return np.argsort(self.of, kind="stable")

    @cached_property
    def _starts(self) -> IntArray:
        return np.searchsorted(self.of[self._order], np.arange(len(self.values) + 1))

    @cached_property
    def _spoken(self) -> list[dict[tuple[str, ...], list[str]]]:
        """For each key, its values by their words."""
        spoken: list[dict[tuple[str, ...], list[str]]] = []
        for place in range(len(self.keys)):
            by_words: dict[tuple[str, ...], list[str]] = {}
            for value in dict.fromkeys(values[place] for values in self.values):
                by_words.setdefault(_words(value), []).append(value)
            spoken.append(by_words)
        return spoken

    @cached_property
    def _longest(self) -> int:
        return max((len(words) for spoken in self._spoken for words in spoken), default=0)

    def _holding(self, place: int) -> Mapping[str, frozenset[int]]:
        holding: dict[str, list[int]] = {}
        for number, values in enumerate(self.values):
            holding.setdefault(values[place], []).append(number)
        return {value: frozenset(numbers) for value, numbers in holding.items()}


def index_scopes(documents: pl.DataFrame, keys: Sequence[str]) -> ScopeIndex:
    """Give every scope of N documents a number.

    Parameters
    ----------
    documents : polars.DataFrame
        With the struct column `scope` of normalised strings; a key that no document has is null for all.
    keys : sequence of str
        Two documents share a scope if they have the same values of all of them.

    """
    known = {field.name for field in documents.schema["scope"].fields}  # type: ignore[attr-defined]
    columns = [
        (
            pl.col("scope").struct.field(key) if key in known else pl.repeat(None, pl.len(), dtype=pl.String)
        ).alias(f"{place}")
        for place, key in enumerate(keys)
    ]
    values = documents.select(columns)
    names = values.columns
    scopes = values.drop_nulls().unique(maintain_order=True).with_row_index("number")
    numbered = values.join(scopes, on=names, how="left", maintain_order="left")
    numbers = numbered["number"].cast(pl.Int64).fill_null(-1).to_numpy()
    return ScopeIndex(tuple(keys), scopes.drop("number").rows(), numbers)


def instants(times: pl.Series) -> IntArray:
    """Return timestamps as integers, `UNDATED` for missing ones: undated documents sort as the oldest."""
    return times.cast(pl.Int64).fill_null(UNDATED).to_numpy()


def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(normalise(text)))
