from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulerank.retrieve.shared import distinct, first_passages, holders


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), max_size=12))
def test_distinct_gives_first_rows_in_order_and_the_place_of_each_row(rows: list[tuple[int, int]]) -> None:
    first, place = distinct(np.array(rows, np.float32).reshape(-1, 2))
    assert first.tolist() == [rows.index(row) for row in dict.fromkeys(rows)]
    assert [rows[first[each]] for each in place] == rows


@given(st.lists(st.integers(-1, 3), max_size=10))
def test_holders_are_the_passages_of_each_entry(place: list[int]) -> None:
    held = holders(np.array(place, np.int32), 4)
    expected = [[row for row, entry in enumerate(place) if entry == wanted] for wanted in range(4)]
    assert [held.of(entry).tolist() for entry in range(4)] == expected


def test_passages_of_entries_with_one_score_stand_in_their_own_order() -> None:
    held = holders(np.array([0, 1, -1, 0, 2, 1]), 3)
    columns, scores = first_passages(held, np.array([2, 0, 1]), np.array([9, 5, 5], np.float32), 4)
    assert columns.tolist() == [4, 0, 1, 3]
    assert scores.tolist() == pytest.approx([9, 5, 5, 5])
