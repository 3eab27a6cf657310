"""Unit vectors in 8 bits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulerank.arrays import best_places, normalise_rows
from rulerank.retrieve.product import STEPS
from rulerank.retrieve.quantized import QuantizedVectors

VECTORS = np.array([[0.6, -0.8], [1, 0], [0, 0], [0.28, 0.96]], np.float32)


def test_codes_are_steps_of_the_widest_element_and_the_length_is_kept() -> None:
    rounded = QuantizedVectors.of(VECTORS)
    # .6 are 95.25 steps of .8 / 127, and .28 are 37.04 of .96 / 127.
    assert rounded.codes.tolist() == [[95, -127], [127, 0], [0, 0], [37, 127]]
    assert rounded.scale == pytest.approx([1 / np.hypot(95, 127), 1 / STEPS, 1, 1 / np.hypot(37, 127)])
    assert np.linalg.norm(rounded.numbers(), axis=1) == pytest.approx([1, 1, 0, 1])


def test_cosines_hardly_move() -> None:
    generator = np.random.default_rng(1)
    vectors, asked = (
        normalise_rows(generator.standard_normal((count, 384)).astype(np.float32)) for count in (500, 1)
    )
    moved = QuantizedVectors.of(vectors).cosines(asked[0], np.arange(500)) - vectors @ asked[0]
    # A step is some .0012 wide. An element is off by 1 / sqrt(12) of it, and so is a weighted mean of them.
    assert np.std(moved) < 5e-4


def test_vectors_are_taken_and_merged_as_they_are() -> None:
    rounded = QuantizedVectors.of(VECTORS)
    first = np.array([True, False, True])
    merged = QuantizedVectors.merged(first, rounded.take(np.array([3, 0])), rounded.take(np.array([1])))
    assert merged.numbers().tolist() == rounded.numbers()[[3, 1, 0]].tolist()


@given(st.data())
def test_all_of_the_nearest_are_near(data: st.DataObject) -> None:
    seed = data.draw(st.integers(0, 2**32 - 1))
    count, width = data.draw(st.integers(1, 200)), data.draw(st.integers(1, 40))
    depth = data.draw(st.integers(1, 20))
    generator = np.random.default_rng(seed)
    # A few directions many times over, so that many vectors are nearly as near as the last one sought.
    centres = generator.standard_normal((3, width))
    noise = data.draw(st.sampled_from([0.0, 1e-3, 0.1, 1.0]))
    drawn = centres[generator.integers(3, size=count)] + noise * generator.standard_normal((count, width))
    vectors, asked = (normalise_rows(each.astype(np.float32)) for each in (drawn, centres))
    rounded = QuantizedVectors.of(vectors)
    cosines = np.einsum("qd,vd->qv", asked.astype(np.float64), rounded.numbers())
    for exact, near in zip(cosines, rounded.possible_nearest(asked, depth), strict=True):
        assert set(best_places(exact, depth)) <= set(near.tolist())
        assert near.tolist() == sorted(near)


def test_few_vectors_besides_the_nearest_are_near() -> None:
    generator = np.random.default_rng(0)
    vectors, asked = (
        normalise_rows(generator.standard_normal((count, 64)).astype(np.float32)) for count in (5000, 10)
    )
    assert max(len(near) for near in QuantizedVectors.of(vectors).possible_nearest(asked, 50)) < 200


def test_many_questions_are_compared_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(0)
    vectors, asked = (
        normalise_rows(generator.standard_normal((count, 8)).astype(np.float32)) for count in (90, 7)
    )
    rounded = QuantizedVectors.of(vectors)
    at_once = list(rounded.possible_nearest(asked, 3))
    monkeypatch.setattr("rulerank.retrieve.quantized.CELLS", 180)
    in_parts = list(rounded.possible_nearest(asked, 3))
    assert [each.tolist() for each in in_parts] == [each.tolist() for each in at_once]


def test_many_vectors_are_laid_out_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(0)
    vectors, asked = (
        normalise_rows(generator.standard_normal((count, 8)).astype(np.float32)) for count in (90, 7)
    )
    at_once = list(QuantizedVectors.of(vectors).possible_nearest(asked, 3))
    monkeypatch.setattr("rulerank.retrieve.quantized.LAID_OUT", 40)
    in_parts = list(QuantizedVectors.of(vectors).possible_nearest(asked, 3))
    assert [each.tolist() for each in in_parts] == [each.tolist() for each in at_once]


def test_nothing_is_near_where_there_are_no_vectors() -> None:
    (near,) = QuantizedVectors.of(np.empty((0, 4), np.float32)).possible_nearest(
        np.ones((1, 4), np.float32) / 2, 5
    )
    assert len(near) == 0
