"""What a passage says in the words of questions, by a table learned from questions and their passages.

P(t | p) = sum over the terms s of p of T(t | s) P(s | p)
score(q, p) = mean over the distinct terms t of q of ln(1 + (1 - l) P(t | p) / (l P(t)))

(Berger and Lafferty 1999: retrieval as translation, smoothed by a mixture. Here it is mixed, with weight l,
with the frequency P(t) of a term in all questions, and divided by l P(t), which changes no order.) T is the
table; P(s | p) is the share of s among the terms of p by the saturated frequency of BM25. Unlike a vector,
the table keeps rare terms apart, and a term that it does not know stands for itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rulerank.arrays import FloatArray, IntArray, begins, starts_of
from rulerank.ragged import Ragged, collected
from rulerank.retrieve.bm25 import Bm25
from rulerank.retrieve.queries import Queries
from rulerank.retrieve.translation_table import TranslationTable

AT_ONCE = 256
"""Words of a question that are translated together; this bounds the memory, whatever its length."""


def lucene_idf(holders: IntArray, passages: int) -> FloatArray:
    """Return the idf of terms in the weights of BM25, from how many of the passages hold each, shape (V,)."""
    return np.log1p((passages - holders + 0.5) / (holders + 0.5)).astype(np.float32)


def masses(holdings: Ragged, holders: IntArray) -> FloatArray:
    """Return the sum of the saturated frequencies of each passage's terms, 0 for a heading, shape (N,).

    Parameters
    ----------
    holdings : Ragged
        Those of BM25 over the passages' own text.
    holders : int array of shape (V,)
        How many passages hold each term.

    """
    idf = lucene_idf(holders, len(holdings))
    saturated = holdings.weights / idf[holdings.items]
    return np.bincount(holdings.owners, saturated, len(holdings)).astype(np.float32)


@dataclass(frozen=True, eq=False)
class Shares:
    """P(s | p) of N passages, from their BM25 weights.

    Parameters
    ----------
    bm25 : Bm25
        The passages' own terms.
    masses : array of shape (N,)
        From `masses`.

    """

    bm25: Bm25
    masses: FloatArray

    @cached_property
    def idf(self) -> FloatArray:
        """The idf in the weights of BM25, by term, which dividing by it takes out."""
        return lucene_idf(self.bm25.postings.sizes, len(self.bm25))

    def of(self, passages: IntArray) -> tuple[IntArray, IntArray, FloatArray]:
        """Return owner, term and P(s | p) of the terms of some passages, passage by passage."""
        owner, terms, weights = self.bm25.holdings.take(passages)
        return owner, terms, weights / self.idf[terms] / self.masses[passages][owner]


@dataclass(frozen=True, eq=False)
class Translation:
    """N passages under a table.

    Parameters
    ----------
    table : TranslationTable
        The table.
    shares : Shares
        The terms of the passages.

    """

    table: TranslationTable
    shares: Shares

    def score(self, queries: Queries, rows: IntArray, columns: IntArray) -> FloatArray:
        """Return the scores of given pairs, shape (pairs,); 0 if the passage says no word of the question.

        Parameters
        ----------
        queries : Queries
            The questions.
        rows, columns : int arrays of shape (pairs,)
            Question and passage of each pair, question by question.

        """
        scores = np.zeros(len(rows), np.float32)
        bounds = starts_of(rows, len(queries))
        scratch = self.shares.bm25.scratch()
        for row in np.unique(rows):
            own = slice(bounds[row], bounds[row + 1])
            asked = sorted(set(queries.terms[row]))
            for start in range(0, len(asked), AT_ONCE):
                scores[own] += self._totals(asked[start : start + AT_ONCE], columns[own], scratch)
            scores[own] /= max(len(asked), 1)
        return scores

    def _totals(self, asked: list[str], columns: IntArray, scratch: NDArray[np.int32]) -> FloatArray:
        """Return the logarithms in the scores of some passages, summed over words of one question."""
        terms, meant = self._meant(asked, scratch)
        owner, own, weights = self.shares.bm25.matching_entries(columns, terms, scratch)
        totals = np.zeros(len(columns), np.float32)
        first = begins(owner)
        if len(first):
            held = weights[:, None] * meant.take(own, axis=0)
            found = np.add.reduceat(held, first, axis=0, dtype=np.float64).astype(np.float32)
            passages = owner[first]
            said = found / self.shares.masses[columns[passages], None]
            totals[passages] = np.log1p(said).sum(axis=1)
        return totals

    def _meant(self, asked: list[str], scratch: NDArray[np.int32]) -> tuple[IntArray, FloatArray]:
        """Return the terms of passages that may stand for words of a question, and how much each counts.

        Returns
        -------
        terms : int array of shape (S,)
            Their numbers in the vocabulary of BM25, each once.
        meant : array of shape (S, words)
            For each of them, its weights in `_meanings`; 0 for a word that it does not stand for.

        """
        words = np.array([self.table.words.get(word, -1) for word in asked])
        known = np.flatnonzero(words >= 0)
        owner, terms, weights = self._meanings.take(words[known])
        columns = known[owner]
        if len(known) < len(asked):
            # A word that the table does not know stands for itself, and is as rare as the rarest.
            spelled = self.shares.bm25.vocabulary
            new = np.array([word for word in np.flatnonzero(words < 0) if asked[word] in spelled], np.int64)
            own = np.array([spelled[asked[word]] for word in new], np.int64)
            rarest = np.full(len(new), self.table.frequencies.min(initial=1), np.float32)
            weights = np.concatenate([weights, self._odds(rarest) / self.shares.idf[own]])
            terms, columns = np.concatenate([terms, own]), np.concatenate([columns, new])
        places = np.arange(len(terms))
        scratch[terms] = places
        # Of the entries of a term, the last stands for it: finding them so takes less time than sorting.
        meaning = terms[scratch[terms] == places]
        scratch[meaning] = np.arange(len(meaning))
        meant = np.zeros((len(meaning), len(asked)), np.float32)
        meant[scratch[terms], columns] = weights
        scratch[meaning] = -1
        return meaning, meant

    @cached_property
    def _meanings(self) -> Ragged:
        """For each word of the table, the terms of passages that may stand for it.

        Their weights are (1 - l) T(t | s) / (l P(t)), divided by the idf of s in the weights of BM25.
        """
        sources, vocabulary = self.table.sources, self.shares.bm25.vocabulary
        places = np.array([vocabulary.get(word, -1) for word in self.table.words], np.int64)
        word, term = sources.owners, places[sources.items]
        held = term >= 0
        odds = self._odds(self.table.frequencies[word])
        weights = sources.weights[held] * odds[held] / self.shares.idf[term[held]]
        return collected(word[held], term[held], len(sources), weights)

    def _odds(self, frequencies: FloatArray) -> FloatArray:
        odds: FloatArray = (1 - self.table.smoothing) / self.table.smoothing / frequencies
        return odds
