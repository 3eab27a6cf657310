"""Translation features: how likely the passage says what the question asks, in the words of questions."""

from __future__ import annotations

from rulerank.arrays import FloatArray
from rulerank.features.pairs import Pairs
from rulerank.features.registry import feature


@feature("translation")
def translation_score(pairs: Pairs) -> FloatArray:
    """Mean log of how much likelier the translated passage makes the question's distinct terms than usual."""
    return pairs.translation


@feature("translation")
def translation_rank(pairs: Pairs) -> FloatArray:
    """Rank of the passage among the question's candidates by that mean."""
    return pairs.rank(pairs.translation)


@feature("translation")
def translation_gap(pairs: Pairs) -> FloatArray:
    """That mean minus its highest value among the candidates."""
    return pairs.gap(pairs.translation)
