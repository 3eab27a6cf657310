from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from rulerank.arrays import load_arrays, save_arrays
from rulerank.ragged import Ragged, ragged, ragged_from, transposed

Lists = list[dict[int, int]]

WIDTH = 5
LISTS = st.lists(st.dictionaries(st.integers(0, WIDTH - 1), st.integers(1, 9), max_size=WIDTH), max_size=6)


def _ragged(lists: Lists) -> Ragged:
    return ragged(sparse.csr_array(_matrix(lists)))


def _matrix(lists: Lists) -> np.ndarray:
    matrix = np.zeros((len(lists), WIDTH), np.float32)
    for row, weights in enumerate(lists):
        matrix[row, list(weights)] = list(weights.values())
    return matrix


def _listed(lists: Ragged) -> Lists:
    owner, items, weights = lists.take(np.arange(len(lists)))
    found: Lists = [{} for _ in range(len(lists))]
    for row, item, weight in zip(owner.tolist(), items.tolist(), weights.tolist(), strict=True):
        found[row][item] = weight
    return found


@given(LISTS)
def test_lists_are_the_rows_of_the_matrix(lists: Lists) -> None:
    held = _ragged(lists)
    assert len(held) == len(lists)
    assert held.sizes.tolist() == [len(each) for each in lists]
    assert [held.of(row).tolist() for row in range(len(lists))] == [sorted(each) for each in lists]
    assert _listed(held) == lists
    np.testing.assert_array_equal(held.matrix(WIDTH).toarray(), _matrix(lists))
    assert held.items.dtype == np.int32
    assert held.weights.dtype == np.float32


@given(LISTS.filter(bool), st.data())
def test_take_gives_lists_in_any_order_and_again(lists: Lists, data: st.DataObject) -> None:
    rows = data.draw(st.lists(st.integers(0, len(lists) - 1), max_size=8))
    owner, items, weights = _ragged(lists).take(np.array(rows, np.int64))
    expected = [
        (place, item, lists[row][item]) for place, row in enumerate(rows) for item in sorted(lists[row])
    ]
    assert list(zip(owner.tolist(), items.tolist(), weights.tolist(), strict=True)) == expected


def test_places_say_where_the_entries_stand() -> None:
    lists = Ragged(np.array([0, 2, 2, 5]), np.array([7, 3, 4, 1, 9], np.int32), np.ones(5, np.float32))
    owner, places = lists.places(np.array([2, 1, 0, 2]))
    assert owner.tolist() == [0, 0, 0, 2, 2, 3, 3, 3]
    assert places.tolist() == [2, 3, 4, 0, 1, 2, 3, 4]


@given(LISTS.filter(lambda lists: len(lists) <= WIDTH), st.data())
def test_among_gives_what_some_lists_hold_of_each_other(lists: Lists, data: st.DataObject) -> None:
    rows = np.array(data.draw(st.permutations(range(len(lists)))), np.int64)[: data.draw(st.integers(0, 4))]
    assert np.array_equal(_ragged(lists).among(rows), _matrix(lists)[rows][:, rows])


@given(LISTS)
def test_transposed_lists_are_those_of_the_transposed_matrix(lists: Lists) -> None:
    held = transposed(_ragged(lists), WIDTH)
    np.testing.assert_array_equal(held.matrix(len(lists)).toarray(), _matrix(lists).T)
    assert _listed(transposed(held, len(lists))) == lists


def test_items_of_an_unsorted_matrix_stand_in_order() -> None:
    matrix = sparse.csr_array((np.array([1.0, 2, 3]), np.array([4, 0, 2]), np.array([0, 3])), shape=(1, 5))
    lists = ragged(matrix)
    assert lists.items.tolist() == [0, 2, 4]
    assert lists.weights.tolist() == [2, 3, 1]


@pytest.mark.parametrize("lists", [[], [{}], [{0: 1}, {}, {4: 2, 1: 3}]])
def test_lists_can_be_saved_and_loaded(lists: Lists, tmp_path: Path) -> None:
    save_arrays(tmp_path / "lists", {**_ragged(lists).arrays("one"), **_ragged([{2: 5}]).arrays("other")})
    arrays = load_arrays(tmp_path / "lists")
    assert _listed(ragged_from(arrays, "one")) == lists
    assert _listed(ragged_from(arrays, "other")) == [{2: 5}]
