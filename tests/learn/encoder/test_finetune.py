from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from scipy import sparse
from sentence_transformers import SentenceTransformer
from sentence_transformers.base.evaluation import BaseEvaluator

from rulerank.learn.adapters.dense import Embedded
from rulerank.learn.encoder import finetune
from rulerank.learn.encoder.export import export_encoder, load_model
from rulerank.learn.encoder.finetune import fine_tune, widen
from rulerank.learn.encoder.judged import JudgedQuestions
from rulerank.learn.encoder.losses import EncoderLoss, load_loss
from rulerank.retrieve.encoder import Encoder
from rulerank.settings import Adapter, Finetune, Settings
from rulerank.settings import Encoder as EncoderSettings
from tests.learn.encoder.weights import weights_of

TRADES = ("baker", "pilot", "clerk", "warden", "keeper", "master")
QUESTIONS = [f"What must the {trade} keep?" for trade in TRADES]
ANSWERS = [f"The {trade} keeps a register of each sale." for trade in TRADES]
SETTINGS = Finetune(
    epochs=3, batch_size=2, mini_batch_size=2, learning_rate=1e-3, max_tokens=32, dropout=0.1, warmup=0
)


class Watched(BaseEvaluator):
    """Reads the loss after every epoch, and stops the training after a given one."""

    def __init__(self, read: Callable[[], float], last: int | None = None) -> None:
        super().__init__()
        self.read = read
        self.last = last
        self.seen: list[float] = []
        self.primary_metric = "loss"

    def __call__(self, model: SentenceTransformer, *_: object, **__: object) -> dict[str, float]:
        training = model.training
        model.eval()
        self.seen.append(self.read())
        model.train(training)
        if len(self.seen) == self.last:
            raise KeyboardInterrupt
        return {"loss": self.seen[-1]}


def _loss(
    model: SentenceTransformer, settings: Finetune = SETTINGS, questions: list[str] = QUESTIONS
) -> EncoderLoss:
    """One relevant passage per question, and an adapter that changes nothing."""
    passages = model.encode(ANSWERS, normalize_embeddings=True)
    relevant = sparse.csr_array(np.eye(len(TRADES), dtype=np.float32))
    ranked = np.array([np.roll(np.arange(len(TRADES)), -row) for row in range(len(TRADES))])
    judged = JudgedQuestions(questions, ANSWERS, relevant, Embedded(passages, passages), ranked)
    return load_loss(settings)(model, judged, Settings(finetune=settings, adapter=Adapter(epochs=0)))


def _train(
    name: str,
    checkpoints: Path,
    last: int | None = None,
    settings: Finetune = SETTINGS,
    steps: int | None = None,
) -> tuple[SentenceTransformer, list[float]]:
    model = load_model(name, "cpu")
    loss = _loss(model)
    if steps is not None:
        loss.register_forward_pre_hook(_power_cut(steps))

    def read() -> float:
        with torch.no_grad():
            return float(loss([model.preprocess(QUESTIONS)], torch.arange(len(QUESTIONS))))

    watched = Watched(read, last)
    before = read()
    try:
        fine_tune(model, loss, settings, watched, checkpoints, seed=3)
    except KeyboardInterrupt:
        assert (last, steps) != (None, None)
    return model, [before, *watched.seen]


def _power_cut(steps: int) -> Callable[..., None]:
    """Return a hook that stops the training after so many steps."""
    left = steps

    def hook(*_: object) -> None:
        nonlocal left
        if torch.is_grad_enabled():
            left -= 1
            if left < 0:
                raise KeyboardInterrupt

    return hook


def test_fine_tune_lowers_the_loss_and_leaves_the_last_checkpoint(tiny_encoder: Path, tmp_path: Path) -> None:
    model, losses = _train(str(tiny_encoder), tmp_path / "checkpoints")
    assert len(losses) == 1 + SETTINGS.epochs
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] < 0.95 * losses[0]
    assert len(list((tmp_path / "checkpoints").glob("checkpoint-*"))) == 1
    assert not model.training
    assert model.max_seq_length == load_model(str(tiny_encoder), "cpu").max_seq_length


def test_interrupted_training_ends_with_the_weights_of_one_that_was_not(
    tiny_encoder: Path, tmp_path: Path
) -> None:
    whole, losses = _train(str(tiny_encoder), tmp_path / "whole")
    _, first = _train(str(tiny_encoder), tmp_path / "cut", last=2)
    assert len(list((tmp_path / "cut").glob("checkpoint-*"))) == 1  # the one of the first epoch
    resumed, rest = _train(str(tiny_encoder), tmp_path / "cut")
    assert first[:2] == pytest.approx(losses[:2], rel=1e-4)
    assert rest[1:] == pytest.approx(losses[2:], rel=1e-3)  # the first epoch was not trained again
    for name, weight in weights_of(resumed).items():
        np.testing.assert_allclose(weight, weights_of(whole)[name], atol=1e-5)


def test_training_cut_within_an_epoch_ends_with_the_sameweights_of(
    tiny_encoder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finetune, "SAVED_EVERY", 1)
    whole, _ = _train(str(tiny_encoder), tmp_path / "whole")
    _train(str(tiny_encoder), tmp_path / "cut", steps=5)
    assert [path.name for path in (tmp_path / "cut").glob("checkpoint-*")] == ["checkpoint-5"]
    resumed, losses = _train(str(tiny_encoder), tmp_path / "cut")
    assert len(losses) == 1 + 2  # at the end of the second epoch, in which it was cut off, and of the third
    for name, weight in weights_of(resumed).items():
        np.testing.assert_allclose(weight, weights_of(whole)[name], atol=1e-5)


