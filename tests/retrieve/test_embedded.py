from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from rulerank.arrays import FloatArray
from rulerank.retrieve.embedded import Adapter

NUMBERS = st.floats(-2, 2, width=32)


@given(arrays(np.float32, (3, 3), elements=NUMBERS), arrays(np.float32, (3, 3), elements=NUMBERS))
def test_adapter_keeps_unit_length(query: FloatArray, passage: FloatArray) -> None:
    adapter = Adapter(query, passage)
    vectors = np.eye(3, dtype=np.float32)
    for adapted in (adapter.queries(vectors), adapter.passages(vectors)):
        lengths = np.linalg.norm(adapted, axis=1)
        assert np.all(np.isclose(lengths, 1, atol=1e-5) | (lengths == 0))


def test_adapter_of_zeros_is_the_identity() -> None:
    zeros = np.zeros((4, 4), np.float32)
    vectors = np.eye(4, dtype=np.float32)[[2, 0]]
    adapter = Adapter(zeros, zeros)
    assert np.array_equal(adapter.queries(vectors), vectors)
    assert np.array_equal(adapter.passages(vectors), vectors)
