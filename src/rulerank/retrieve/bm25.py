"""Okapi BM25 as one sparse matrix of term weights, made by either of two libraries.

score(q, p) = sum over the terms t of q of idf(t) tf(t, p) / (tf(t, p) + k1 (1 - b + b |p| / mean |p|)),
idf(t) = ln(1 + (N - df(t) + 0.5) / (df(t) + 0.5))

(Robertson and Zaragoza 2009, eq. 3.15, with the idf of Lucene, which is never negative and without the
constant factor k1 + 1, which changes no order.) Scoring a batch of queries is one sparse product.

bm25s is the default backend: it builds the matrix in array code, some fifty times faster than rank-bm25,
which walks Python dictionaries. The two agree to float32 precision.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import bm25s
import numpy as np
from scipy import sparse

from rulerank.arrays import FloatArray
from rulerank.settings import Bm25

Tokens = Sequence[Sequence[str]]


@dataclass(frozen=True)
class Bm25Index:
    """Term weights of every passage.

    Parameters
    ----------
    vocabulary : mapping of str to int
        Row of each term in `weights`.
    weights : scipy.sparse.csr_array of shape (terms, passages), float32
        What one occurrence of a term in the query adds to a passage's score.

    """

    vocabulary: Mapping[str, int]
    weights: sparse.csr_array

    def scores(self, queries: Tokens) -> FloatArray:
        """Return the score of every passage, shape (queries, passages)."""
        scores: FloatArray = (count_terms(queries, self.vocabulary) @ self.weights).toarray()
        return scores


def build_bm25(passages: Tokens, settings: Bm25) -> Bm25Index:
    """Index analysed passages with the backend that `settings` names."""
    vocabulary = {
        term: row for row, term in enumerate(sorted({term for terms in passages for term in terms}))
    }
    if not vocabulary:
        return Bm25Index({}, count_terms(passages, {}).T.tocsr())
    weights = BACKENDS[settings.backend](passages, vocabulary, settings)
    return Bm25Index(vocabulary, weights)


def count_terms(texts: Tokens, vocabulary: Mapping[str, int]) -> sparse.csr_array:
    """Count the known terms of each text, shape (texts, terms); unknown terms are left out."""
    rows = [[vocabulary[term] for term in terms if term in vocabulary] for terms in texts]
    starts = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
    columns = np.fromiter((column for row in rows for column in row), np.int64, int(starts[-1]))
    counts = sparse.csr_array(
        (np.ones(len(columns), np.float32), columns, starts), shape=(len(texts), len(vocabulary))
    )
    counts.sum_duplicates()
    return counts


def _bm25s_weights(passages: Tokens, vocabulary: Mapping[str, int], settings: Bm25) -> sparse.csr_array:
    index = bm25s.BM25(k1=settings.k1, b=settings.b, method="lucene")
    columns = [[vocabulary[term] for term in terms] for terms in passages]
    index.index((columns, dict(vocabulary)), create_empty_token=False, show_progress=False)
    stored = index.scores
    by_term = sparse.csc_array(
        (stored["data"], stored["indices"], stored["indptr"]), shape=(len(passages), len(vocabulary))
    )
    return sparse.csr_array(by_term.T)


def _rank_bm25_weights(passages: Tokens, vocabulary: Mapping[str, int], settings: Bm25) -> sparse.csr_array:
    from rank_bm25 import BM25Okapi

    class LuceneBm25(BM25Okapi):  # type: ignore[misc]
        """BM25Okapi whose idf is Lucene's: its own is zero or less for a term in half the passages."""

        def _calc_idf(self, document_counts: Mapping[str, int]) -> None:
            for term, count in document_counts.items():
                self.idf[term] = float(np.log1p((self.corpus_size - count + 0.5) / (count + 0.5)))

    index = LuceneBm25([list(terms) for terms in passages], k1=settings.k1, b=settings.b)
    scale = settings.k1 + 1
    # A passage without the term is 0 / 0 where k1 is 0, or b is 1 and the passage empty.
    with np.errstate(invalid="ignore"):
        scores = (np.nan_to_num(index.get_scores([term]) / scale) for term in vocabulary)
        rows = [sparse.csr_array(score.astype(np.float32)[None, :]) for score in scores]
    return sparse.csr_array(sparse.vstack(rows))


BACKENDS: Mapping[str, Callable[[Tokens, Mapping[str, int], Bm25], sparse.csr_array]] = {
    "bm25s": _bm25s_weights,
    "rank_bm25": _rank_bm25_weights,
}
