"""The weights of terms in passages under BM25, computed by either of two libraries.

bm25s is the default backend. It computes the weights with array operations, about fifty times faster than
rank-bm25, which walks Python dictionaries. The two agree to float32 precision.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from rulerank.arrays import FloatArray
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
    matrix : csr_array of shape (V, N), float32
        Above 0 exactly where a passage contains a term.

    """

    vocabulary: Mapping[str, int]
    matrix: sparse.csr_array

    def scores(self, queries: Terms) -> FloatArray:
        """Return the score of every passage, shape (queries, N); for small corpora only."""
        scores: FloatArray = (count_terms(queries, self.vocabulary) @ self.matrix).toarray()
        return scores


def term_weights(passages: Terms, settings: Bm25) -> TermWeights:
    """Weigh the terms of analysed passages with the backend that `settings` names."""
    words = sorted({term for terms in passages for term in terms})
    vocabulary = {term: row for row, term in enumerate(words)}
    if not vocabulary:
        return TermWeights({}, count_terms(passages, {}).T.tocsr())
    return TermWeights(vocabulary, BACKENDS[settings.backend](passages, vocabulary, settings))


def count_terms(texts: Terms, vocabulary: Mapping[str, int]) -> sparse.csr_array:
    """Count the known terms of each text, shape (texts, terms); unknown terms are left out."""
    rows = [[vocabulary[term] for term in terms if term in vocabulary] for terms in texts]
    starts = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
    columns = np.fromiter((column for row in rows for column in row), np.int64, int(starts[-1]))
    counts = sparse.csr_array(
        (np.ones(len(columns), np.float32), columns, starts), shape=(len(texts), len(vocabulary))
    )
    counts.sum_duplicates()
    return counts


def _bm25s_weights(passages: Terms, vocabulary: Mapping[str, int], settings: Bm25) -> sparse.csr_array:
    import bm25s

    index = bm25s.BM25(k1=settings.k1, b=settings.b, method="lucene")
    columns = [[vocabulary[term] for term in terms] for terms in passages]
    index.index((columns, dict(vocabulary)), create_empty_token=False, show_progress=False)
    stored = index.scores
    by_term = sparse.csc_array(
        (stored["data"], stored["indices"], stored["indptr"]), shape=(len(passages), len(vocabulary))
    )
    return sparse.csr_array(by_term.T)


def _rank_bm25_weights(passages: Terms, vocabulary: Mapping[str, int], settings: Bm25) -> sparse.csr_array:
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
        rows = [sparse.csr_array(score.astype(np.float32)[None, :]) for score in scores]
    return sparse.csr_array(sparse.vstack(rows))


BACKENDS: Mapping[str, Callable[[Terms, Mapping[str, int], Bm25], sparse.csr_array]] = {
    "bm25s": _bm25s_weights,
    "rank_bm25": _rank_bm25_weights,
}
