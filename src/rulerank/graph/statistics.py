"""A graph in numbers: edges by type, degrees, components, and the passages cited most."""

from __future__ import annotations

import heapq
from collections.abc import Sequence

import numpy as np
import polars as pl
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from rulerank.arrays import IntArray
from rulerank.graph.adjacency import CITING
from rulerank.ragged import Ragged
from rulerank.sparse import as_matrix

CITATIONS, ALL = "all citations", "all edges"
MOST_CITED = 15
"""How many of the passages cited most are named."""


def describe(edges: pl.DataFrame, passage_ids: pl.Series) -> pl.DataFrame:
    """Return the figures of each edge type, of the citing types together, and of all edges.

    Parameters
    ----------
    edges : polars.DataFrame
        The edges table.
    passage_ids : polars.Series
        The N passages.

    Returns
    -------
    polars.DataFrame
        type; edges; components: the weakly connected ones of two or more nodes, and `largest`, the number of
        nodes of the largest (documents and terms are nodes too); orphans: share of the passages with no such
        edge; in_mean, in_median, in_max and in_max_passage (null if there is no such edge), for edges that
        end at a passage, and the same with out for edges that start there, over all passages.

    """
    kinds = edges["type"].unique().sort().to_list()
    groups = {kind: [kind] for kind in kinds} | {CITATIONS: list(CITING), ALL: kinds}
    return pl.DataFrame(
        [
            {"type": name, **_figures(edges.filter(pl.col("type").is_in(types)), passage_ids)}
            for name, types in groups.items()
        ],
        infer_schema_length=None,
    )


def degrees(edges: pl.DataFrame, passage_ids: pl.Series) -> tuple[IntArray, IntArray]:
    """Return how many edges end and how many start at each passage, as two arrays of shape (N,)."""
    return _counted(edges["target_id"], passage_ids), _counted(edges["source_id"], passage_ids)


def most_cited(edges: pl.DataFrame, passages: pl.DataFrame) -> pl.DataFrame:
    """Return the passages that most citations lead to: passage_id, document_id, section, citations, text."""
    incoming, _ = degrees(edges.filter(pl.col("type").is_in(CITING)), passages["passage_id"])
    return (
        passages.select("passage_id", "document_id", "section", citations=incoming, text="text")
        .filter(pl.col("citations") > 0)
        .sort("citations", descending=True, maintain_order=True)
        .head(MOST_CITED)
    )


def core(links: Ragged, limit: int) -> tuple[IntArray, int]:
    """Return the best connected passages of the largest component.

    The first is the passage with the highest degree. Then the neighbour with the highest degree joins next,
    so the result is connected.

    Parameters
    ----------
    links : Ragged
        For each of N passages, those that an edge joins it to, in either direction.
    limit : int
        Maximum number of passages to return.

    Returns
    -------
    rows : int array
        The passages in the order in which they joined.
    size : int
        Number of passages in the component.

    """
    labels = connected_components(as_matrix(links, len(links)), directed=False)[1]
    inside = labels == np.bincount(labels).argmax()
    degree = links.sizes
    first = int(np.where(inside, degree, -1).argmax())
    return np.array(_grown(links, degree, first, limit), np.int64), int(inside.sum())


def _counted(ends: pl.Series, passage_ids: pl.Series) -> IntArray:
    counts = ends.rename("id").value_counts()
    counted = pl.DataFrame({"id": passage_ids}).join(counts, on="id", how="left", maintain_order="left")
    return counted["count"].fill_null(0).cast(pl.Int64).to_numpy()


def _grown(links: Ragged, degree: IntArray, first: int, limit: int) -> Sequence[int]:
    waiting, seen = [(-int(degree[first]), first)], {first}
    joined: list[int] = []
    while waiting and len(joined) < limit:
        row = heapq.heappop(waiting)[1]
        joined.append(row)
        for other in links.of(row).tolist():
            if other not in seen:
                seen.add(other)
                heapq.heappush(waiting, (-int(degree[other]), other))
    return joined


def _figures(edges: pl.DataFrame, passage_ids: pl.Series) -> dict[str, object]:
    incoming, outgoing = degrees(edges, passage_ids)
    sizes = _component_sizes(edges)
    sides = {
        f"{side}_{name}": value
        for side, degree in (("in", incoming), ("out", outgoing))
        for name, value in _spread(degree, passage_ids).items()
    }
    orphans = float((incoming + outgoing == 0).mean()) if len(passage_ids) else 0.0
    largest = int(sizes.max(initial=0))
    return {
        "edges": edges.height,
        "components": len(sizes),
        "largest": largest,
        "orphans": orphans,
        **sides,
    }


def _spread(degree: IntArray, passage_ids: pl.Series) -> dict[str, object]:
    most = int(degree.max(initial=0))
    return {
        "mean": float(degree.mean()) if len(degree) else 0.0,
        "median": float(np.median(degree)) if len(degree) else 0.0,
        "max": most,
        "max_passage": passage_ids[int(degree.argmax())] if most else None,
    }


def _component_sizes(edges: pl.DataFrame) -> IntArray:
    """Return the number of nodes of each weakly connected component that has an edge."""
    if not edges.height:
        return np.empty(0, np.int64)
    ends = pl.concat([edges["source_id"], edges["target_id"]]).cast(pl.Categorical).to_physical().to_numpy()
    nodes, places = np.unique(ends, return_inverse=True)
    links = csr_array(
        (np.ones(edges.height), (places[: edges.height], places[edges.height :])), shape=(len(nodes),) * 2
    )
    return np.bincount(connected_components(links, directed=False)[1])
