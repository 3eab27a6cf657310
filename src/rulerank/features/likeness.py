"""How alike passages are, in meaning and in words."""

from __future__ import annotations

import numpy as np

from rulerank.arrays import FloatArray, IntArray
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
    # Other terms than those of the leaders add nothing.
    led = np.zeros(len(passages), np.bool_)
    led[leaders] = True
    number = np.full(len(bm25.idf), -1, np.int64)
    leading = np.unique(terms[led[owner]])
    number[leading] = np.arange(len(leading))
    held = np.flatnonzero(number[terms] >= 0)
    words = np.zeros((len(passages), len(leading)), np.float32)
    words[owner[held], number[terms[held]]] = weights[held]
    alike: FloatArray = words @ words[leaders].T
    return alike