def test_checkpoint_that_was_not_written_whole_is_trained_again(tiny_encoder: Path, tmp_path: Path) -> None:
    whole, _ = _train(str(tiny_encoder), tmp_path / "whole")
    _train(str(tiny_encoder), tmp_path / "cut", last=2)
    (checkpoint,) = (tmp_path / "cut").glob("checkpoint-*")
    (checkpoint / "trainer_state.json").unlink()
    (checkpoint / "config.json").unlink()
    resumed, losses = _train(str(tiny_encoder), tmp_path / "cut")
    assert len(losses) == 1 + SETTINGS.epochs
    for name, weight in weights_of(resumed).items():
        np.testing.assert_allclose(weight, weights_of(whole)[name], atol=1e-5)


def test_fine_tune_is_the_same_twice(tiny_encoder: Path, tmp_path: Path) -> None:
    short = SETTINGS.model_copy(update={"epochs": 1})
    one, same = (
        weights_of(_train(str(tiny_encoder), tmp_path / name, settings=short)[0]) for name in ("one", "same")
    )
    assert all(np.array_equal(weight, same[name]) for name, weight in one.items())


def test_fine_tune_cuts_texts_at_what_the_encoder_takes(tiny_encoder: Path, tmp_path: Path) -> None:
    model = load_model(str(tiny_encoder), "cpu")
    model.max_seq_length = 64
    loss = _loss(model, questions=["register " * 100] * len(TRADES))
    settings = SETTINGS.model_copy(update={"epochs": 1, "max_tokens": 128})
    fine_tune(model, loss, settings, None, tmp_path / "checkpoints", seed=3)
    assert model.max_seq_length == 64


def test_encoder_trained_in_bfloat16_comes_out_in_float32_and_is_exported(
    tiny_encoder: Path, tmp_path: Path, autocast: list[bool]
) -> None:
    settings = SETTINGS.model_copy(update={"epochs": 1, "precision": "bf16"})
    model, _ = _train(str(tiny_encoder), tmp_path / "checkpoints", settings=settings)
    assert any(autocast)
    features = model.preprocess(QUESTIONS)
    with torch.no_grad():
        assert model(dict(features))["token_embeddings"].dtype == torch.float32
    export_encoder(model, EncoderSettings(max_tokens=32), tmp_path / "out")
    expected = model.encode(QUESTIONS, normalize_embeddings=True)
    np.testing.assert_allclose(Encoder(tmp_path / "out").encode(QUESTIONS, "query"), expected, atol=1e-5)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
@pytest.mark.parametrize("loss", ["corpus_softmax", "multiple_negatives", "cached_multiple_negatives"])
def test_fine_tune_on_a_gpu_is_exported(tiny_encoder: Path, tmp_path: Path, loss: str) -> None:
    settings = SETTINGS.model_copy(update={"epochs": 1, "loss": loss})
    model = load_model(str(tiny_encoder), "cuda")
    before = model.encode(QUESTIONS)
    fine_tune(model, _loss(model, settings), settings, None, tmp_path / "checkpoints", seed=3)
    assert model.device.type == "cuda"
    expected = model.encode(QUESTIONS, normalize_embeddings=True)
    assert not np.allclose(model.encode(QUESTIONS), before, atol=1e-3)
    export_encoder(model, EncoderSettings(max_tokens=32), tmp_path / "out")
    np.testing.assert_allclose(Encoder(tmp_path / "out").encode(QUESTIONS, "query"), expected, atol=1e-4)


@pytest.mark.parametrize("width", [32, 48])
def test_widen_keeps_the_cosines(tiny_encoder: Path, width: int) -> None:
    model = load_model(str(tiny_encoder), "cpu")
    before = model.encode([*QUESTIONS, *ANSWERS], normalize_embeddings=True)
    widen(model, width, seed=2)
    after = model.encode([*QUESTIONS, *ANSWERS], normalize_embeddings=True)
    assert after.shape[1] == width
    np.testing.assert_allclose(after @ after.T, before @ before.T, atol=1e-5)


def test_widen_is_the_same_twice_and_may_narrow(tiny_encoder: Path) -> None:
    vectors = []
    for _ in range(2):
        model = load_model(str(tiny_encoder), "cpu")
        widen(model, 16, seed=2)
        vectors.append(model.encode(QUESTIONS))
    assert vectors[0].shape[1] == 16
    assert np.array_equal(*vectors)


def test_widened_encoder_is_exported(tiny_encoder: Path, tmp_path: Path) -> None:
    model = load_model(str(tiny_encoder), "cpu")
    widen(model, 48, seed=2)
    export_encoder(model, EncoderSettings(max_tokens=32), tmp_path / "out")
    encoder = Encoder(tmp_path / "out")
    assert (encoder.dimension, encoder.token_dimension) == (48, 32)
    expected = model.encode(QUESTIONS, normalize_embeddings=True)
    np.testing.assert_allclose(encoder.encode(QUESTIONS, "query"), expected, atol=1e-5)
