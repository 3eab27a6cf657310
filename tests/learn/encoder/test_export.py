from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from numpy.typing import NDArray

from rulerank.arrays import normalise_rows
from rulerank.errors import InputError, RulerankError
from rulerank.learn.encoder import export
from rulerank.learn.encoder.export import export_encoder, load_model
from rulerank.retrieve.encoder import Encoder
from rulerank.settings import Encoder as Settings

TEXTS = ["Who keeps the register?", "A pilot must hold a licence. " * 200, "등록부", "", "x"]


@pytest.fixture
def in_8_bits(tiny_encoder: Path, tmp_path: Path) -> Path:
    settings = Settings(max_tokens=32, passage_prefix="passage: ", precision="int8")
    export_encoder(load_model(str(tiny_encoder), "cpu"), settings, tmp_path / "int8")
    return tmp_path / "int8"


@pytest.fixture
def exported(tiny_encoder: Path, tmp_path: Path) -> Path:
    settings = Settings(max_tokens=32, passage_prefix="passage: ")
    export_encoder(load_model(str(tiny_encoder), "cpu"), settings, tmp_path / "out")
    return tmp_path / "out"


def test_exported_encoder_agrees_with_the_model(tiny_encoder: Path, exported: Path) -> None:
    model = load_model(str(tiny_encoder), "cpu")
    model.max_seq_length = 32
    encoder = Encoder(exported)
    for kind, prefix in {"query": "", "passage": "passage: "}.items():
        expected = model.encode([prefix + text for text in TEXTS], normalize_embeddings=True)
        np.testing.assert_allclose(encoder.encode(TEXTS, kind), expected, atol=1e-5)


def test_exported_encoder_agrees_with_the_model_token_by_token(tiny_encoder: Path, exported: Path) -> None:
    model = load_model(str(tiny_encoder), "cpu")
    model.max_seq_length = 32
    found = Encoder(exported).tokens(TEXTS, "passage")
    prefixed = [f"passage: {text}" for text in TEXTS]
    for row, expected in enumerate(model.encode(prefixed, output_value="token_embeddings")):
        vectors = found.slice(row, row + 1).vectors
        assert len(vectors) == len(expected) >= 2
        np.testing.assert_allclose(vectors, normalise_rows(expected.numpy()), atol=1e-3)


def test_exported_encoder_is_four_files_that_the_same_users_may_read(exported: Path) -> None:
    assert sorted(path.name for path in exported.iterdir()) == [
        "encoder.json",
        "model.onnx",
        "tokenizer.json",
        "weights.bin",
    ]
    assert len({path.stat().st_mode for path in exported.iterdir()}) == 1


def test_weights_lie_beside_the_model_which_is_the_same_without_them(exported: Path, tmp_path: Path) -> None:
    shutil.copytree(exported, tmp_path / "one file")
    whole = onnx.load(exported / "model.onnx")
    (tmp_path / "one file/weights.bin").unlink()
    onnx.save(whole, tmp_path / "one file/model.onnx")
    assert (exported / "model.onnx").stat().st_size < (exported / "weights.bin").stat().st_size
    np.testing.assert_array_equal(
        Encoder(exported).encode(TEXTS, "query"), Encoder(tmp_path / "one file").encode(TEXTS, "query")
    )


@pytest.mark.parametrize("name", ["model.onnx", "weights.bin", "tokenizer.json"])
def test_fingerprint_depends_on_every_file_that_vectors_depend_on(
    exported: Path, tmp_path: Path, name: str
) -> None:
    shutil.copytree(exported, tmp_path / "other")
    encoder = Encoder(tmp_path / "other")
    with (tmp_path / "other" / name).open("ab") as file:
        file.write(b" ")
    assert encoder.fingerprint != Encoder(exported).fingerprint


def test_export_again_gives_the_same_bytes(tiny_encoder: Path, exported: Path) -> None:
    before = {path.name: path.read_bytes() for path in exported.iterdir()}
    export_encoder(
        load_model(str(tiny_encoder), "cpu"), Settings(max_tokens=32, passage_prefix="passage: "), exported
    )
    assert {path.name: path.read_bytes() for path in exported.iterdir()} == before


def test_default_encoder_comes_with_the_project_and_needs_no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    model = load_model(Settings().name)
    first, second, other = model.encode(
        ["Who keeps the register?", "The register is kept by whom?", "Apples are cheap in June."]
    )
    assert first.shape == (384,)
    assert first @ second > 0.8 > first @ other


@pytest.mark.parametrize("name", ["no/such-model", "nowhere"])
def test_unknown_model_is_an_error_that_names_it(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(
        InputError, match=f"encoder.name: expected a folder or a model of the hub, found '{name}'"
    ):
        load_model(name)


def test_folder_without_a_model_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"encoder\.name: expected a folder or a model of the hub"):
        load_model(str(tmp_path))


def test_export_that_does_not_agree_is_refused_and_leaves_the_old_one(
    tiny_encoder: Path, exported: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = {path.name: path.read_bytes() for path in exported.iterdir()}
    monkeypatch.setattr(export, "TOLERANCE", -1)
    with pytest.raises(RulerankError, match=r"the exported encoder: expected vectors within -1"):
        export_encoder(load_model(str(tiny_encoder), "cpu"), Settings(max_tokens=32), exported)
    assert {path.name: path.read_bytes() for path in exported.iterdir()} == before


def test_more_tokens_than_the_model_takes_are_refused(tiny_encoder: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"encoder\.max_tokens: expected at most the 64 tokens .* found 65"):
        export_encoder(load_model(str(tiny_encoder), "cpu"), Settings(max_tokens=65), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_encoder_in_8_bits_is_near_the_original_and_a_text_has_one_vector_in_any_company(
    exported: Path, in_8_bits: Path
) -> None:
    exact, rounded = Encoder(exported), Encoder(in_8_bits)
    vectors = rounded.encode(TEXTS, "passage")
    assert ((vectors * exact.encode(TEXTS, "passage")).sum(axis=1) > 0.99).all()
    for text, vector in zip(TEXTS, vectors, strict=True):
        np.testing.assert_array_equal(rounded.encode([text], "passage")[0], vector)
    sizes = [(folder / "weights.bin").stat().st_size for folder in (in_8_bits, exported)]
    assert sizes[0] < sizes[1]


def test_texts_of_a_batch_do_not_change_one_another_in_8_bits(in_8_bits: Path) -> None:
    session = onnxruntime.InferenceSession(str(in_8_bits / "model.onnx"))
    ids = np.array([[2, 5, 9, 3], [2, 7, 11, 3]], np.int64)

    def vectors(rows: NDArray[np.int64]) -> NDArray[np.float32]:
        (found,) = session.run(["vector"], {"input_ids": rows, "attention_mask": np.ones_like(rows)})
        return found

    np.testing.assert_allclose(vectors(ids), np.vstack([vectors(ids[:1]), vectors(ids[1:])]), atol=1e-6)


def test_encoder_that_does_not_quantize_is_refused_and_leaves_the_old_one(
    tiny_encoder: Path, exported: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = {path.name: path.read_bytes() for path in exported.iterdir()}
    monkeypatch.setattr(export, "LEAST_COSINE", 1.1)
    with pytest.raises(
        RulerankError, match=r"in 8 bits: expected a cosine of at least 1.1 .*Set encoder\.precision: fp32"
    ):
        export_encoder(
            load_model(str(tiny_encoder), "cpu"), Settings(max_tokens=32, precision="int8"), exported
        )
    assert {path.name: path.read_bytes() for path in exported.iterdir()} == before
