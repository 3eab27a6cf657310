"""Obligation features: what duties a passage states."""

from __future__ import annotations

from rulerank.arrays import FloatArray
from rulerank.features.pairs import Pairs
from rulerank.features.registry import feature


def _declare_count(modality: str) -> None:
    def count(pairs: Pairs) -> FloatArray:
        return pairs.of_passage(modality)

    count.__doc__ = f"Number of the passage's sentences whose strongest duty is: {modality}."
    feature("obligation", name=f"{modality}_count")(count)


for _modality in ("obligation", "prohibition", "recommendation", "permission"):
    _declare_count(_modality)
