from __future__ import annotations

import pytest
import torch

from rulerank.errors import SettingsError
from rulerank.learn.device import torch_device


def test_device_on_a_machine_with_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert [torch_device(each) for each in ("auto", "cpu", "cuda")] == ["cuda", "cpu", "cuda"]


def test_device_on_a_machine_without_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert [torch_device(each) for each in ("auto", "cpu")] == ["cpu", "cpu"]
    with pytest.raises(SettingsError, match=r"device: expected a GPU .* or set device: auto"):
        torch_device("cuda")
