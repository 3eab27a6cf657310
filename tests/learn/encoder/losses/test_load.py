from __future__ import annotations

import sys
from pathlib import Path

import pytest

from rulerank.errors import SettingsError
from rulerank.learn.encoder.losses import EncoderLoss, load_loss
from rulerank.learn.encoder.losses.corpus_softmax import CorpusSoftmax
from rulerank.settings import Finetune
from rulerank.settings.encoder import LOSSES


@pytest.mark.parametrize("name", LOSSES)
def test_name_of_a_loss_is_its_class(name: str) -> None:
    assert issubclass(load_loss(Finetune(loss=name)), EncoderLoss)
    assert load_loss(Finetune(loss=LOSSES[name])) is load_loss(Finetune(loss=name))


def test_loss_of_another_package_is_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "their_losses.py").write_text(
        "from rulerank.learn.encoder.losses.corpus_softmax import CorpusSoftmax\n"
        "class Theirs(CorpusSoftmax):\n    version = 3\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    try:
        loss = load_loss(Finetune(loss="their_losses:Theirs"))
    finally:
        sys.modules.pop("their_losses", None)
    assert issubclass(loss, CorpusSoftmax)
    assert loss.version == 3


@pytest.mark.parametrize("name", ["no_such_package:Loss", "rulerank.learn.encoder.losses:NoSuchLoss"])
def test_loss_that_cannot_be_imported_is_an_error(name: str) -> None:
    with pytest.raises(SettingsError, match=f"finetune.loss: expected a class .* found '{name}'"):
        load_loss(Finetune(loss=name))


@pytest.mark.parametrize("name", ["pathlib:Path", "rulerank.learn.encoder.losses:load_loss"])
def test_class_that_is_no_loss_is_an_error(name: str) -> None:
    with pytest.raises(SettingsError, match=r"expected a subclass of .*EncoderLoss, found"):
        load_loss(Finetune(loss=name))


def test_head_needs_a_loss_that_trains_both_sides() -> None:
    assert load_loss(Finetune(loss="multiple_negatives", head=64)).both_sides
    with pytest.raises(SettingsError, match=r"finetune\.head: expected a loss that trains both sides"):
        load_loss(Finetune(loss="corpus_softmax", head=64))
