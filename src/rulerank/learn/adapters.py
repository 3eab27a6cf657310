"""The adapters of a run on disk: one a fold, and one for everyone else. Reading them needs no torch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file, save_file

from rulerank.files import replacing
from rulerank.retrieve.dense import Adapter

FULL = "full"
"""Name of the adapter trained on every training question."""


def fold_adapter(fold: int) -> str:
    """Return the name of the adapter that has not seen a fold."""
    return f"without_fold_{fold}"


def save_adapters(adapters: Mapping[str, Adapter], path: Path) -> None:
    """Write adapters to one safetensors file."""
    arrays = {
        f"{name}.{side}": np.ascontiguousarray(getattr(adapter, side))
        for name, adapter in adapters.items()
        for side in ("query", "passage")
    }
    with replacing(path) as temporary:
        save_file(arrays, temporary)


def load_adapters(path: Path) -> dict[str, Adapter]:
    """Read the adapters of one safetensors file, by name."""
    arrays = load_file(path)
    names: Sequence[str] = sorted({key.rpartition(".")[0] for key in arrays})
    return {name: Adapter(arrays[f"{name}.query"], arrays[f"{name}.passage"]) for name in names}
