"""Closure features: which passages the best candidates reach along citation-bearing edges."""

from __future__ import annotations

import numpy as np

from rulerank.arrays import FloatArray
from rulerank.features.pairs import FUSED, Pairs
from rulerank.features.registry import feature


@feature("closure", constants=FUSED)
def closure_depth(pairs: Pairs) -> FloatArray:
    """Fewest hops to the passage from the question's best candidates; missing if none leads there."""
    return pairs.reached(pairs.closure.hops, np.nan)


@feature("closure", constants=FUSED)
def closure_seeds(pairs: Pairs) -> FloatArray:
    """How many of the question's best candidates lead to the passage."""
    return pairs.reached(pairs.closure.seeds, 0)


@feature("closure", constants=FUSED)
def closure_score(pairs: Pairs) -> FloatArray:
    """Greatest `fused_score` of a candidate leading to the passage, decayed by hop; missing if none does."""
    return pairs.reached(pairs.closure.score, np.nan)
