"""Exact cosines, and the nearest vectors by them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulerank.arrays import normalise_rows
from rulerank.retrieve.cosines import cosines_of, nearest
from rulerank.retrieve.quantized import QuantizedVectors

VECTORS = QuantizedVectors.of(np.array([[1, 0], [0.6, 0.8], [0, 1], [0.6, 0.8]], np.float32))
ASKED = np.array([[1, 0], [0, 1]], np.float32)


def test_each_pair_has_the_cosine_of_its_question_and_vector() -> None:
    rows, places = np.array([0, 0, 1]), np.array([3, 0, 1])
    assert cosines_of(ASKED, VECTORS, rows, places).tolist() == pytest.approx([0.6, 1, 0.8], abs=2e-3)
    nobody = np.empty(0, np.int64)
    assert cosines_of(ASKED, VECTORS, nobody, nobody).tolist() == []


def test_nearest_are_in_order_and_ties_in_that_of_the_vectors() -> None:
    found = [(places.tolist(), cosines.tolist()) for places, cosines in nearest(VECTORS, ASKED, 3)]
    assert found[0] == ([0, 1, 3], pytest.approx([1, 0.6, 0.6], abs=2e-3))
    assert found[1] == ([2, 1, 3], pytest.approx([1, 0.8, 0.8], abs=2e-3))


def test_nearest_are_sought_among_the_allowed() -> None:
    allowed = np.array([[False, True, True, False], [False, False, False, False]])
    found = [places.tolist() for places, _ in nearest(VECTORS, ASKED, 3, allowed)]
    assert found == [[1, 2], []]


@given(st.integers(0, 2**32 - 1), st.integers(1, 30), st.booleans())
def test_nearest_are_those_of_comparing_all(seed: int, depth: int, some: bool) -> None:
    generator = np.random.default_rng(seed)
    vectors, asked = (
        normalise_rows(generator.standard_normal((count, 6)).astype(np.float32)) for count in (80, 4)
    )
    allowed = generator.random((4, 80)) < 0.3 if some else np.ones((4, 80), np.bool_)
    rows, places = np.nonzero(allowed)
    rounded = QuantizedVectors.of(vectors)
    every = cosines_of(asked, rounded, rows, places)
    found = nearest(rounded, asked, depth, allowed if some else None)
    for row, (near, cosines) in enumerate(found):
        own, all_places = every[rows == row], places[rows == row]
        best = np.lexsort((all_places, -own))[:depth]
        assert near.tolist() == all_places[best].tolist()
        assert cosines.tolist() == own[best].tolist()
