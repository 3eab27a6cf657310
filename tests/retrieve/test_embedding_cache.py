from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numpy as np
import pytest

from rulerank.arrays import FloatArray
from rulerank.retrieve.content_store import ContentStore
from rulerank.retrieve.embedding_cache import EmbeddingCache
from rulerank.retrieve.encoder import Encoder
from tests.retrieve.texts import TEXTS


class CountingEncoder(Encoder):
    """An encoder that records what it encoded, and is interrupted after so many texts."""

    def __init__(self, folder: Path, fails_after: int = 1000) -> None:
        super().__init__(folder)
        self.folder = folder
        self.fails_after = fails_after
        self.encoded: list[str] = []

    def encode(self, texts: list[str], kind: str) -> FloatArray:
        if len(self.encoded) >= self.fails_after:
            raise KeyboardInterrupt
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


def test_interrupted_run_encodes_only_what_it_had_not_written(
    write_encoder: Callable[..., Path], tmp_path: Path
) -> None:
    encoder = CountingEncoder(write_encoder(), fails_after=6)
    cache = EmbeddingCache(tmp_path / "cache", encoder, shard=3)
    with pytest.raises(KeyboardInterrupt):
        cache.encode(TEXTS, "passage")
    written = encoder.encoded[:6]
    resumed = CountingEncoder(encoder.folder)
    vectors = EmbeddingCache(tmp_path / "cache", resumed, shard=3).encode(TEXTS, "passage")
    assert sorted(resumed.encoded) == sorted(set(TEXTS) - set(written))
    assert vectors == pytest.approx(Encoder.encode(resumed, TEXTS, "passage"), abs=1e-6)


def test_cache_reads_no_vector_that_was_not_asked_for(
    write_encoder: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = EmbeddingCache(tmp_path / "cache", CountingEncoder(write_encoder()))
    cache.encode(TEXTS, "passage")
    read = []
    values = ContentStore.read

    def counting(store: ContentStore, keys: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        for item in values(store, keys):
            read.append(item)
            yield item

    monkeypatch.setattr(ContentStore, "read", counting)
    cache.encode(["pilot", "must", "pilot"], "passage")
    assert len(read) == 1


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
