"""Exact cosines of questions and vectors, pair by pair, and the nearest vectors by them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rulerank.arrays import BoolArray, FloatArray, IntArray, best_places, starts_of
from rulerank.retrieve.quantized import QuantizedVectors


def cosines_of(asked: FloatArray, vectors: QuantizedVectors, rows: IntArray, places: IntArray) -> FloatArray:
    """Return the cosines of given pairs, shape (pairs,).

    Parameters
    ----------
    asked : array of shape (questions, width)
        Unit rows.
    vectors : QuantizedVectors
        D vectors.
    rows, places : int arrays of shape (pairs,)
        Question and vector of each pair, question by question.

    """
    cosines = np.empty(len(rows), np.float32)
    bounds = starts_of(rows, len(asked))
    for row, question in enumerate(asked):
        pairs = slice(bounds[row], bounds[row + 1])
        cosines[pairs] = vectors.cosines(question, places[pairs])
    return cosines


def nearest(
    vectors: QuantizedVectors, asked: FloatArray, depth: int, allowed: BoolArray | None = None
) -> Iterator[tuple[IntArray, FloatArray]]:
    """Yield the places of each question's nearest vectors, best first, and their cosines.

    Parameters
    ----------
    vectors : QuantizedVectors
        D vectors.
    asked, depth, allowed
        As for `QuantizedVectors.possible_nearest`.

    """
    for question, near in zip(asked, vectors.possible_nearest(asked, depth, allowed), strict=True):
        cosines = vectors.cosines(question, near)
        best = best_places(cosines, depth)
        yield near[best], cosines[best]
