"""Which passage holds which term."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from rulerank.arrays import FloatArray
from rulerank.retrieve.bm25 import Bm25Index, Tokens, count_terms


@dataclass(frozen=True, eq=False)
class TermIndex:
    """The distinct terms of N passages.

    Parameters
    ----------
    vocabulary : mapping of str to int
        Row of each term.
    presence : csr_array of shape (terms, N), float32
        1 where the passage holds the term.

    """

    vocabulary: Mapping[str, int]
    presence: sparse.csr_array

    @cached_property
    def idf(self) -> FloatArray:
        """ln((N + 1) / (df + 1)) + 1 of each term (ObliQA-MP, Table 2), shape (terms,)."""
        frequency = np.diff(self.presence.indptr)
        return (np.log((self.presence.shape[1] + 1) / (frequency + 1)) + 1).astype(np.float32)

    @cached_property
    def held(self) -> sparse.csr_array:
        """1 where a passage holds a term, shape (N, terms)."""
        return sparse.csr_array(self.presence.T)

    @cached_property
    def vectors(self) -> sparse.csr_array:
        """The passages as the idf of their distinct terms, scaled to unit length, shape (N, terms)."""
        weighted = sparse.csr_array(self.held.multiply(self.idf[None, :]))
        lengths = np.sqrt(np.asarray(weighted.multiply(weighted).sum(axis=1))).ravel()
        weighted.data /= np.repeat(lengths, np.diff(weighted.indptr)).astype(np.float32)
        return weighted


def build_terms(passages: Tokens) -> TermIndex:
    """Index the distinct terms of analysed passages."""
    vocabulary = {
        term: row for row, term in enumerate(sorted({term for terms in passages for term in terms}))
    }
    presence = sparse.csr_array(count_terms(passages, vocabulary).T)
    presence.data[:] = 1
    return TermIndex(vocabulary, presence)


def indexed_terms(index: Bm25Index) -> TermIndex:
    """Return the terms that a BM25 index holds; its weights are above 0 just where a passage has the term."""
    weights = index.weights
    presence = sparse.csr_array(
        (np.ones_like(weights.data), weights.indices, weights.indptr), shape=weights.shape
    )
    return TermIndex(index.vocabulary, presence)


def distinct(texts: Tokens, index: TermIndex) -> sparse.csr_array:
    """Return the distinct known terms of each text as ones, shape (texts, terms)."""
    counts = count_terms(texts, index.vocabulary)
    counts.data[:] = 1
    return counts
