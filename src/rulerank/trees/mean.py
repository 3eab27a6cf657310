"""Several models merged into one whose score is the mean of their scores."""

from __future__ import annotations

import ctypes

from rulerank.trees.library import call
from rulerank.trees.model import Trees


def mean_of(models: list[Trees]) -> Trees:
    """Return one model whose score is the mean of the scores of several.

    Parameters
    ----------
    models : list of Trees
        One or more, with the same columns; they are not changed.

    """
    whole = Trees(models[0].text)
    for other in models[1:]:
        call("LGBM_BoosterMerge", whole.handle, other.handle)
    value = ctypes.c_double()
    for tree, leaves in enumerate(_leaves(_written(whole))):
        for leaf in range(leaves):
            place = ctypes.c_int(tree), ctypes.c_int(leaf)
            call("LGBM_BoosterGetLeafValue", whole.handle, *place, ctypes.byref(value))
            scaled = ctypes.c_double(value.value / len(models))
            call("LGBM_BoosterSetLeafValue", whole.handle, *place, scaled)
    return Trees(_written(whole))


def _leaves(text: str) -> list[int]:
    """Return the number of leaves of each tree of a model."""
    lines = (line.removeprefix("num_leaves=") for line in text.splitlines() if line.startswith("num_leaves="))
    return [int(line) for line in lines]


def _written(model: Trees) -> str:
    """Return a changed model as the text that LightGBM writes."""
    size, needed = 1 << 20, ctypes.c_int64()
    while True:
        buffer = ctypes.create_string_buffer(size)
        options = ctypes.c_int(0), ctypes.c_int(-1), ctypes.c_int(0), ctypes.c_int64(size)
        call("LGBM_BoosterSaveModelToString", model.handle, *options, ctypes.byref(needed), buffer)
        if needed.value <= size:
            return buffer.value.decode()
        size = needed.value
