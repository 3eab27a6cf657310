"""Adjacent term pairs of the passages, numbered by the vocabulary of their terms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rulerank.arrays import FloatArray, IntArray, starts_of
from rulerank.ragged import Ragged


@dataclass(frozen=True, eq=False)
class Bigrams:
    """The distinct adjacent term pairs of N passages.

    Parameters
    ----------
    keys : int array of shape (bigrams,)
        Left term x V + right term of each, ascending; V terms are known.
    postings : Ragged
        For each bigram, the passages that hold it, ascending.

    """

    keys: IntArray
    postings: Ragged

    def hits(self, asked: Sequence[IntArray], columns: IntArray, bounds: IntArray) -> FloatArray:
        """Count the distinct bigrams of questions that passages hold.

        Parameters
        ----------
        asked : sequence of int arrays
            The distinct keys of each question.
        columns : int array of shape (pairs,)
            Passages, question by question, ascending within one.
        bounds : int array of shape (questions + 1,)
            Where each question's pairs begin, and at last where they end.

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
        """Return which bigrams some keys are; unknown keys are left out."""
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
    keys = bigram_keys(passages, vocabulary)
    holders = np.repeat(np.arange(len(keys)), [len(each) for each in keys])
    every = np.concatenate([np.empty(0, np.int64), *keys])
    order = np.argsort(every, kind="stable")
    distinct, numbers = np.unique(every[order], return_inverse=True)
    postings = Ragged(
        starts_of(numbers, len(distinct)), holders[order].astype(np.int32), np.ones(len(order), np.float32)
    )
    return Bigrams(distinct, postings)
