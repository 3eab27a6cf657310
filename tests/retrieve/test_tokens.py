from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulerank.retrieve import tokens as module
from rulerank.retrieve.tokens import Tokens

SIZES = st.lists(st.integers(0, 5), min_size=1, max_size=8)


def _tokens(sizes: list[int]) -> Tokens:
    """Number the tokens: the first entry of each vector is its number."""
    starts = np.cumsum([0, *sizes])
    vectors = np.zeros((starts[-1], 2), np.float16)
    vectors[:, 0] = np.arange(1, starts[-1] + 1)
    return Tokens(vectors, starts)


def _numbers(tokens: Tokens) -> list[list[float]]:
    return [tokens.vectors[i:j, 0].tolist() for i, j in pairwise(tokens.starts)]


def test_slice_and_take_return_the_texts_of_those_rows() -> None:
    tokens = _tokens([2, 1, 3])
    assert len(tokens) == 3
    assert _numbers(tokens) == [[1, 2], [3], [4, 5, 6]]
    assert _numbers(tokens.slice(1, 3)) == [[3], [4, 5, 6]]
    assert _numbers(tokens.take(np.array([2, 0, 2]))) == [[4, 5, 6], [1, 2], [4, 5, 6]]


@given(SIZES, st.data())
def test_take_of_rows_is_their_slices_in_order(sizes: list[int], data: st.DataObject) -> None:
    tokens = _tokens(sizes)
    rows = data.draw(st.lists(st.integers(0, len(sizes) - 1), min_size=1, max_size=10))
    taken = tokens.take(np.array(rows, np.int64))
    assert _numbers(taken) == [_numbers(tokens)[row] for row in rows]
    assert taken.vectors.dtype == np.float16
    assert taken.starts.dtype.kind == "i"


def test_no_rows_are_no_texts() -> None:
    tokens = _tokens([2, 1])
    for nobody in (tokens.take(np.empty(0, np.int64)), tokens.slice(1, 1), tokens.slice(2, 2)):
        assert len(nobody) == 0
        assert nobody.starts.tolist() == [0]
        assert nobody.vectors.shape == (0, 2)


def test_mapped_is_the_product_at_unit_length() -> None:
    tokens = Tokens(np.array([[1, 0], [0, 1], [0.6, 0.8]], np.float16), np.array([0, 1, 3]))
    mapped = tokens.mapped(np.array([[3, 4, 0], [0, 0, 2]], np.float32))
    assert mapped.vectors.dtype == np.float16
    assert mapped.starts.tolist() == [0, 1, 3]
    length = np.hypot(0.6 * 5, 0.8 * 2)
    expected = [[0.6, 0.8, 0], [0, 0, 1], [1.8 / length, 2.4 / length, 1.6 / length]]
    np.testing.assert_allclose(mapped.vectors, expected, atol=1e-3)


def test_mapped_in_small_blocks_is_that_in_one(monkeypatch: pytest.MonkeyPatch) -> None:
    tokens = _tokens([2, 5, 1, 3])
    matrix = np.array([[1, 2], [3, 4]], np.float32)
    whole = tokens.mapped(matrix)
    monkeypatch.setattr(module, "_BLOCK", 3)
    assert np.array_equal(tokens.mapped(matrix).vectors, whole.vectors)
    assert tokens.slice(0, 0).mapped(matrix).vectors.shape == (0, 2)
