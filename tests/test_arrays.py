from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from rulerank.arrays import FloatArray, best_columns, normalise_rows


def _matrices() -> st.SearchStrategy[FloatArray]:
    """Few distinct values, so that ties are the rule."""
    shapes = array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=12)
    return arrays(np.float32, shapes, elements=st.sampled_from([-np.inf, -1.0, 0.0, 0.5, 2.0]))


def test_best_columns_stand_best_first() -> None:
    scores = np.array([[0.1, 0.9, 0.5], [3, 1, 2]], np.float32)
    assert best_columns(scores, 2).tolist() == [[1, 2], [0, 2]]


def test_best_columns_of_equal_scores_stand_in_column_order() -> None:
    scores = np.array([[1, 5, 1, 5, 0]], np.float32)
    assert best_columns(scores, 4).tolist() == [[1, 3, 0, 2]]


@pytest.mark.parametrize("depth", [3, 4, 1000])
def test_best_columns_are_no_more_than_there_are(depth: int) -> None:
    assert best_columns(np.array([[1, 3, 2]], np.float32), depth).tolist() == [[1, 2, 0]]


def test_best_columns_of_nothing() -> None:
    assert best_columns(np.empty((0, 5), np.float32), 2).shape == (0, 2)
    assert best_columns(np.empty((2, 0), np.float32), 2).shape == (2, 0)


@given(_matrices(), st.integers(1, 12))
def test_best_columns_equal_a_full_stable_sort_where_no_tie_is_cut(scores: FloatArray, depth: int) -> None:
    sorted_columns = np.argsort(-scores, axis=1, kind="stable")
    ordered = np.take_along_axis(scores, sorted_columns, axis=1)
    found = best_columns(scores, depth)
    for row in range(len(scores)):
        assert scores[row, found[row]].tolist() == ordered[row, :depth].tolist()
        if depth >= scores.shape[1] or ordered[row, depth - 1] > ordered[row, depth]:
            assert found[row].tolist() == sorted_columns[row, :depth].tolist()


@given(_matrices(), st.integers(1, 12))
def test_best_columns_of_a_row_do_not_depend_on_the_other_rows(scores: FloatArray, depth: int) -> None:
    alone = [best_columns(scores[row : row + 1].copy(), depth)[0].tolist() for row in range(len(scores))]
    assert best_columns(scores, depth).tolist() == alone


def test_best_columns_are_the_same_twice() -> None:
    scores = np.random.default_rng(1).integers(0, 5, (20, 400)).astype(np.float32)
    assert np.array_equal(best_columns(scores, 30), best_columns(scores.copy(), 30))


def test_best_columns_leave_the_scores_as_they_are() -> None:
    scores = np.array([[2, 1, 3]], np.float32)
    best_columns(scores, 1)
    assert scores.tolist() == [[2, 1, 3]]


def test_normalise_rows_gives_unit_length_and_keeps_zeros() -> None:
    found = normalise_rows(np.array([[3, 4], [0, 0]], np.float32))
    assert found.dtype == np.float32
    assert found == pytest.approx(np.array([[0.6, 0.8], [0, 0]]))
