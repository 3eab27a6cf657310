from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from rulerank.arrays import FloatArray
from rulerank.retrieve.dense import Adapter, DenseIndex
from rulerank.retrieve.latent import LatentSpace, beside

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


def test_dense_scores_are_the_cosines_of_the_adapted() -> None:
    # W sends the second axis to the first, V does nothing: (0, 1) + (1, 0) -> (1, 1) / sqrt 2.
    adapter = Adapter(np.array([[0, 0], [1, 0]], np.float32), np.zeros((2, 2), np.float32))
    index = DenseIndex(np.array([[1, 0], [0, 1], [0.6, 0.8]], np.float32), adapter)
    scores = index.scores(np.array([[0, 1]], np.float32))
    assert scores == pytest.approx(np.array([[1, 1, 1.4]]) / np.sqrt(2), abs=1e-6)


@pytest.mark.parametrize("queries", [1, 3, 7])
def test_dense_scores_of_equal_passages_are_equal_in_any_batch(queries: int) -> None:
    random = np.random.default_rng(5)
    distinct = random.normal(size=(40, 48)).astype(np.float32)
    rows = random.integers(40, size=333)
    adapter = Adapter(*(0.1 * random.normal(size=(2, 48, 48)).astype(np.float32)))
    scores = DenseIndex(distinct[rows], adapter).scores(random.normal(size=(queries, 48)).astype(np.float32))
    for row in range(40):
        assert len(np.unique(scores[:, rows == row], axis=1).T) == 1


def test_encoders_part_of_an_embedding_is_what_the_encoder_made() -> None:
    space = LatentSpace({"fee": 0}, np.array([[2, 0, 0]], np.float32))
    encoded = np.array([[0.6, 0.8], [1, 0]], np.float32)
    # The second text has no known term, so that its embedding is the encoder's alone.
    passages = beside(encoded, ["a fee", "zebra"], space)
    index = DenseIndex(passages, Adapter(*np.zeros((2, 5, 5), np.float32)), space)
    assert index.encoded == pytest.approx(encoded, abs=1e-6)
    assert index.of_encoder(passages[:1]) == pytest.approx(encoded[:1], abs=1e-6)
    alone = DenseIndex(encoded, Adapter(*np.zeros((2, 2, 2), np.float32)))
    assert alone.encoded == pytest.approx(encoded, abs=1e-6)
