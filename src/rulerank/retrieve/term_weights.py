"""The weights of terms in passages under BM25, computed by either of two libraries.

bm25s is the default backend. It computes the weights with array operations, about fifty times faster than
rank-bm25, which walks Python dictionaries. The two agree to float32 precision.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from rulerank.arrays import FloatArray, counted, starts_of
from rulerank.ragged import Ragged, collected
from rulerank.settings import Bm25

Terms = Sequence[Sequence[str]]
"""Analysed texts: the terms of each, in reading order."""


@dataclass(frozen=True, eq=False)
class TermWeights:
    """What one occurrence of a term in a question adds to each passage's score.

    Parameters
    ----------
    vocabulary : mapping of str to int
        Number of each of V terms, in alphabetical order.
    postings : Ragged
        For each term, the passages that contain it; each weight is above 0.
    size : int
        The number N of passages.

    """

    vocabulary: Mapping[str, int]
    postings: Ragged
    size: int

    def scores(self, queries: Terms) -> FloatArray:
        """Return the score of every passage, shape (queries, N); for small corpora only."""
        asked = count_terms(queries, self.vocabulary)
        scores = np.zeros((len(queries), self.size), np.float32)
        for row in range(len(queries)):
            own = slice(asked.starts[row], asked.starts[row + 1])
            term, passages, weights = self.postings.take(asked.items[own])
            scores[row] = np.bincount(passages, weights * asked.weights[own][term], self.size)
        return scores


def term_weights(passages: Terms, settings: Bm25) -> TermWeights:
    """Weigh the terms of analysed passages with the backend that `settings` names."""
    words = sorted({term for terms in passages for term in terms})
    vocabulary = {term: row for row, term in enumerate(words)}
    if not vocabulary:
        return TermWeights({}, collected(np.empty(0, np.int64), np.empty(0, np.int64), 0), len(passages))
    postings = BACKENDS[settings.backend](passages, vocabulary, settings)
    return TermWeights(vocabulary, postings, len(passages))


def count_terms(texts: Terms, vocabulary: Mapping[str, int]) -> Ragged:
    """Return the distinct known terms of each text, ascending, with how often each occurs."""
    rows = [[vocabulary[term] for term in terms if term in vocabulary] for terms in texts]
    owners = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
    terms = np.fromiter(chain.from_iterable(rows), np.int64, len(owners))
    cells, counts = counted(owners * max(len(vocabulary), 1) + terms)
    starts, items = starts_of(cells // max(len(vocabulary), 1), len(texts)), cells % max(len(vocabulary), 1)
    return Ragged(starts, items.astype(np.int32), counts.astype(np.float32))


def _bm25s_weights(passages: Terms, vocabulary: Mapping[str, int], settings: Bm25) -> Ragged:
    import bm25s

    index = bm25s.BM25(k1=settings.k1, b=settings.b, method="lucene")
    columns = [[vocabulary[term] for term in terms] for terms in passages]
    index.index((columns, dict(vocabulary)), create_empty_token=False, show_progress=False)
    stored = index.scores
    lists = Ragged(stored["indptr"], stored["indices"], stored["data"])
    return collected(lists.owners, lists.items.astype(np.int64), len(lists), lists.weights)


def _rank_bm25_weights(passages: Terms, vocabulary: Mapping[str, int], settings: Bm25) -> Ragged:
    from rank_bm25 import BM25Okapi

    class LuceneBm25(BM25Okapi):  # type: ignore[misc]
        """BM25Okapi with Lucene's idf; its own is zero or less for a term in half the passages."""

        def _calc_idf(self, document_counts: Mapping[str, int]) -> None:
            for term, count in document_counts.items():
                self.idf[term] = float(np.log1p((self.corpus_size - count + 0.5) / (count + 0.5)))

    index = LuceneBm25([list(terms) for terms in passages], k1=settings.k1, b=settings.b)
    scale = settings.k1 + 1
    # The score of a passage without the term is 0 / 0 if k1 is 0, or if b is 1 and the passage is empty.
    with np.errstate(invalid="ignore"):
        scores = (np.nan_to_num(index.get_scores([term]) / scale) for term in vocabulary)
        held = [(np.flatnonzero(score), score[score != 0]) for score in scores]
    terms = np.repeat(np.arange(len(held)), [len(passages) for passages, _ in held])
    places, weights = (np.concatenate(parts) for parts in zip(*held, strict=True))
    return collected(terms, places, len(vocabulary), weights)


BACKENDS: Mapping[str, Callable[[Terms, Mapping[str, int], Bm25], Ragged]] = {
    "bm25s": _bm25s_weights,
    "rank_bm25": _rank_bm25_weights,
}
