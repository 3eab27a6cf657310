"""Centrality features: how central a passage is in the graph (ObliQA-MP, Table 2)."""

from __future__ import annotations

from rulerank.arrays import FloatArray
from rulerank.features.pairs import Pairs
from rulerank.features.registry import feature


@feature("centrality")
def pr(pairs: Pairs) -> FloatArray:
    """PageRank of the passage."""
    return pairs.of_passage("pagerank")


@feature("centrality")
def hits_auth(pairs: Pairs) -> FloatArray:
    """HITS authority of the passage."""
    return pairs.of_passage("hits_authority")


@feature("centrality")
def deg(pairs: Pairs) -> FloatArray:
    """Number of nodes that an edge joins the passage with, counted once for each direction."""
    return pairs.of_passage("degree")
