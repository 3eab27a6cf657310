"""How central each passage is in the whole graph: PageRank, HITS authority and degree."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from rulerank.arrays import DoubleArray, IntArray
from rulerank.tables import CENTRALITY

_DAMPING = 0.85
_PAGERANK_ROUNDS, _PAGERANK_TOLERANCE = 100, 1e-6
_HITS_ROUNDS, _HITS_TOLERANCE = 1000, 1e-10


WITHOUT_CONTAINMENT = ("CONTAINS",)
"""The edge types that HITS leaves out by default.

Every passage has exactly one such edge. With them the largest document, the best hub of all, takes nearly
the whole authority for its passages (94 % of it on the ObliQA corpus).
"""


def centrality(
    edges: pl.DataFrame, passage_ids: pl.Series, hits_without: Sequence[str] = WITHOUT_CONTAINMENT
) -> pl.DataFrame:
    """Return the centrality of each passage among all nodes.

    Every edge counts, of any type, from source to target. Two nodes joined by several types are joined once.
    Documents, defined terms and names take part, but only passages are reported.

    Parameters
    ----------
    edges : polars.DataFrame
        The edges table.
    passage_ids : polars.Series
        The N passages, in the order of the result.
    hits_without : sequence of str, optional (default=("CONTAINS",))
        Edge types that only HITS leaves out.

    Returns
    -------
    polars.DataFrame
        The table `CENTRALITY`: `pagerank` (damping 0.85, sums to 1 over all nodes), `hits_authority` (sums
        to 1 over all nodes; 0 everywhere if there are no edges) and `degree` (incoming and outgoing edges).

    """
    nodes = pl.concat([passage_ids, edges["source_id"], edges["target_id"]]).unique(maintain_order=True)
    links = _links(edges, nodes)
    pagerank = _pagerank(links, nodes.len())
    authority = _authority(_links(edges.filter(~pl.col("type").is_in(hits_without)), nodes), nodes.len())
    degree = np.bincount(links.ravel(), minlength=nodes.len())
    passages = slice(passage_ids.len())
    frame = pl.DataFrame(
        {
            "passage_id": passage_ids,
            "pagerank": pagerank[passages],
            "hits_authority": authority[passages],
            "degree": degree[passages],
        },
        schema=dict(CENTRALITY.columns),
    )
    return CENTRALITY.check(frame, "graph")


def _links(edges: pl.DataFrame, nodes: pl.Series) -> IntArray:
    """Return the numbers of source and target of every pair of nodes that an edge joins, shape (2, pairs)."""
    rows = pl.DataFrame({"id": nodes, "row": np.arange(nodes.len())})
    ends = (
        edges.select("source_id", "target_id")
        .unique()
        .join(rows.rename({"id": "source_id", "row": "source"}), on="source_id")
        .join(rows.rename({"id": "target_id", "row": "target"}), on="target_id")
        .sort("source", "target")
    )
    return np.stack([ends["source"].to_numpy(), ends["target"].to_numpy()])


def _pagerank(links: IntArray, size: int) -> DoubleArray:
    """Return PageRank (Brin and Page 1998, section 2.1.1) by power iteration from equal shares.

    A node without links shares its score among all nodes. The stopping rule is that of `networkx.pagerank`:
    a round that moves less than 1e-6 per node is the last one.
    """
    if not size:
        return np.empty(0)
    source, target = links
    out = np.bincount(source, minlength=size)
    dangling = out == 0
    per_link = np.divide(1.0, out, out=np.zeros(size), where=~dangling)
    shares = np.full(size, 1 / size)
    for _ in range(_PAGERANK_ROUNDS):
        before = shares
        followed = np.bincount(target, (before * per_link)[source], size) + before[dangling].sum() / size
        shares = _DAMPING * followed + (1 - _DAMPING) / size
        if np.abs(shares - before).sum() < size * _PAGERANK_TOLERANCE:
            break
    return shares


def _authority(links: IntArray, size: int) -> DoubleArray:
    """Return HITS authorities (Kleinberg 1999, section 3) by power iteration from equal shares.

    `networkx.hits` uses a singular value solver, which mixes signs if several communities tie for the
    greatest value. Repeated multiplication from a positive start stays positive and gives each community its
    share.
    """
    source, target = links
    if not len(source):
        return np.zeros(size)
    authority = np.full(size, 1 / size)
    for _ in range(_HITS_ROUNDS):
        before = authority
        hubs = np.bincount(source, before[target], size)
        cited = np.bincount(target, hubs[source], size)
        authority = cited / cited.sum()
        if np.abs(authority - before).sum() < _HITS_TOLERANCE:
            break
    return authority
