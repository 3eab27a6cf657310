"""What a run learns for its dense scores, on disk: one a fold, and one for everyone else. Needs no torch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file, save_file

from rulerank.arrays import FloatArray
from rulerank.files import replacing
from rulerank.retrieve.dense import Adapter
from rulerank.retrieve.late import LateMaps


def save_maps(adapters: Mapping[str, Adapter] | Mapping[str, LateMaps], path: Path) -> None:
    """Write adapters or late-interaction maps to one safetensors file."""
    arrays = {
        f"{name}.{side}": np.ascontiguousarray(getattr(adapter, side))
        for name, adapter in adapters.items()
        for side in ("query", "passage")
    }
    with replacing(path) as temporary:
        save_file(arrays, temporary)


def load_adapters(path: Path) -> dict[str, Adapter]:
    """Read the adapters of one safetensors file, by name."""
    return {name: Adapter(*sides) for name, sides in _load(path).items()}


def load_late_maps(path: Path) -> dict[str, LateMaps]:
    """Read the late-interaction maps of one safetensors file, by name."""
    return {name: LateMaps(*sides) for name, sides in _load(path).items()}


def _load(path: Path) -> dict[str, tuple[FloatArray, FloatArray]]:
    arrays = load_file(path)
    names: Sequence[str] = sorted({key.rpartition(".")[0] for key in arrays})
    return {name: (arrays[f"{name}.query"], arrays[f"{name}.passage"]) for name in names}
