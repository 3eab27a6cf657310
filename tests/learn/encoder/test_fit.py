from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sentence_transformers import SentenceTransformer

from rulerank.errors import RulerankError
from rulerank.learn.encoder import export
from rulerank.learn.encoder import fit as module
from rulerank.learn.encoder.export import export_encoder, load_model
from rulerank.learn.encoder.fit import FIGURES, WEIGHTS, fit_encoder, keep_fitted, training_digest
from rulerank.learn.encoder.judged import JudgedQuestions
from rulerank.learn.encoder.losses.corpus_softmax import CorpusSoftmax
from rulerank.learn.encoder.losses.multiple_negatives import MultipleNegatives
from rulerank.retrieve.encoder import Encoder
from rulerank.settings import Adapter, Finetune, Settings
from rulerank.settings import Encoder as EncoderSettings


def _settings(loss: str, **more: object) -> Settings:
    tuning = Finetune(epochs=1, loss=loss, batch_size=2, learning_rate=1e-3, max_tokens=32, **more)
    return Settings(finetune=tuning, adapter=Adapter(epochs=1), device="cpu")


@pytest.mark.parametrize(
    ("loss", "more", "width"),
    [
        ("corpus_softmax", {}, 32),
        ("multiple_negatives", {}, 32),
        ("multiple_negatives", {"negatives": 1, "head": 48}, 48),
        ("cached_multiple_negatives", {"mini_batch_size": 1}, 32),
    ],
)
def test_fit_trains_the_encoder_and_measures_it(
    tiny_encoder: Path, tmp_path: Path, judged: JudgedQuestions, loss: str, more: dict[str, Any], width: int
) -> None:
    model = load_model(str(tiny_encoder), "cpu")
    measured = fit_encoder(model, judged, judged, _settings(loss, **more), tmp_path / "checkpoints")
    after = model.encode(judged.questions, normalize_embeddings=True)
    assert after.shape == (3, width)
    assert width != 32 or not np.allclose(after, judged.frozen.queries, atol=1e-4)
    assert set(measured) == {"nDCG@10", "Recall@10"}
    assert measured["Recall@10"] == 1  # there are five passages


@pytest.mark.parametrize("loss", ["corpus_softmax", "multiple_negatives"])
def test_fit_without_validation_questions_measures_nothing(
    tiny_encoder: Path, tmp_path: Path, judged: JudgedQuestions, loss: str
) -> None:
    nobody = judged.only(np.zeros(3, bool))
    model = load_model(str(tiny_encoder), "cpu")
    assert fit_encoder(model, judged, nobody, _settings(loss), tmp_path / "checkpoints") == {}


@pytest.fixture
def keep(tiny_encoder: Path, tmp_path: Path, judged: JudgedQuestions):
    """Fit an encoder, or take it from the cache, and return its folder."""

    def keep(cache: str = "cache", **finetune: object) -> Path:
        tuned = _settings("corpus_softmax", **finetune)
        settings = tuned.model_copy(
            update={"encoder": EncoderSettings(name=str(tiny_encoder), max_tokens=32)}
        )
        return keep_fitted("base", judged, judged, settings, tmp_path / cache)

    return keep


def _export(kept: Path, folder: Path) -> Encoder:
    export_encoder(load_model(str(kept / WEIGHTS), "cpu"), EncoderSettings(max_tokens=32), folder)
    return Encoder(folder)


def test_fitted_encoder_is_kept_as_sentence_transformers_saves_it(keep, judged: JudgedQuestions) -> None:
    kept = keep()
    assert sorted(path.name for path in kept.iterdir()) == [FIGURES, WEIGHTS]
    assert [path.name for path in kept.parent.iterdir()] == [kept.name]  # no checkpoints remain
    vectors = SentenceTransformer(str(kept / WEIGHTS), device="cpu").encode(judged.questions)
    assert not np.allclose(vectors, judged.frozen.queries, atol=1e-3)


