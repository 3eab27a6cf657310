from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from rulerank.arrays import FloatArray
from rulerank.retrieve.embedding_cache import EmbeddingCache
from rulerank.retrieve.encoder import Encoder

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


class CountingEncoder(Encoder):
    """An encoder that remembers what it was asked."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.encoded: list[str] = []

    def encode(self, texts: list[str], kind: str) -> FloatArray:
        self.encoded.extend(texts)
        return super().encode(texts, kind)


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
