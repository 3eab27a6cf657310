"""How central each passage is in the whole graph: PageRank, HITS authority and degree."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.sparse import csr_array

from rulerank.tables import CENTRALITY

_DAMPING = 0.85
_PAGERANK_ROUNDS, _PAGERANK_TOLERANCE = 100, 1e-6
_HITS_ROUNDS, _HITS_TOLERANCE = 1000, 1e-10

Links = csr_array[np.float64]
Shares = NDArray[np.float64]


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
    pagerank = _pagerank(links)
    authority = _authority(_links(edges.filter(~pl.col("type").is_in(hits_without)), nodes))
    degree = np.diff(links.indptr) + np.bincount(links.indices, minlength=nodes.len())
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


def _links(edges: pl.DataFrame, nodes: pl.Series) -> Links:
    """Return 1 at (source, target) for every pair of nodes that an edge joins, shape (nodes, nodes)."""
    rows = pl.DataFrame({"id": nodes, "row": np.arange(nodes.len())})
    ends = (
        edges.select("source_id", "target_id")
        .unique()
        .join(rows.rename({"id": "source_id", "row": "source"}), on="source_id")
        .join(rows.rename({"id": "target_id", "row": "target"}), on="target_id")
        .sort("source", "target")
    )
    places = ends["source"].to_numpy(), ends["target"].to_numpy()
    return csr_array((np.ones(ends.height), places), shape=(nodes.len(), nodes.len()))


def _pagerank(links: Links) -> Shares:
    """Return PageRank (Brin and Page 1998, section 2.1.1) by power iteration from equal shares.

    A node without links shares its score among all nodes. The stopping rule is that of `networkx.pagerank`:
    a round that moves less than 1e-6 per node is the last one.
    """
    size = links.shape[0]
    if not size:
        return np.empty(0)
    out = np.diff(links.indptr)
    dangling = out == 0
    incoming = csr_array(links.T)
    per_link = np.divide(1.0, out, out=np.zeros(size), where=~dangling)
    shares = np.full(size, 1 / size)
    for _ in range(_PAGERANK_ROUNDS):
        before = shares
        followed = incoming @ (before * per_link) + before[dangling].sum() / size
        shares = _DAMPING * followed + (1 - _DAMPING) / size
        if np.abs(shares - before).sum() < size * _PAGERANK_TOLERANCE:
            break
    return shares


def _authority(links: Links) -> Shares:
    """Return HITS authorities (Kleinberg 1999, section 3) by power iteration from equal shares.

    `networkx.hits` uses a singular value solver, which mixes signs if several communities tie for the
    greatest value. Repeated multiplication from a positive start stays positive and gives each community its
    share.
    """
    if not links.nnz:
        return np.zeros(links.shape[0])
    cited_by = csr_array(links.T)
    authority = np.full(links.shape[0], 1 / links.shape[0])
    for _ in range(_HITS_ROUNDS):
        before = authority
        authority = cited_by @ (links @ before)
        authority /= authority.sum()
        if np.abs(authority - before).sum() < _HITS_TOLERANCE:
            break
    return authority
