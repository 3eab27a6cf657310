"""Authority features: whether a later passage has voided one (edges of type SUPERSEDES); 0 if none has."""

from __future__ import annotations

import numpy as np

from rulerank.arrays import FloatArray
from rulerank.features.pairs import Pairs
from rulerank.features.registry import feature
from rulerank.retrieve.hits import among


@feature("authority")
def superseded(pairs: Pairs) -> FloatArray:
    """1 if another passage supersedes the passage, else 0."""
    return pairs.of_passage("superseded")


@feature("authority")
def frontier(pairs: Pairs) -> FloatArray:
    """1 if the passage supersedes another and none supersedes it, else 0."""
    return pairs.of_passage("frontier")


@feature("authority")
def superseding_chain(pairs: Pairs) -> FloatArray:
    """Number of passages in the longest chain of superseders above the passage."""
    return pairs.of_passage("chain_length")


@feature("authority")
def superseder_found(pairs: Pairs) -> FloatArray:
    """1 if a candidate of the question supersedes the passage, else 0."""
    owner, above, _ = pairs.index.around.superseders.take(pairs.columns)
    found = among(pairs.keys, pairs.rows[owner] * len(pairs.index) + above)
    return (np.bincount(owner, found, len(pairs.rows)) > 0).astype(np.float32)
