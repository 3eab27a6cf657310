"""Obligation features: what duties a passage states."""

from __future__ import annotations

from rulerank.features.feature_set import Feature
from rulerank.features.registry import declare


def _count_of(modality: str) -> Feature:
    return Feature(
        f"{modality}_count",
        "obligation",
        f"Number of the passage's sentences whose strongest duty is: {modality}.",
        lambda pairs: pairs.of_passage(modality),
    )


for _modality in ("obligation", "prohibition", "recommendation", "permission"):
    declare(_count_of(_modality))
