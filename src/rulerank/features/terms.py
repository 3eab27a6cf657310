"""Adjacent term pairs of the passages, numbered by the vocabulary of their terms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rulerank.arrays import FloatArray, IntArray
from rulerank.ragged import Ragged


@dataclass(frozen=True, eq=False)
class Bigrams:
    """The distinct adjacent term pairs of N passages.

    Parameters
    ----------
    keys : int array of shape (bigrams,)
        Left term x V + right term of each, ascending; V is the number of known terms.
    postings : Ragged
        For each bigram, the passages that contain it, ascending.

    """

    keys: IntArray
    postings: Ragged

    def hits(self, asked: Sequence[IntArray], columns: IntArray, bounds: IntArray) -> FloatArray:
        """Count the distinct bigrams of questions that passages contain.

        Parameters
        ----------
        asked : sequence of int arrays
            The distinct keys of each question.
        columns : int array of shape (pairs,)
            Passages, question by question, ascending within a question.
        bounds : int array of shape (questions + 1,)
            Where each question's pairs begin, and finally where they end.

        """
        counts = np.zeros(len(columns), np.float32)
        for row, keys in enumerate(asked):
            pairs = slice(bounds[row], bounds[row + 1])
            for place in self._places(keys):
                holders = self.postings.of(place)
                near = np.minimum(np.searchsorted(holders, columns[pairs]), len(holders) - 1)
                counts[pairs] += holders[near] == columns[pairs]
        return counts

    def _places(self, keys: IntArray) -> IntArray:
        """Return the places of the bigrams with these keys; unknown keys are left out."""
        if not len(self.keys):
            return np.empty(0, np.int64)
        places = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        known: IntArray = places[self.keys[places] == keys]
        return known


def bigram_keys(texts: Sequence[Sequence[str]], vocabulary: Mapping[str, int]) -> list[IntArray]:
    """Return the distinct keys of each analysed text's adjacent pairs of known terms, ascending."""
    keys = []
    for terms in texts:
        numbers = np.array([vocabulary.get(term, -1) for term in terms], np.int64)
        left, right = numbers[:-1], numbers[1:]
        known = (left >= 0) & (right >= 0)
        keys.append(np.unique(left[known] * len(vocabulary) + right[known]))
    return keys


def build_bigrams(passages: Sequence[Sequence[str]], vocabulary: Mapping[str, int]) -> Bigrams:
    """Index the bigrams of analysed passages."""
    sizes = np.array([len(terms) for terms in passages], np.int64)
    numbers = np.fromiter((vocabulary.get(term, -1) for terms in passages for term in terms), np.int64)
    owner = np.repeat(np.arange(len(passages), dtype=np.int32), sizes)
    known = (numbers[:-1] >= 0) & (numbers[1:] >= 0) & (owner[:-1] == owner[1:])
    left, right, holders = numbers[:-1][known], numbers[1:][known], owner[:-1][known]
    # Passages are already ascending, so a stable sort by key keeps the passages of each bigram in order.
    keys = left * len(vocabulary) + right
    order = np.argsort(keys, kind="stable")
    keys, holders = keys[order], holders[order]
    first = np.diff(keys, prepend=-1) != 0
    anew = first | (np.diff(holders, prepend=-1) != 0)
    starts = np.append(np.flatnonzero(first[anew]), np.count_nonzero(anew))
    postings = Ragged(starts, holders[anew], np.ones(len(holders[anew]), np.float32))
    return Bigrams(keys[first], postings)
