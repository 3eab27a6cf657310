"""The feature matrix, batch by batch: the same code in training and in a running service."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rulerank.arrays import FloatArray, IntArray
from rulerank.features.index import RankingIndex
from rulerank.features.pairs import Pairs
from rulerank.features.registry import FeatureSet
from rulerank.retrieve.search import Queries, Retrieved, retrieve
from rulerank.settings import Candidates

CELLS = 1 << 21
"""Cells of a (queries, passages) matrix in one batch: bounds memory whatever the size of the corpus."""

UNSEEN = -1
"""The cluster of a question whose judgements are in no training data."""


@dataclass(frozen=True, eq=False)
class Batch:
    """Some questions with their candidates and features.

    Parameters
    ----------
    queries : Queries
        The questions.
    retrieved : Retrieved
        Their runs and candidates.
    matrix : array of shape (pairs, features), float32
        One row a candidate.

    """

    queries: Queries
    retrieved: Retrieved
    matrix: FloatArray


def extract(
    index: RankingIndex,
    queries: Queries,
    held_out: IntArray,
    features: FeatureSet,
    settings: Candidates,
) -> Iterator[Batch]:
    """Retrieve and describe the candidates of questions, in batches of bounded memory.

    Parameters
    ----------
    index : RankingIndex
        The passages.
    queries : Queries
        The questions.
    held_out : array of shape (queries,)
        The cluster of each, whose judgements stay out of its features; `UNSEEN` for none.
    features : FeatureSet
        The columns.
    settings : Candidates
        The section `candidates` of params.yaml.

    """
    size = max(1, CELLS // max(len(index), 1))
    for start in range(0, len(queries), size):
        batch = queries.slice(start, start + size)
        retrieved = retrieve(index.search, batch, settings)
        pairs = Pairs(index, batch, retrieved, held_out[start : start + size])
        yield Batch(batch, retrieved, features.compute(pairs))


def unseen(queries: Queries) -> IntArray:
    """Return `held_out` for questions that are in no training data, shape (queries,)."""
    return np.full(len(queries), UNSEEN, np.int64)
