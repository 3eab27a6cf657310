from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from rulerank.arrays import FloatArray
from rulerank.retrieve import token_cache
from rulerank.retrieve.encoder import Encoder
from rulerank.retrieve.token_cache import TokenCache, principal_axes
from rulerank.retrieve.tokens import Tokens

TEXTS = ["pilot", "must pilot fee tug", "", "규정", "fee tug", "must must must", "tug pilot"]


class CountingEncoder(Encoder):
    """An encoder that records the texts whose tokens it computed, and is interrupted after so many texts."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.fails_after = 1000
        self.asked: list[str] = []

    def tokens(self, texts: list[str], kind: str) -> Tokens:
        if len(self.asked) >= self.fails_after:
            raise KeyboardInterrupt
        self.asked.extend(texts)
        return super().tokens(texts, kind)


@pytest.fixture
def encoder(write_encoder: Callable[..., Path]) -> CountingEncoder:
    return CountingEncoder(write_encoder())


AXES = np.eye(4, 3, dtype=np.float32)


def _same(left: Tokens, right: Tokens) -> bool:
    return np.array_equal(left.starts, right.starts) and np.allclose(left.vectors, right.vectors, atol=1e-3)


def test_tokens_are_the_vectors_of_the_words_at_unit_length(write_encoder: Callable[..., Path]) -> None:
    encoder = Encoder(write_encoder())
    found = encoder.tokens(["pilot fee", "", "fee"], "query")
    assert found.starts.tolist() == [0, 3, 4, 6]  # one more each: [CLS]
    assert found.vectors.dtype == np.float16
    np.testing.assert_allclose(np.linalg.norm(found.vectors.astype(np.float32), axis=1), 1, atol=2e-3)
    # The place of a word changes only the length of its vector.
    assert np.allclose(found.vectors[2], found.vectors[5], atol=1e-3)
    assert np.allclose(found.vectors[0], found.vectors[3], atol=1e-3)
    assert not np.allclose(found.vectors[1], found.vectors[2], atol=1e-1)


@pytest.mark.parametrize("batch_size", [1, 3, 100])
def test_tokens_of_a_batch_are_those_of_its_texts_one_by_one(
    write_encoder: Callable[..., Path], batch_size: int
) -> None:
    encoder = Encoder(write_encoder(batch_size=batch_size))
    together = encoder.tokens(TEXTS, "passage")
    assert len(together) == len(TEXTS)
    for row, text in enumerate(TEXTS):
        assert _same(together.slice(row, row + 1), encoder.tokens([text], "passage"))


def test_tokens_put_the_prefix_of_the_kind_first(write_encoder: Callable[..., Path]) -> None:
    encoder = Encoder(write_encoder(prefixes={"query": "must ", "passage": ""}))
    assert _same(encoder.tokens(["pilot"], "query"), encoder.tokens(["must pilot"], "passage"))


def test_tokens_of_no_text_are_empty(encoder: CountingEncoder) -> None:
    found = encoder.tokens([], "query")
    assert len(found) == 0
    assert found.vectors.shape == (0, 4)


def test_cache_gives_the_reduced_tokens_in_the_order_of_the_texts(
    encoder: CountingEncoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(token_cache, "SHARD", 2)
    found = TokenCache(tmp_path, encoder, AXES).encode([*TEXTS, "pilot"], "passage")
    assert _same(found, Encoder.tokens(encoder, [*TEXTS, "pilot"], "passage").mapped(AXES))
    assert found.vectors.shape[1] == 3


def test_second_call_encodes_nothing(encoder: CountingEncoder, tmp_path: Path) -> None:
    first = TokenCache(tmp_path, encoder, AXES).encode(TEXTS, "passage")
    encoder.asked.clear()
    again = TokenCache(tmp_path, encoder, AXES).encode(TEXTS[::-1], "passage")
    assert encoder.asked == []
    assert np.array_equal(again.take(np.arange(len(TEXTS))[::-1]).vectors, first.vectors)


def test_changed_corpus_encodes_only_its_new_texts(
    encoder: CountingEncoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(token_cache, "SHARD", 2)
    cache = TokenCache(tmp_path, encoder, AXES)
    cache.encode(TEXTS, "passage")
    encoder.asked.clear()
    changed = ["a", *TEXTS[::-1], "fee tug", "must pilot fee fee"]
    tokens = cache.encode(changed, "passage")
    assert sorted(encoder.asked) == ["a", "must pilot fee fee"]
    assert _same(tokens, Encoder.tokens(encoder, changed, "passage").mapped(AXES))


def test_interrupted_run_encodes_only_what_it_had_not_written(
    encoder: CountingEncoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(token_cache, "SHARD", 2)
    cache = TokenCache(tmp_path, encoder, AXES)
    encoder.fails_after = 4
    with pytest.raises(KeyboardInterrupt):
        cache.encode(TEXTS, "passage")
    written = encoder.asked[:4]
    encoder.asked, encoder.fails_after = [], 1000
    cache.encode(TEXTS, "passage")
    assert sorted(encoder.asked) == sorted(set(TEXTS) - set(written))


def test_cache_of_other_axes_or_kind_is_another(write_encoder: Callable[..., Path], tmp_path: Path) -> None:
    encoder = Encoder(write_encoder(prefixes={"query": "must ", "passage": ""}))
    first = TokenCache(tmp_path, encoder, AXES).encode(["pilot"], "passage")
    other = TokenCache(tmp_path, encoder, AXES[::-1].copy()).encode(["pilot"], "passage")
    asked = TokenCache(tmp_path, encoder, AXES).encode(["pilot"], "query")
    assert not np.allclose(first.vectors, other.vectors, atol=1e-2)
    assert len(asked.vectors) == len(first.vectors) + 1


def test_cache_of_no_text_is_empty_and_of_the_same_width(encoder: CountingEncoder, tmp_path: Path) -> None:
    found = TokenCache(tmp_path, encoder, AXES).encode([], "passage")
    assert len(found) == 0
    assert found.vectors.shape == (0, 3)


def _axes(encoder: Encoder, width: int = 3) -> FloatArray:
    return principal_axes(encoder, TEXTS, width, seed=1)


def test_principal_axes_are_orthonormal_and_point_to_their_largest_entry(encoder: CountingEncoder) -> None:
    axes = _axes(encoder)
    assert axes.shape == (4, 3)
    assert axes.dtype == np.float32
    np.testing.assert_allclose(axes.T @ axes, np.eye(3), atol=1e-5)
    assert (axes[np.abs(axes).argmax(axis=0), range(3)] > 0).all()


def test_principal_axes_keep_the_most_of_the_tokens(encoder: CountingEncoder) -> None:
    vectors = encoder.tokens(TEXTS, "passage").vectors.astype(np.float64)
    kept = np.linalg.norm(vectors @ _axes(encoder), axis=0)
    np.testing.assert_allclose(kept, np.linalg.svd(vectors, compute_uv=False)[:3], rtol=1e-4)


def test_principal_axes_are_the_same_twice_and_in_any_order_of_few_texts(encoder: CountingEncoder) -> None:
    assert _axes(encoder).tobytes() == _axes(encoder).tobytes()
    other = principal_axes(encoder, TEXTS[::-1], 3, seed=2)
    np.testing.assert_allclose(other, _axes(encoder), atol=1e-4)


def test_principal_axes_are_no_more_than_the_dimension(encoder: CountingEncoder) -> None:
    assert _axes(encoder, width=100).shape == (4, 4)
