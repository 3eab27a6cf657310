from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from threadpoolctl import threadpool_limits

from rulerank.arrays import (
    FloatArray,
    IntArray,
    best_columns,
    best_places,
    load_arrays,
    normalise_rows,
    order_by_score,
    product,
    save_arrays,
    starts_of,
)
from rulerank.errors import InputError


def _matrices() -> st.SearchStrategy[FloatArray]:
    """Few distinct values, so ties are common."""
    shapes = array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=12)
    return arrays(np.float32, shapes, elements=st.sampled_from([-np.inf, -1.0, 0.0, 0.5, 2.0]))


@pytest.mark.parametrize(
    ("rows", "width", "columns"), [(200, 384, 10), (1, 384, 7), (0, 3, 2), (5, 0, 2), (9, 4, 0)]
)
def test_product_is_the_product_and_the_same_for_any_number_of_threads(
    rows: int, width: int, columns: int
) -> None:
    random = np.random.default_rng(7)
    left, right = (random.random(shape, np.float32) for shape in ((rows, width), (width, columns)))
    with threadpool_limits(1, "blas"):
        alone = product(left, right)
    with threadpool_limits(2, "blas"):
        np.testing.assert_array_equal(product(left, right), alone)
    np.testing.assert_allclose(alone, left.astype(np.float64) @ right.astype(np.float64), rtol=1e-5)


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


SCORES = st.one_of(
    st.floats(width=32, allow_nan=True),
    st.sampled_from([np.nan, -np.nan, 0.0, -0.0, np.inf, -np.inf, 1.0, 1e-45, -1e-45]),
)
ENTRIES = st.lists(st.tuples(st.integers(0, 5), SCORES), max_size=30)


def _by_keys(rows: IntArray, scores: FloatArray) -> list[int]:
    return np.lexsort((-scores, np.isnan(scores), rows)).tolist()


@given(ENTRIES)
def test_order_by_score_is_that_of_a_stable_sort_by_keys(entries: list[tuple[int, float]]) -> None:
    entries = sorted(entries, key=lambda entry: entry[0])
    rows = np.array([row for row, _ in entries], np.int64)
    scores = np.array([score for _, score in entries], np.float32)
    assert order_by_score(rows, scores).tolist() == _by_keys(rows, scores)


@pytest.mark.parametrize(("groups", "size"), [(1, 65_536), (1, 70_000), (70_000, 1), (3, 66_000)])
def test_order_by_score_of_many_entries(groups: int, size: int) -> None:
    rows = np.repeat(np.arange(groups), size)
    scores = np.random.default_rng(1).integers(0, 50, len(rows)).astype(np.float32)
    scores[::97] = np.nan
    assert order_by_score(rows, scores).tolist() == _by_keys(rows, scores)


@given(st.lists(st.sampled_from([-np.inf, -1.0, -0.0, 0.0, 0.5, np.inf]), max_size=20), st.integers(0, 25))
def test_best_places_are_the_first_of_a_stable_sort(scores: list[float], depth: int) -> None:
    values = np.array(scores, np.float32)
    assert best_places(values, depth).tolist() == np.argsort(-values, kind="stable")[:depth].tolist()


def test_starts_of_counts_empty_groups() -> None:
    assert starts_of(np.array([0, 0, 2]), 4).tolist() == [0, 2, 2, 3, 3]
    assert starts_of(np.empty(0, np.int64), 2).tolist() == [0, 0, 0]


def test_loaded_arrays_are_those_saved_and_mapped_into_memory(tmp_path: Path) -> None:
    saved = {
        "some.floats": np.arange(6, dtype=np.float32).reshape(2, 3),
        "columns": np.asfortranarray(np.arange(6).reshape(2, 3)),
        "flags": np.array([True, False]),
        "nothing": np.empty((0, 384), np.float32),
        "half": np.array([0.5], np.float16),
    }
    save_arrays(tmp_path / "arrays", saved)
    loaded = load_arrays(tmp_path / "arrays")
    assert loaded.keys() == saved.keys()
    for name, values in saved.items():
        assert loaded[name].dtype == values.dtype
        np.testing.assert_array_equal(loaded[name], values)
        assert loaded[name].shape == values.shape
        assert type(loaded[name]) is np.ndarray
        assert not loaded[name].flags.writeable or not values.size


def test_missing_and_broken_arrays_are_input_errors(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected a folder of arrays, found none"):
        load_arrays(tmp_path / "nowhere")
    save_arrays(tmp_path / "arrays", {"values": np.arange(100)})
    path = tmp_path / "arrays" / "values.npy"
    whole = path.read_bytes()
    for size in (0, 50, 128, len(whole) - 8):
        path.write_bytes(whole[:size])
        with pytest.raises(InputError, match=r"values\.npy: expected an array in NumPy's format"):
            load_arrays(tmp_path / "arrays")


@pytest.mark.parametrize("rows", [4, 6, 10**12])
def test_array_of_other_bytes_than_its_header_promises_is_refused(tmp_path: Path, rows: int) -> None:
    save_arrays(tmp_path, {"five": np.arange(5)})
    path = tmp_path / "five.npy"
    promised = f"({rows},)".encode()
    content = path.read_bytes()
    dictionary = content[:128].replace(b"(5,)", promised).replace(b" " * (len(promised) - 4) + b"\n", b"\n")
    path.write_bytes(dictionary + content[128:])
    with pytest.raises(
        InputError, match=r"five\.npy: expected an array in NumPy's format: its header promises"
    ):
        load_arrays(tmp_path)
