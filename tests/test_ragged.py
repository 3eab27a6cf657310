from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulerank.arrays import load_arrays, save_arrays
from rulerank.ragged import Ragged, collected, ragged_from, transposed
from rulerank.sparse import as_matrix

Lists = list[dict[int, int]]

WIDTH = 5
LISTS = st.lists(st.dictionaries(st.integers(0, WIDTH - 1), st.integers(1, 9), max_size=WIDTH), max_size=6)


def _ragged(lists: Lists) -> Ragged:
    cells = [(row, item, weight) for row, each in enumerate(lists) for item, weight in each.items()]
    owners, items, weights = np.array(cells, np.int64).reshape(-1, 3).T
    return collected(owners, items, len(lists), weights.astype(np.float32))


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
    np.testing.assert_array_equal(as_matrix(held, WIDTH).toarray(), _matrix(lists))
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
    np.testing.assert_array_equal(as_matrix(held, len(lists)).toarray(), _matrix(lists).T)
    assert _listed(transposed(held, len(lists))) == lists


def test_items_given_out_of_order_and_again_are_one_ascending() -> None:
    owners, items = np.array([2, 0, 2, 0, 2]), np.array([4, 3, 0, 3, 4])
    lists = collected(owners, items, 4, np.array([1, 2, 3, 4, 5], np.float32))
    assert (lists.sizes.tolist(), lists.items.tolist()) == ([1, 0, 2, 0], [3, 0, 4])
    assert lists.weights.tolist() == [2, 3, 1]
    assert collected(owners, items, 4).weights.tolist() == [1, 1, 1]


@given(LISTS, st.data())
def test_where_keeps_entries_and_lists(lists: Lists, data: st.DataObject) -> None:
    held = _ragged(lists)
    kept = np.array(
        data.draw(st.lists(st.booleans(), min_size=len(held.items), max_size=len(held.items))), bool
    )
    expected: Lists = [{} for _ in lists]
    for owner, item, weight in zip(held.owners[kept], held.items[kept], held.weights[kept], strict=True):
        expected[owner][int(item)] = float(weight)
    assert _listed(held.where(kept)) == expected


@given(LISTS)
def test_sums_are_the_product_with_the_matrix_whatever_the_other_lists(lists: Lists) -> None:
    values = np.random.default_rng(3).standard_normal((WIDTH, 2)).astype(np.float32)
    sums = _ragged(lists).sums(values)
    np.testing.assert_allclose(sums, _matrix(lists) @ values, atol=1e-5)
    for row, each in enumerate(lists):
        assert np.array_equal(_ragged([each]).sums(values)[0], sums[row])


def test_many_entries_are_transposed_part_by_part(monkeypatch: pytest.MonkeyPatch) -> None:
    lists = _ragged([{0: 1, 3: 2}, {}, {0: 3, 1: 4, 3: 5}, {3: 6}])
    monkeypatch.setattr("rulerank.ragged._AT_ONCE", 2)
    assert _listed(transposed(lists, WIDTH)) == [{0: 1, 2: 3}, {2: 4}, {}, {0: 2, 2: 5, 3: 6}, {}]


@pytest.mark.parametrize("lists", [[], [{}], [{0: 1}, {}, {4: 2, 1: 3}]])
def test_lists_can_be_saved_and_loaded(lists: Lists, tmp_path: Path) -> None:
    save_arrays(tmp_path / "lists", {**_ragged(lists).arrays("one"), **_ragged([{2: 5}]).arrays("other")})
    arrays = load_arrays(tmp_path / "lists")
    assert _listed(ragged_from(arrays, "one")) == lists
    assert _listed(ragged_from(arrays, "other")) == [{2: 5}]
