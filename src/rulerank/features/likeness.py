"""How alike passages are, in meaning and in words."""

from __future__ import annotations

import numpy as np

from rulerank.arrays import FloatArray, IntArray, product
from rulerank.features.index import RankingIndex


def likeness_in_meaning(index: RankingIndex, passages: IntArray, leaders: IntArray) -> FloatArray:
    """Return cosines of the pretrained embeddings without the adapter, shape (passages, leaders).

    Parameters
    ----------
    index : RankingIndex
        Everything known about the passages.
    passages : int array of shape (passages,)
        Rows of the passages.
    leaders : int array of shape (leaders,)
        Places among `passages`.

    """
    vectors = index.dense.pretrained.take(index.dense.place[passages]).numbers()
    return product(vectors, vectors[leaders].T)


def likeness_in_words(index: RankingIndex, passages: IntArray, leaders: IntArray) -> FloatArray:
    """Return cosines of the idf-weighted terms, shape (passages, leaders).

    Parameters
    ----------
    index, passages, leaders
        As for `likeness_in_meaning`.

    """
    bm25 = index.bm25
    _, led = bm25.holdings.places(passages[leaders])
    # Other terms than those of the leaders add nothing.
    terms = np.unique(bm25.holdings.items[led])
    owner, term, _ = bm25.matching_entries(passages, terms, bm25.scratch())
    words = np.zeros((len(passages), len(terms)), np.float32)
    words[owner, term] = bm25.idf[terms[term]] / index.around.lengths[passages[owner]]
    return product(words, words[leaders].T)
