"""Structure features: where in its document a passage is."""

from __future__ import annotations

import numpy as np

from rulerank.arrays import FloatArray
from rulerank.features.pairs import Pairs
from rulerank.features.registry import feature


@feature("structure")
def kind(pairs: Pairs) -> FloatArray:
    """Kind of the passage (heading, definition, rule, guidance, ...), as its place in `KINDS`."""
    return pairs.of_passage("kind")


@feature("structure")
def tier(pairs: Pairs) -> FloatArray:
    """Authority tier of the passage, 1 statute to 5 manual; missing if unknown."""
    return pairs.of_passage("tier")


@feature("structure")
def section_depth(pairs: Pairs) -> FloatArray:
    """Number of ancestors of the passage."""
    return pairs.of_passage("section_depth")


@feature("structure")
def document_size(pairs: Pairs) -> FloatArray:
    """Number of passages in the passage's document."""
    return pairs.of_passage("document_size")


@feature("structure")
def repeats(pairs: Pairs) -> FloatArray:
    """Number of other passages with the same text, apart from case and surrounding space."""
    return pairs.of_passage("repeats")


@feature("structure")
def document_share(pairs: Pairs) -> FloatArray:
    """Share of the question's candidates that come from the passage's document."""
    counts = np.bincount(pairs.families.document)[pairs.families.document]
    share: FloatArray = (counts / np.bincount(pairs.rows)[pairs.rows]).astype(np.float32)
    return share
