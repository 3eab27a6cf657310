"""Lexical features: which words of the question occur in the passage (ObliQA-MP, Table 2)."""

from __future__ import annotations

import numpy as np

from rulerank.arrays import FloatArray
from rulerank.features.pairs import Pairs
from rulerank.features.registry import feature
from rulerank.features.terms import bigram_keys
from rulerank.ragged import Ragged
from rulerank.retrieve.matches import Matches


@feature("lexical")
def unigram_hits(pairs: Pairs) -> FloatArray:
    """Number of the question's distinct terms that the passage contains."""
    return pairs.matches.total(np.ones_like(pairs.matches.weights))


@feature("lexical")
def bigram_hits(pairs: Pairs) -> FloatArray:
    """Number of the question's distinct adjacent term pairs that the passage contains."""
    keys = bigram_keys(pairs.queries.terms, pairs.index.bm25.vocabulary)
    return pairs.index.around.bigrams.hits(keys, pairs.columns, pairs.starts)


@feature("lexical")
def q_coverage(pairs: Pairs) -> FloatArray:
    """Share of the question's distinct terms that the passage contains; missing without question terms."""
    distinct_terms = pairs.of_query([len(set(terms)) for terms in pairs.queries.terms])
    return unigram_hits(pairs) / _positive(distinct_terms)


@feature("lexical")
def idf_overlap_sum(pairs: Pairs) -> FloatArray:
    """Sum of ln((N + 1) / (df + 1)) + 1 over the question's distinct terms that the passage contains."""
    return _held(pairs.matches, pairs.index.bm25.idf)


@feature("lexical")
def idf_coverage(pairs: Pairs) -> FloatArray:
    """Share of the idf of the question's known terms that the passage contains; missing if none is known."""
    return _coverage(pairs, pairs.matches, pairs.index.bm25.idf)


@feature("lexical")
def context_idf_coverage(pairs: Pairs) -> FloatArray:
    """The same share, contained in the passage or its ancestors' headings; missing if none is known."""
    return _coverage(pairs, pairs.context_matches, pairs.index.bm25_context.idf)


@feature("lexical")
def q_len(pairs: Pairs) -> FloatArray:
    """Number of terms in the question."""
    return pairs.of_query([len(terms) for terms in pairs.queries.terms])


@feature("lexical")
def d_len(pairs: Pairs) -> FloatArray:
    """Number of terms in the passage."""
    return pairs.of_passage("length")


@feature("lexical")
def len_diff(pairs: Pairs) -> FloatArray:
    """Absolute difference of the lengths of question and passage."""
    difference: FloatArray = np.abs(q_len(pairs) - d_len(pairs))
    return difference


@feature("lexical")
def len_ratio_q_over_d(pairs: Pairs) -> FloatArray:
    """Length of the question divided by that of the passage; missing for a passage without terms."""
    return q_len(pairs) / _positive(d_len(pairs))


@feature("lexical")
def terms_defined(pairs: Pairs) -> FloatArray:
    """Number of the question's defined terms that the passage defines."""
    return _listed(pairs, pairs.index.around.definitions.definers)


@feature("lexical")
def terms_held(pairs: Pairs) -> FloatArray:
    """Share of the question's defined terms that the passage defines or uses; missing if it has none."""
    asked = pairs.of_query([len(terms) for terms in pairs.asked_terms])
    return _listed(pairs, pairs.index.around.definitions.holders) / _positive(asked)


def _listed(pairs: Pairs, lists: Ragged) -> FloatArray:
    """Return how many of the question's defined terms have the passage in their list."""
    definitions, width = pairs.index.around.definitions, len(pairs.index)
    return definitions.count(lists, pairs.asked_terms, pairs.rows, pairs.columns, width)


def _held(matches: Matches, idf: FloatArray) -> FloatArray:
    """Return the sum of the idf of the distinct terms that each pair shares."""
    return matches.total(idf[matches.asked.items[matches.terms]])


def _coverage(pairs: Pairs, matches: Matches, idf: FloatArray) -> FloatArray:
    """Return that sum divided by the sum over all known terms of the question."""
    known = np.bincount(matches.asked.owners, idf[matches.asked.items], len(matches.asked)).astype(np.float32)
    return _held(matches, idf) / _positive(known[pairs.rows])


def _positive(values: FloatArray) -> FloatArray:
    """Return the values with NaN for 0, so that dividing by them gives a missing value, not infinity."""
    return np.where(values > 0, values, np.nan).astype(np.float32)
