"""How alike passages are, in meaning and in words."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from rulerank.arrays import FloatArray, IntArray, starts_of
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
    vectors = index.dense.pretrained[index.dense.place[passages]]
    alike: FloatArray = vectors @ vectors[leaders].T
    return alike


def likeness_in_words(index: RankingIndex, passages: IntArray, leaders: IntArray) -> FloatArray:
    """Return cosines of the idf-weighted terms, shape (passages, leaders).

    Parameters
    ----------
    index, passages, leaders
        As for `likeness_in_meaning`.

    """
    bm25 = index.bm25
    owner, places = bm25.holdings.places(passages)
    terms = bm25.holdings.items[places]
    weights = bm25.idf[terms] / index.around.lengths[passages][owner]
    starts = starts_of(owner, len(passages))
    words = sparse.csr_array((weights, terms, starts), shape=(len(passages), len(bm25.idf)))
    leading = np.zeros((len(bm25.idf), len(leaders)), np.float32)
    for place, leader in enumerate(leaders):
        own = slice(starts[leader], starts[leader + 1])
        leading[terms[own], place] = weights[own]
    alike: FloatArray = words @ leading
    return alike
