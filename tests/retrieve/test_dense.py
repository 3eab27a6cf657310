from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from rulerank.arrays import FloatArray
from rulerank.errors import InputError
from rulerank.retrieve.dense import Adapter, DenseIndex, EmbeddingCache, Encoder

TEXTS = [
    "pilot",
    "must pilot fee tug",
    "",
    "규정",
    "查询 fee",
    "unknown words only",
    "fee " * 40,
    "tug pilot",
]

NUMBERS = st.floats(-2, 2, width=32)


class CountingEncoder(Encoder):
    """An encoder that remembers what it was asked."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.encoded: list[str] = []

    def encode(self, texts: list[str], kind: str) -> FloatArray:
        self.encoded.extend(texts)
        return super().encode(texts, kind)


def test_encode_gives_unit_rows_of_float32(write_encoder: Callable[..., Path]) -> None:
    encoder = Encoder(write_encoder())
    vectors = encoder.encode(TEXTS, "passage")
    assert vectors.shape == (len(TEXTS), encoder.dimension) == (8, 4)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(8), abs=1e-6)


@pytest.mark.parametrize("batch_size", [1, 3, 100])
def test_encode_of_a_batch_is_that_of_its_texts_one_by_one(
    write_encoder: Callable[..., Path], batch_size: int
) -> None:
    encoder = Encoder(write_encoder(batch_size=batch_size))
    alone = np.vstack([encoder.encode([text], "query") for text in TEXTS])
    assert encoder.encode(TEXTS, "query") == pytest.approx(alone, abs=1e-6)


def test_encode_tells_texts_apart_in_any_script(write_encoder: Callable[..., Path]) -> None:
    korean, chinese, english = Encoder(write_encoder()).encode(["규정", "查询", "pilot"], "query")
    assert not np.allclose(korean, chinese)
    assert not np.allclose(korean, english)


def test_encode_cuts_what_exceeds_max_tokens(write_encoder: Callable[..., Path]) -> None:
    encoder = Encoder(write_encoder(max_tokens=3))  # [CLS] and two words
    cut, whole, other = encoder.encode(["pilot fee tug", "pilot fee", "pilot tug"], "query")
    assert np.array_equal(cut, whole)
    assert not np.allclose(cut, other)


def test_encode_puts_the_prefix_of_the_kind_first(write_encoder: Callable[..., Path]) -> None:
    encoder = Encoder(write_encoder(prefixes={"query": "must ", "passage": ""}))
    query, passage = (encoder.encode(["pilot"], kind) for kind in ("query", "passage"))
    assert np.array_equal(query, encoder.encode(["must pilot"], "passage"))
    assert not np.allclose(query, passage)


def test_encode_of_no_text_is_empty(write_encoder: Callable[..., Path]) -> None:
    assert Encoder(write_encoder()).encode([], "query").shape == (0, 4)


def test_encoder_without_one_of_its_files_names_it(write_encoder: Callable[..., Path]) -> None:
    folder = write_encoder()
    (folder / "tokenizer.json").unlink()
    with pytest.raises(InputError, match=r"tokenizer\.json"):
        Encoder(folder)


def test_cache_encodes_each_text_once(write_encoder: Callable[..., Path], tmp_path: Path) -> None:
    encoder = CountingEncoder(write_encoder())
    cache = EmbeddingCache(tmp_path / "cache", encoder, shard=2)
    vectors = cache.encode([*TEXTS, *TEXTS], "passage")
    assert sorted(encoder.encoded) == sorted(TEXTS)
    assert np.array_equal(vectors[:8], vectors[8:])
    assert vectors[:8] == pytest.approx(Encoder.encode(encoder, TEXTS, "passage"), abs=1e-6)


def test_cache_reads_what_an_earlier_run_has_written(
    write_encoder: Callable[..., Path], tmp_path: Path
) -> None:
    encoder = CountingEncoder(write_encoder())
    first = EmbeddingCache(tmp_path / "cache", encoder).encode(TEXTS, "passage")
    encoder.encoded.clear()
    again = EmbeddingCache(tmp_path / "cache", encoder).encode([*TEXTS, "must"], "passage")
    assert encoder.encoded == ["must"]
    assert np.array_equal(first, again[:8])


def test_cache_encodes_only_the_shard_that_is_gone(
    write_encoder: Callable[..., Path], tmp_path: Path
) -> None:
    encoder = CountingEncoder(write_encoder())
    first = EmbeddingCache(tmp_path / "cache", encoder, shard=3).encode(TEXTS, "passage")
    shards = sorted((tmp_path / "cache").rglob("*.npz"))
    assert len(shards) == 3
    with np.load(shards[0]) as stored:
        lost = len(stored["keys"])
    shards[0].unlink()
    encoder.encoded.clear()
    again = EmbeddingCache(tmp_path / "cache", encoder, shard=3).encode(TEXTS, "passage")
    assert len(encoder.encoded) == lost
    assert again == pytest.approx(first, abs=1e-6)


def test_cache_keeps_queries_and_passages_apart(write_encoder: Callable[..., Path], tmp_path: Path) -> None:
    encoder = Encoder(write_encoder(prefixes={"query": "must ", "passage": ""}))
    cache = EmbeddingCache(tmp_path / "cache", encoder)
    assert not np.allclose(cache.encode(["pilot"], "query"), cache.encode(["pilot"], "passage"))


@pytest.mark.parametrize(
    "change", [{"seed": 1}, {"max_tokens": 3}, {"prefixes": {"query": "fee ", "passage": "fee "}}]
)
def test_cache_of_another_encoder_is_another(
    write_encoder: Callable[..., Path], tmp_path: Path, change: dict[str, object]
) -> None:
    texts = ["pilot fee tug"]
    EmbeddingCache(tmp_path / "cache", Encoder(write_encoder())).encode(texts, "query")
    other = Encoder(write_encoder("other", **change))
    found = EmbeddingCache(tmp_path / "cache", other).encode(texts, "query")
    assert np.array_equal(found, other.encode(texts, "query"))


def test_cache_of_no_text_is_empty(write_encoder: Callable[..., Path], tmp_path: Path) -> None:
    assert EmbeddingCache(tmp_path, Encoder(write_encoder())).encode([], "query").shape == (0, 4)


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
