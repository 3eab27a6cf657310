"""Okapi BM25 as a sum of term weights, over a passage's own text, or with the headings above it.

score(q, p) = sum over the terms t of q of idf(t) tf(t, p) / (tf(t, p) + k1 (1 - b + b |p| / mean |p|)),
idf(t) = ln(1 + (N - df(t) + 0.5) / (df(t) + 0.5))

(Robertson and Zaragoza 2009, eq. 3.15, with the idf of Lucene, which is never negative, and without the
constant factor k1 + 1, which changes no order.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from rulerank.arrays import BoolArray, FloatArray, IntArray, best_places, load_arrays, save_arrays, starts_of
from rulerank.files import read_json, write_json
from rulerank.ragged import Ragged, ragged_from, transposed
from rulerank.retrieve.generator import Material
from rulerank.retrieve.hits import NOTHING, Found, Hits, joined
from rulerank.retrieve.matches import Matches
from rulerank.retrieve.queries import Queries
from rulerank.retrieve.term_weights import Terms, count_terms, term_weights
from rulerank.settings import Bm25 as Bm25Settings
from rulerank.settings import Candidates

VOCABULARY = "vocabulary.json"


@dataclass(frozen=True, eq=False)
class Bm25:
    """The passages' own text.

    Parameters
    ----------
    vocabulary : mapping of str to int
        Number of each of V terms.
    postings : Ragged
        For each term, the passages that contain it and what one occurrence in a question adds to their
        scores.
    holdings : Ragged
        For each of N passages, the terms that it contains, with the same weights.
    idf : array of shape (V,)
        ln((N + 1) / (df + 1)) + 1 (ObliQA-MP, Table 2), for features.

    """

    name: ClassVar[str] = "bm25"
    floor: ClassVar[float] = 0.0

    vocabulary: Mapping[str, int]
    postings: Ragged
    holdings: Ragged
    idf: FloatArray

    @classmethod
    def build(cls, material: Material, settings: Candidates) -> Self:
        """Index the passages."""
        return cls.of_terms(material.terms, material.has_text, settings.bm25)

    @classmethod
    def of_terms(cls, passages: Terms, has_text: BoolArray, settings: Bm25Settings) -> Self:
        """Index analysed passages; a heading without text counts in the statistics and is never found."""
        weighed = term_weights(passages, settings)
        frequency = weighed.postings.sizes
        idf = (np.log((len(passages) + 1) / (frequency + 1)) + 1).astype(np.float32)
        postings = weighed.postings.where(has_text[weighed.postings.items])
        return cls(weighed.vocabulary, postings, transposed(postings, len(passages)), idf)

    def __len__(self) -> int:
        return len(self.holdings)

    def counts(self, terms: Sequence[Sequence[str]]) -> Ragged:
        """Return the distinct known terms of each text, ascending, with how often each occurs."""
        return count_terms(terms, self.vocabulary)

    def asked(self, queries: Queries) -> Ragged:
        """Return the distinct known terms of each question."""
        return self.counts(queries.terms)

    def search(self, queries: Queries, depth: int, found: Found) -> Hits:  # noqa: ARG002
        """Return the first passages that share a term with each question."""
        asked = queries.once(self.asked)
        return joined([self._search(asked, row, depth) for row in range(len(queries))])

    def score(
        self,
        queries: Queries,
        rows: IntArray,
        columns: IntArray,
        found: Found = NOTHING,  # noqa: ARG002
    ) -> FloatArray:
        """Return the exact scores of given pairs; 0 if question and passage share no term."""
        asked = queries.once(self.asked)
        scores = np.zeros(len(rows), np.float32)
        bounds = starts_of(rows, len(queries))
        for row in np.unique(rows):
            pairs = slice(bounds[row], bounds[row + 1])
            scores[pairs] = self._scores(asked, row, columns[pairs])
        return scores

    def matches(self, queries: Queries, rows: IntArray, columns: IntArray) -> Matches:
        """Return which terms of its question the passage of each pair contains.

        Parameters
        ----------
        queries : Queries
            The questions.
        rows, columns : int arrays of shape (pairs,)
            Question and passage of each pair, question by question.

        """
        asked = queries.once(self.asked)
        bounds = starts_of(rows, len(queries))
        scratch = self.scratch()
        pairs, terms, weights = [np.empty(0, np.int64)], [np.empty(0, np.int64)], [np.empty(0, np.float32)]
        for row in np.unique(rows):
            own = slice(asked.starts[row], asked.starts[row + 1])
            owner, term, weight = self.matching_entries(
                columns[bounds[row] : bounds[row + 1]], asked.items[own], scratch
            )
            pairs.append(owner + bounds[row])
            terms.append(term + np.int64(own.start))
            weights.append(weight)
        return Matches(
            asked, len(rows), np.concatenate(pairs), np.concatenate(terms), np.concatenate(weights)
        )

    def scratch(self) -> NDArray[np.int32]:
        """Return an array for `matching_entries` to work in, made once for many calls."""
        return np.full(len(self.idf), -1, np.int32)

    def matching_entries(
        self, passages: IntArray, terms: NDArray[np.integer], scratch: NDArray[np.int32]
    ) -> tuple[IntArray, NDArray[np.int32], FloatArray]:
        """Return the entries of some terms in some passages, passage by passage.

        Parameters
        ----------
        passages : int array of shape (P,)
            The passages, in any order.
        terms : int array of shape (T,)
            Different terms.
        scratch : int32 array of shape (vocabulary,)
            From `scratch`; it is left as it was.

        Returns
        -------
        owner, term : int arrays of shape (entries found,)
            Which of `passages` each entry belongs to, and which of `terms` it is.
        weights : array of shape (entries found,)
            Its weights.

        """
        owner, places = self.holdings.places(passages)
        scratch[terms] = np.arange(len(terms))
        term = scratch[self.holdings.items[places]]
        scratch[terms] = -1
        found = np.flatnonzero(term >= 0)
        return owner[found], term[found], self.holdings.weights[places[found]]

    def _search(self, asked: Ragged, row: int, depth: int) -> tuple[IntArray, FloatArray]:
        """Return the first passages of one question and their scores."""
        totals = self._totals(asked, row)
        columns = np.flatnonzero(totals > self.floor)
        best = best_places(totals[columns], depth)
        return columns[best], totals[columns[best]]

    def _scores(self, asked: Ragged, row: int, columns: IntArray) -> FloatArray:
        """Return the scores of some passages for one question, by adding up whichever lists are shorter."""
        terms = asked.of(row)
        if self.postings.sizes_of(terms).sum() < self.holdings.sizes_of(columns).sum():
            totals = self._totals(asked, row)
            within = columns < len(totals)
            return np.where(within, totals[np.where(within, columns, 0)], 0).astype(np.float32)
        counts = np.zeros(len(self.idf), np.float32)
        counts[terms] = asked.weights[asked.starts[row] : asked.starts[row + 1]]
        owner, held, weights = self.holdings.take(columns)
        return np.bincount(owner, counts[held] * weights, len(columns)).astype(np.float32)

    def _totals(self, asked: Ragged, row: int) -> FloatArray:
        """Add up the postings of one question's terms, shape (last passage found + 1,)."""
        places = slice(asked.starts[row], asked.starts[row + 1])
        postings, weights = [np.empty(0, np.int32)], [np.empty(0, np.float32)]
        for term, count in zip(asked.items[places], asked.weights[places], strict=True):
            listed = slice(self.postings.starts[term], self.postings.starts[term + 1])
            postings.append(self.postings.items[listed])
            weights.append(count * self.postings.weights[listed])
        totals = np.bincount(np.concatenate(postings), np.concatenate(weights), minlength=1)
        return totals.astype(np.float32)

    def save(self, folder: Path) -> None:
        """Write the index into a new folder."""
        lists = {**self.postings.arrays("postings"), **self.holdings.arrays("holdings")}
        save_arrays(folder, {**lists, "idf": self.idf})
        write_json(folder / VOCABULARY, list(self.vocabulary))

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote."""
        arrays = load_arrays(folder)
        words = {word: row for row, word in enumerate(read_json(folder / VOCABULARY))}
        lists = ragged_from(arrays, "postings"), ragged_from(arrays, "holdings")
        return cls(words, *lists, arrays["idf"].astype(np.float32))


class ContextBm25(Bm25):
    """Each passage after its document's title and its ancestors' headings."""

    name: ClassVar[str] = "bm25_context"

    @classmethod
    def build(cls, material: Material, settings: Candidates) -> Self:
        """Index the passages with the headings above them."""
        return cls.of_terms(material.context_terms, material.has_text, settings.bm25)
