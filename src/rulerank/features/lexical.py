"""Lexical features: which words of the question stand in the passage (ObliQA-MP, Table 2)."""

from __future__ import annotations

import numpy as np

from rulerank.arrays import FloatArray
from rulerank.features.pairs import Pairs
from rulerank.features.registry import feature
from rulerank.features.terms import distinct
from rulerank.text import bigrams


@feature("lexical")
def unigram_hits(pairs: Pairs) -> FloatArray:
    """Distinct terms of the question that the passage holds."""
    return pairs.unigram_hits


@feature("lexical")
def bigram_hits(pairs: Pairs) -> FloatArray:
    """Distinct adjacent term pairs of the question that the passage holds."""
    terms = distinct([bigrams(each) for each in pairs.queries.terms], pairs.index.bigrams)
    return pairs.at((terms @ pairs.index.bigrams.presence).toarray())


@feature("lexical")
def q_coverage(pairs: Pairs) -> FloatArray:
    """Share of the question's distinct terms that the passage holds; missing for a question without terms."""
    distinct_terms = pairs.of_query([len(set(terms)) for terms in pairs.queries.terms])
    return pairs.unigram_hits / _positive(distinct_terms)


@feature("lexical")
def idf_overlap_sum(pairs: Pairs) -> FloatArray:
    """Sum of ln((N + 1) / (df + 1)) + 1 over the question's distinct terms that the passage holds."""
    return pairs.idf_overlap


@feature("lexical")
def idf_coverage(pairs: Pairs) -> FloatArray:
    """Share of the idf of the question's known terms that the passage holds; missing if none is known."""
    total = pairs.unigrams @ pairs.index.unigrams.idf
    return pairs.idf_overlap / _positive(total[pairs.rows])


@feature("lexical")
def context_idf_coverage(pairs: Pairs) -> FloatArray:
    """The same share, held by the passage or its ancestors' headings; missing if none is known."""
    index = pairs.index.context
    terms = distinct(pairs.queries.terms, index)
    overlap = (terms.multiply(index.idf).tocsr() @ index.presence).toarray()
    return pairs.at(overlap) / _positive((terms @ index.idf)[pairs.rows])


@feature("lexical")
def q_len(pairs: Pairs) -> FloatArray:
    """Terms of the question."""
    return pairs.of_query([len(terms) for terms in pairs.queries.terms])


@feature("lexical")
def d_len(pairs: Pairs) -> FloatArray:
    """Terms of the passage."""
    return pairs.of_passage("length")


@feature("lexical")
def len_diff(pairs: Pairs) -> FloatArray:
    """Absolute difference of the lengths of question and passage."""
    difference: FloatArray = np.abs(q_len(pairs) - d_len(pairs))
    return difference


@feature("lexical")
def len_ratio_q_over_d(pairs: Pairs) -> FloatArray:
    """Length of the question over that of the passage; missing for a passage without terms."""
    return q_len(pairs) / _positive(d_len(pairs))


def _positive(values: FloatArray) -> FloatArray:
    """Return the values with NaN for 0, so that a division by them is missing instead of infinite."""
    return np.where(values > 0, values, np.nan).astype(np.float32)
