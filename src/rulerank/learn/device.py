"""Where PyTorch runs a model."""

from __future__ import annotations

import torch

from rulerank.errors import SettingsError
from rulerank.settings import Device


def torch_device(device: Device) -> str:
    """Return the device that the setting `device` stands for on this machine: "cpu" or "cuda".

    Raises
    ------
    SettingsError
        `device` is "cuda" and PyTorch cannot use a GPU.

    """
    has_gpu = torch.cuda.is_available()
    if device == "cuda" and not has_gpu:
        raise SettingsError(
            "device: expected a GPU that PyTorch can use for `cuda`, found none. "
            "Install PyTorch with CUDA on a machine with a GPU, or set device: auto."
        )
    return "cuda" if device != "cpu" and has_gpu else "cpu"
