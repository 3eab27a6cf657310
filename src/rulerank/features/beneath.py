"""What the candidates directly beneath a passage say about it.

In statutes and rules, a paragraph often opens a list: "A bank shall disclose:". What it shall disclose is in
the items beneath. They match the question where the paragraph that governs it does not.
"""

from __future__ import annotations

import numpy as np

from rulerank.arrays import FloatArray
from rulerank.features.pairs import FUSED, Pairs
from rulerank.features.registry import feature


@feature("neighbours")
def bm25_child_max(pairs: Pairs) -> FloatArray:
    """Highest score of the run bm25 among the candidates directly beneath the passage; missing if none."""
    return pairs.families.child_max(pairs.run_scores["bm25"])


@feature("neighbours")
def dense_child_max(pairs: Pairs) -> FloatArray:
    """Highest score of the run dense among the candidates directly beneath; missing if none."""
    return pairs.families.child_max(pairs.run_scores["dense"])


@feature("neighbours")
def pretrained_child_max(pairs: Pairs) -> FloatArray:
    """Highest `pretrained_score` among the candidates directly beneath; missing if none."""
    return pairs.families.child_max(pairs.around.pretrained())


@feature("neighbours", constants=FUSED)
def fused_child_max(pairs: Pairs) -> FloatArray:
    """Highest `fused_score` among the candidates directly beneath; missing if none."""
    return pairs.families.child_max(pairs.fused)


@feature("neighbours", constants=FUSED)
def fused_child_gap(pairs: Pairs) -> FloatArray:
    """The passage's own `fused_score` minus that highest; missing if none is beneath."""
    gap: FloatArray = pairs.fused - pairs.families.child_max(pairs.fused)
    return gap


@feature("neighbours")
def children_found(pairs: Pairs) -> FloatArray:
    """Number of the question's candidates directly beneath the passage."""
    above = pairs.families.parents
    return np.bincount(above[above >= 0], minlength=len(above)).astype(np.float32)
