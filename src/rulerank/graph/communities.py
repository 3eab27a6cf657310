"""Communities: passages that edges join to each other more than to the rest. They need networkx."""

from __future__ import annotations

from dataclasses import dataclass

import networkx as nx
import numpy as np
import polars as pl

from rulerank.arrays import IntArray
from rulerank.graph.adjacency import CITING, adjacency
from rulerank.sparse import as_matrix

JOINING = (*CITING, "PARENT_OF")
"""The edge types that count: citations of every kind and the hierarchy."""


@dataclass(frozen=True, eq=False)
class Communities:
    """A partition of N passages.

    Parameters
    ----------
    labels : int array of shape (N,)
        The community of each passage, the largest being 0. A passage without an edge is its own community.
    modularity : float
        How much larger the share of edges within communities is than expected by chance (Newman and Girvan,
        2004, equation 5); 0 for a graph without edges.

    """

    labels: IntArray
    modularity: float

    @property
    def sizes(self) -> IntArray:
        """Number of passages in each community, the largest first."""
        return np.bincount(self.labels)


def communities(edges: pl.DataFrame, passage_ids: pl.Series, seed: int = 7) -> Communities:
    """Partition the passages by the edges of the types `JOINING`, with Louvain's method.

    Blondel and others, J. Stat. Mech. P10008, 2008.

    Parameters
    ----------
    edges : polars.DataFrame
        The edges table; an edge joins its ends in either direction.
    passage_ids : polars.Series
        The N passages.
    seed : int, optional (default=7)
        Seed of the random order in which the method takes the passages.

    """
    links = as_matrix(adjacency(edges, passage_ids, JOINING, "both"), len(passage_ids))
    graph = nx.from_scipy_sparse_array(links)
    graph.remove_edges_from(list(nx.selfloop_edges(graph)))
    found = nx.community.louvain_communities(graph, seed=seed)
    labels = np.empty(len(passage_ids), np.int64)
    for label, members in enumerate(sorted(found, key=lambda each: (-len(each), min(each)))):
        labels[list(members)] = label
    within = float(nx.community.modularity(graph, found)) if graph.number_of_edges() else 0.0
    return Communities(labels, within)


def within(edges: pl.DataFrame, passage_ids: pl.Series, found: Communities) -> pl.DataFrame:
    """Return the edges that do not lead from one community to another."""
    labels = pl.DataFrame({"id": passage_ids, "label": found.labels})
    ends = (
        edges.select(id=end).join(labels, on="id", how="left", maintain_order="left")["label"]
        for end in ("source_id", "target_id")
    )
    source, target = ends
    return edges.filter((source == target).fill_null(value=True))
