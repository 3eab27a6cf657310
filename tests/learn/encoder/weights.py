"""The weights of a model, to compare those of two trainings."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

    from rulerank.arrays import FloatArray


def weights_of(model: SentenceTransformer) -> dict[str, FloatArray]:
    """Return each weight by its name."""
    return {name: weight.numpy() for name, weight in model.state_dict().items()}