def test_failed_export_keeps_the_training_and_the_next_run_exports_without_it(
    keep, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, judged: JudgedQuestions
) -> None:
    kept = keep()
    with monkeypatch.context() as broken:
        broken.setattr(export, "TOLERANCE", -1)
        with pytest.raises(RulerankError, match="the exported encoder: expected vectors within"):
            _export(kept, tmp_path / "out")
    monkeypatch.setattr(module, "fit_encoder", None)  # nothing is trained again
    assert keep() == kept
    encoder = _export(kept, tmp_path / "out")
    expected = load_model(str(kept / WEIGHTS), "cpu").encode(judged.questions, normalize_embeddings=True)
    np.testing.assert_allclose(encoder.encode(judged.questions, "query"), expected, atol=1e-5)


def test_failed_save_resumes_from_the_finished_epochs(
    keep, monkeypatch: pytest.MonkeyPatch, judged: JudgedQuestions
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError("no room")

    with monkeypatch.context() as broken:
        broken.setattr(module, "write_json", full)
        with pytest.raises(OSError, match="no room"):
            keep("saved later")
    with monkeypatch.context() as watched:
        watched.setattr(CorpusSoftmax, "forward", None)  # no batch is trained again
        resumed = load_model(str(keep("saved later") / WEIGHTS), "cpu").encode(judged.questions)
    whole = load_model(str(keep("saved at once") / WEIGHTS), "cpu").encode(judged.questions)
    np.testing.assert_allclose(resumed, whole, atol=1e-5)


def test_encoder_trained_in_bfloat16_is_kept_and_exported(
    keep, tmp_path: Path, judged: JudgedQuestions, autocast: list[bool]
) -> None:
    kept = keep(precision="bf16")
    assert any(autocast)
    expected = load_model(str(kept / WEIGHTS), "cpu").encode(judged.questions, normalize_embeddings=True)
    vectors = _export(kept, tmp_path / "out").encode(judged.questions, "query")
    np.testing.assert_allclose(vectors, expected, atol=1e-5)


def test_training_is_in_float32_unless_the_setting_says_otherwise(keep, autocast: list[bool]) -> None:
    keep()
    assert autocast
    assert not any(autocast)


def _digest(training_set: JudgedQuestions, validation_set: JudgedQuestions, **settings: object) -> str:
    return training_digest("model", training_set, validation_set, Settings(**settings))


@pytest.mark.parametrize(
    "changed",
    [
        {"training_set": lambda judged: judged.only(np.array([True, True, False]))},
        {"training_set": lambda judged: replace(judged, ranked=judged.ranked[:, ::-1])},
        {"training_set": lambda judged: replace(judged, passages=[*judged.passages[:4], "Milk."])},
        {"validation_set": lambda judged: replace(judged, questions=[*judged.questions[:2], "Who?"])},
        {"validation_set": lambda judged: replace(judged, relevant=judged.relevant[[1, 0, 2]])},
        {"validation_set": lambda judged: judged.only(np.zeros(3, bool))},
        {"seed": 8},
        {"finetune": Finetune(epochs=2)},
        {"finetune": Finetune(precision="bf16")},
        {"adapter": Adapter(epochs=1)},
    ],
)
def test_training_has_another_name_where_weights_or_measures_may_differ(
    judged: JudgedQuestions, changed: dict[str, Any]
) -> None:
    same = {"training_set": judged, "validation_set": judged}
    other = {name: value(judged) if callable(value) else value for name, value in changed.items()}
    assert _digest(**{**same, **other}) != _digest(**same)


def test_training_has_another_name_under_a_new_version_of_its_loss(
    judged: JudgedQuestions, monkeypatch: pytest.MonkeyPatch
) -> None:
    both_sides = Finetune(loss="multiple_negatives")
    before = _digest(judged, judged, finetune=both_sides)
    monkeypatch.setattr(MultipleNegatives, "version", 2)
    assert _digest(judged, judged, finetune=both_sides) != before


def test_training_has_the_same_name_where_nothing_it_depends_on_differs(judged: JudgedQuestions) -> None:
    same = _digest(judged, judged)
    others = {"encoder": EncoderSettings(batch_size=1), "threads": 1, "device": "cpu"}
    assert _digest(judged, judged, finetune=Finetune(parts=2), **others) == same
    both_sides = Finetune(loss="multiple_negatives")
    changed = _digest(judged, judged, finetune=both_sides, adapter=Adapter(epochs=1))
    assert changed == _digest(judged, judged, finetune=both_sides)
