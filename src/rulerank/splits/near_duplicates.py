"""Near-duplicate texts, found by the cosine of their TF-IDF vectors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain, compress

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import sparse

from rulerank.text import analyse, normalise

_BLOCK = 1000
# Cosines are sums of rounded products: texts with equal terms may fall slightly short of 1.
_ROUNDING = 1e-9


def near_duplicates(
    texts: Sequence[str], threshold: float, counted: Sequence[bool] | None = None
) -> NDArray[np.int64]:
    """Find the pairs of near-duplicate texts.

    Two texts are near-duplicates if they are equal after `normalise`, or if the cosine of their TF-IDF
    vectors (stems of `analyse`, raw counts, idf(t) = ln((N + 1) / (df(t) + 1)) + 1) reaches `threshold`.

    Parameters
    ----------
    texts : sequence of str
        What is compared.
    threshold : float
        Cosine in (0, 1].
    counted : sequence of bool, optional
        Whether each text counts in N, the number of texts, and df, how many hold a term; by default all do.

    Returns
    -------
    ndarray of int64, shape (pairs, 2)
        Indices i < j into `texts`, sorted, each pair once.

    """
    vectors = _tfidf(texts, counted)
    telling = _telling(vectors, threshold)
    transposed = telling.T.tocsr()
    pairs = [_equal_pairs(texts)]
    for start in range(0, len(texts), _BLOCK):
        sharing = (telling[start : start + _BLOCK] @ transposed).tocoo()
        left, right = sharing.row.astype(np.int64) + start, sharing.col.astype(np.int64)
        left, right = left[left < right], right[left < right]
        cosines = np.asarray(vectors[left].multiply(vectors[right]).sum(axis=1)).ravel()
        pairs.append(np.column_stack([left, right])[cosines >= threshold - _ROUNDING])
    return np.unique(np.concatenate(pairs), axis=0)


def _tfidf(texts: Sequence[str], counted: Sequence[bool] | None) -> sparse.csr_array:
    """Return unit TF-IDF vectors, one row per text, with the rarest terms in the first columns."""
    terms = analyse(texts)
    distinct = [dict.fromkeys(each) for each in terms]
    frequency = Counter(chain.from_iterable(distinct))
    vocabulary = {
        term: column for column, term in enumerate(sorted(frequency, key=lambda term: frequency[term]))
    }
    columns = np.array([vocabulary[term] for term in chain.from_iterable(terms)], dtype=np.int64)
    ends = np.cumsum([0, *map(len, terms)])
    counts = sparse.csr_array((np.ones(len(columns)), columns, ends), shape=(len(texts), len(vocabulary)))
    counts.sum_duplicates()
    among = distinct if counted is None else list(compress(distinct, counted))
    holding = Counter(chain.from_iterable(among))
    idf = np.log((len(among) + 1) / (np.array([holding[term] for term in vocabulary]) + 1)) + 1
    counts.data *= idf[counts.indices]
    norms = np.sqrt(np.asarray(counts.multiply(counts).sum(axis=1))).ravel()
    counts.data /= np.repeat(norms, np.diff(counts.indptr))
    return counts


def _telling(vectors: sparse.csr_array, threshold: float) -> sparse.csr_array:
    """Keep the rare terms of each unit vector, one of which it shares with every vector within the threshold.

    The product with another unit vector is at most the norm of the part starting from their first common
    term. If that norm is below the threshold, this common term comes one too late (prefix filtering;
    Bayardo, Ma and Srikant 2007, section 4).
    """
    squares = np.append(vectors.data**2, 0.0)
    remaining = np.cumsum(squares[::-1])[::-1]
    after = np.repeat(remaining[vectors.indptr[1:]], np.diff(vectors.indptr))
    telling = vectors.copy()
    telling.data = (remaining[:-1] - after >= threshold**2 - _ROUNDING).astype(float)
    telling.eliminate_zeros()
    return telling


def _equal_pairs(texts: Sequence[str]) -> NDArray[np.int64]:
    rows = pl.DataFrame({"text": [normalise(text) for text in texts]}, schema={"text": pl.String})
    rows = rows.with_row_index("row").filter(pl.col("text").is_duplicated())
    pairs = rows.join(rows, on="text", suffix="_right").filter(pl.col("row") < pl.col("row_right"))
    return pairs.select("row", "row_right").to_numpy().astype(np.int64)
