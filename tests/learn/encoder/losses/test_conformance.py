"""Rules that every loss of the encoder must keep, including future ones."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from rulerank.learn.encoder.export import export_encoder, load_model
from rulerank.learn.encoder.finetune import fine_tune
from rulerank.learn.encoder.fit import fit_encoder
from rulerank.learn.encoder.judged import JudgedQuestions
from rulerank.learn.encoder.losses import EncoderLoss, load_loss
from rulerank.retrieve.encoder import Encoder
from rulerank.settings import Adapter, Finetune, Settings
from rulerank.settings import Encoder as EncoderSettings
from rulerank.settings.encoder import LOSSES
from tests.learn.encoder.weights import weights_of

every_loss = pytest.mark.parametrize("name", LOSSES)


def _settings(name: str, **more: Any) -> Settings:
    options = {"epochs": 2, "batch_size": 2, "learning_rate": 1e-3, "max_tokens": 32, "negatives": 1, **more}
    tuning = Finetune(loss=name, mini_batch_size=2, warmup=0, **options)
    return Settings(finetune=tuning, adapter=Adapter(epochs=1), device="cpu")


@pytest.fixture
def build(tiny_encoder: Path, judged: JudgedQuestions) -> Callable[[str], EncoderLoss]:
    """Make a loss with a fresh tiny encoder."""

    def build(name: str) -> EncoderLoss:
        settings = _settings(name)
        model = load_model(str(tiny_encoder), "cpu")
        return load_loss(settings.finetune)(model, judged, settings)

    return build


def _batch(loss: EncoderLoss) -> tuple[list[dict[str, Any]], torch.Tensor | None]:
    """All rows at once, as the trainer would pass them."""
    rows = dict(loss.rows())
    labels = torch.tensor(list(rows.pop("label"))) if "label" in rows else None
    return [loss.model.preprocess(list(texts)) for texts in rows.values()], labels


@every_loss
def test_loss_says_what_it_depends_on(name: str) -> None:
    loss = load_loss(Finetune(loss=name))
    assert isinstance(loss.both_sides, bool)
    assert isinstance(loss.mines_negatives, bool)
    assert {*loss.sections} <= {*Settings.model_fields} - {"finetune"}
    assert loss.version >= 1
    assert loss.__doc__


@every_loss
def test_rows_are_columns_of_texts_of_one_length_and_perhaps_labels(name: str, build) -> None:
    rows = dict(build(name).rows())
    assert len({len(column) for column in rows.values()}) == 1
    labels = rows.pop("label", [])
    assert all(isinstance(label, int) for label in labels)
    assert rows
    assert all(isinstance(text, str) for column in rows.values() for text in column)
    assert min(map(len, rows.values())) >= 3


@every_loss
def test_loss_is_a_finite_number_that_moves_the_encoder(name: str, build) -> None:
    loss = build(name).train()
    value = loss(*_batch(loss))
    assert value.shape == ()
    assert torch.isfinite(value)
    value.backward()
    assert any(each.grad is not None and each.grad.abs().sum() > 0 for each in loss.model.parameters())
    assert {each.partition(".")[0] for each, weight in loss.named_parameters() if weight.requires_grad} == {
        "model"
    }


@every_loss
def test_training_lowers_the_loss_and_leaves_what_is_fixed(name: str, build, tmp_path: Path) -> None:
    loss = build(name)
    fixed = None if loss.both_sides else loss.fixed_passages().copy()

    def value() -> float:
        loss.model.eval()
        with torch.no_grad():
            return float(loss(*_batch(loss)))

    before = value()
    fine_tune(loss.model, loss, loss.settings.finetune, None, tmp_path, seed=3)
    assert value() < before
    if fixed is not None:
        assert np.array_equal(loss.fixed_passages(), fixed)


@every_loss
def test_questions_are_compared_with_vectors_of_the_same_width(
    name: str, build, judged: JudgedQuestions
) -> None:
    loss = build(name)
    questions = loss.map_questions(judged.frozen.queries)
    assert len(questions) == len(judged.questions)
    np.testing.assert_allclose(np.linalg.norm(questions, axis=1), 1, atol=1e-5)
    if loss.both_sides:
        assert questions.shape == judged.frozen.queries.shape
    else:
        assert loss.fixed_passages().shape == (len(judged.passages), questions.shape[1])


@every_loss
def test_training_is_the_same_twice(
    name: str, tiny_encoder: Path, judged: JudgedQuestions, tmp_path: Path
) -> None:
    trained = []
    for folder in ("one", "other"):
        model = load_model(str(tiny_encoder), "cpu")
        fit_encoder(model, judged, judged, _settings(name, epochs=1), tmp_path / folder)
        trained.append(weights_of(model))
    assert all(np.array_equal(weight, trained[1][each]) for each, weight in trained[0].items())


@every_loss
def test_encoder_trained_in_bfloat16_is_exported(
    name: str,
    tiny_encoder: Path,
    judged: JudgedQuestions,
    tmp_path: Path,
    autocast: list[bool],
) -> None:
    model = load_model(str(tiny_encoder), "cpu")
    settings = _settings(name, epochs=1, precision="bf16")
    fit_encoder(model, judged, judged, settings, tmp_path / "checkpoints")
    assert any(autocast)
    export_encoder(model, EncoderSettings(max_tokens=32), tmp_path / "out")
    expected = model.encode(judged.questions, normalize_embeddings=True)
    vectors = Encoder(tmp_path / "out").encode(judged.questions, "query")
    np.testing.assert_allclose(vectors, expected, atol=1e-5)


class OneDevice(TorchDispatchMode):
    """Refuses operations on tensors of several devices, some of which the device `meta` would allow.

    Copies from one device to another are allowed, and tensors without dimensions may be on any device.
    """

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        leaves = tree_leaves((args, kwargs))
        devices = {each.device.type for each in leaves if isinstance(each, torch.Tensor) and each.dim()}
        copies = func.overloadpacket in (torch.ops.aten.copy_, torch.ops.aten._to_copy)
        assert len(devices) < 2 or copies, f"{func} of tensors on {sorted(devices)}"
        return func(*args, **(kwargs or {}))


class StandIn(torch.nn.Sequential):
    """A substitute for a sentence encoder, because those of transformers read the values of their masks."""

    def forward(self, features: dict[str, torch.Tensor], **_: object) -> dict[str, torch.Tensor]:
        return {"sentence_embedding": self[0](features["input_ids"]).mean(dim=1)}


@every_loss
def test_nothing_assumes_where_a_tensor_lies(name: str, judged: JudgedQuestions) -> None:
    settings = _settings(name)
    model = StandIn(torch.nn.Embedding(10, judged.frozen.queries.shape[1]))
    loss = load_loss(settings.finetune)(model, judged, settings)
    texts = [column for column in loss.rows() if column != "label"]
    # Tensors on `meta` hold no values: an operation that reads them on the host is an error.
    loss.to("meta")
    features = [{"input_ids": torch.zeros(3, 4, dtype=torch.long, device="meta")} for _ in texts]
    labels = torch.arange(3, device="meta")
    with OneDevice():
        value = loss(features, labels)
        assert value.device.type == "meta"
        value.backward()


def test_loss_that_keeps_a_tensor_on_the_host_is_caught() -> None:
    with OneDevice(), pytest.raises(AssertionError, match="cpu"):
        torch.zeros(2, 3, device="meta") @ torch.zeros(3, 2)
    with pytest.raises(TypeError, match="meta"):
        torch.zeros(2, device="meta").numpy()
