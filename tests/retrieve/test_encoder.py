from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnxruntime
import pytest

from rulerank.errors import InputError, SettingsError
from rulerank.retrieve.encoder import CUDA, Encoder
from tests.retrieve.texts import TEXTS


def test_encode_gives_unit_rows_of_float32(write_encoder: Callable[..., Path]) -> None:
    encoder = Encoder(write_encoder())
    vectors = encoder.encode(TEXTS, "passage")
    assert vectors.shape == (len(TEXTS), encoder.dimension) == (8, 4)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(8), abs=1e-6)


@pytest.mark.parametrize("kind", ["query", "passage"])
def test_vector_of_a_text_is_the_same_whatever_is_embedded_with_it(
    write_encoder: Callable[..., Path], kind: str
) -> None:
    encoder = Encoder(write_encoder(batch_size=100))
    alone = [encoder.encode([text], kind) for text in TEXTS]
    assert encoder.encode(TEXTS, kind).tobytes() == np.vstack(alone).tobytes()
    tokens = [encoder.tokens([text], kind).vectors for text in TEXTS]
    assert encoder.tokens(TEXTS, kind).vectors.tobytes() == np.vstack(tokens).tobytes()


@pytest.mark.parametrize("batch_size", [3, 100])
def test_padding_in_the_batches_of_a_gpu_changes_nothing(
    write_encoder: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, batch_size: int
) -> None:
    encoder = Encoder(write_encoder(batch_size=batch_size))
    alone, tokens = encoder.encode(TEXTS, "query"), encoder.tokens(TEXTS, "query")
    monkeypatch.setattr(encoder, "_on_cpu", False)
    assert [len(batch) for batch in encoder._batches(np.arange(8))] == {3: [3, 3, 2], 100: [8]}[batch_size]
    assert encoder.encode(TEXTS, "query") == pytest.approx(alone, abs=1e-6)
    padded = encoder.tokens(TEXTS, "query")
    assert padded.starts.tolist() == tokens.starts.tolist()
    assert padded.vectors == pytest.approx(tokens.vectors, abs=1e-3)


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


@pytest.mark.parametrize("threads", [2, 5])
def test_vectors_do_not_depend_on_the_number_of_threads(
    write_encoder: Callable[..., Path], threads: int
) -> None:
    folder = write_encoder()
    alone, together = Encoder(folder), Encoder(folder, threads)
    assert alone.encode(TEXTS, "query").tobytes() == together.encode(TEXTS, "query").tobytes()
    assert alone.tokens(TEXTS, "query").vectors.tobytes() == together.tokens(TEXTS, "query").vectors.tobytes()


def test_gpu_that_onnxruntime_cannot_use_is_an_error_where_it_is_demanded(
    write_encoder: Callable[..., Path],
) -> None:
    folder = write_encoder()
    if CUDA in onnxruntime.get_available_providers():
        pytest.skip("this onnxruntime may have a GPU")
    with pytest.raises(SettingsError, match=r"device: .* Install onnxruntime-gpu .* or set device: auto"):
        Encoder(folder, device="cuda")
    assert np.array_equal(
        Encoder(folder, device="auto").encode(TEXTS, "query"), Encoder(folder).encode(TEXTS, "query")
    )


@pytest.mark.skipif(
    CUDA not in onnxruntime.get_available_providers(), reason="needs onnxruntime-gpu and a GPU"
)
def test_gpu_embeds_as_the_cpu_does(write_encoder: Callable[..., Path]) -> None:
    folder = write_encoder()
    vectors = Encoder(folder, device="cuda").encode(TEXTS, "query")
    assert vectors == pytest.approx(Encoder(folder).encode(TEXTS, "query"), abs=1e-5)
