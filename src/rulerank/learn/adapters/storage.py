"""The learned maps of one fold on disk. No torch is needed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from safetensors.numpy import load_file, save_file

from rulerank.files import replacing
from rulerank.retrieve.embedded import Adapter
from rulerank.retrieve.matched import LateMaps


def write_maps(maps: Adapter | LateMaps, path: Path) -> None:
    """Write an adapter or late-interaction maps to one safetensors file."""
    with replacing(path) as temporary:
        sides = {"query": maps.query, "passage": maps.passage}
        save_file({name: np.ascontiguousarray(side) for name, side in sides.items()}, temporary)


def read_adapter(path: Path) -> Adapter:
    """Read an adapter that `write_maps` wrote."""
    return Adapter(**load_file(path))


def read_late_maps(path: Path) -> LateMaps:
    """Read late-interaction maps that `write_maps` wrote."""
    return LateMaps(**load_file(path))
