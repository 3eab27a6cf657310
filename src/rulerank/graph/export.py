"""The graph for other tools: as a networkx graph, and as GraphML."""

from __future__ import annotations

import re
from pathlib import Path

import networkx as nx
import polars as pl

from rulerank.files import replacing

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 (section 2.2) does not allow in a document."""

_FACTS = ("document_id", "section", "title", "kind", "tier", "effective_from", "scope")


def to_networkx(edges: pl.DataFrame, passages: pl.DataFrame) -> nx.MultiDiGraph:
    """Return the typed graph.

    Parameters
    ----------
    edges, passages : polars.DataFrame
        The two tables.

    Returns
    -------
    networkx.MultiDiGraph
        Nodes by id: the passages first, in their order, then all other ends of edges. `node` says what a node
        is (passage, document, term, ...). A passage also has its facts, except for missing ones. Edges have
        their type as key; `type` and `evidence` are attributes.

    """
    graph = nx.MultiDiGraph()
    facts = passages.select("passage_id", *_FACTS).with_columns(pl.col("effective_from").cast(pl.String))
    for row in facts.iter_rows(named=True):
        known = {name: value for name, value in row.items() if name in _FACTS and value is not None}
        graph.add_node(row["passage_id"], node="passage", **known)
    for source, target, kind, evidence in edges.iter_rows():
        for end in (source, target):
            if end not in graph:
                graph.add_node(end, node=end.partition(":")[0])
        graph.add_edge(source, target, key=kind, type=kind, evidence=evidence)
    return graph


def write_graphml(graph: nx.MultiDiGraph, path: Path) -> None:
    """Write a graph as GraphML (http://graphml.graphdrawing.org): the same bytes for the same graph.

    Edges are numbered in order, since readers take the id of an edge to be its own. Characters that XML
    does not allow are left out.
    """
    numbered = nx.MultiDiGraph()
    numbered.add_nodes_from((_cleaned(node), _clean(facts)) for node, facts in graph.nodes(data=True))
    numbered.add_edges_from(
        (_cleaned(source), _cleaned(target), f"e{place}", _clean(facts))
        for place, (source, target, facts) in enumerate(graph.edges(data=True))
    )
    with replacing(path) as temporary:
        nx.write_graphml_xml(numbered, temporary)


def _clean(facts: dict[str, str | int]) -> dict[str, str | int]:
    return {name: _cleaned(value) if isinstance(value, str) else value for name, value in facts.items()}


def _cleaned(text: str) -> str:
    return _NOT_XML.sub("", text)
