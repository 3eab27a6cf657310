"""Exact cosines of questions and vectors, pair by pair, and the nearest vectors by them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rulerank.arrays import BoolArray, FloatArray, IntArray, best_places, starts_of
from rulerank.retrieve.rounded import Rounded


def cosines_of(asked: FloatArray, vectors: FloatArray, rows: IntArray, places: IntArray) -> FloatArray:
    """Return the cosines of given pairs, shape (pairs,).

    Parameters
    ----------
    asked, vectors : arrays of shape (questions, width) and (D, width)
        Unit rows.
    rows, places : int arrays of shape (pairs,)
        Question and vector of each pair, question by question.

    """
    cosines = np.empty(len(rows), np.float32)
    bounds = starts_of(rows, len(asked))
    for row, question in enumerate(asked):
        pairs = slice(bounds[row], bounds[row + 1])
        cosines[pairs] = _to_each(question, vectors, places[pairs])
    return cosines


def nearest(
    vectors: FloatArray, rounded: Rounded, asked: FloatArray, depth: int, allowed: BoolArray | None = None
) -> Iterator[tuple[IntArray, FloatArray]]:
    """Yield the places of each question's nearest vectors, best first, and their cosines.

    Parameters
    ----------
    vectors : array of shape (D, width)
        Unit rows.
    rounded : Rounded
        The same in 8 bits.
    asked, depth, allowed
        As for `Rounded.near`.

    """
    for question, near in zip(asked, rounded.near(asked, depth, allowed), strict=True):
        cosines = _to_each(question, vectors, near)
        best = best_places(cosines, depth)
        yield near[best], cosines[best]


def _to_each(question: FloatArray, vectors: FloatArray, places: IntArray) -> FloatArray:
    """Return the cosines of one question and the vectors at some places."""
    # Unlike a matrix product, this sum gives equal vectors equal results wherever they are.
    cosines: FloatArray = np.vecdot(vectors.take(places, axis=0), question)
    return cosines
