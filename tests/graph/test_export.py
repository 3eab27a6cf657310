from datetime import date

import networkx as nx
import polars as pl
import pytest

from rulerank.graph.export import to_networkx, write_graphml
from rulerank.tables import EDGES, PASSAGES


@pytest.fixture
def tables():
    passages = pl.DataFrame(
        [
            ("a", "D", "1", "Tides\x0b", "x", 2, "rule", 0, date(2020, 1, 1), None),
            ("b", "D", "2", "", "y", None, "form", 1, None, "s"),
        ],
        schema=dict(PASSAGES.columns),
        orient="row",
    )
    edges = pl.DataFrame(
        [
            ("document:D", "a", "CONTAINS", "1"),
            ("a", "b", "REFERENCES", "Rule 2 & “3” <\x00>"),
            ("a", "b", "REQUIRES_FORM", "Form 2"),
            ("a", "term:tide", "USES_TERM", "tide"),
            ("a", "term:sea \x01gull", "USES_TERM", "sea gull"),
        ],
        schema=dict(EDGES.columns),
        orient="row",
    )
    return edges, passages


def test_networkx_graph_has_typed_nodes_and_parallel_edges(tables) -> None:
    graph = to_networkx(*tables)
    assert dict(graph.nodes(data="node")) == {
        "a": "passage",
        "b": "passage",
        "document:D": "document",
        "term:tide": "term",
        "term:sea \x01gull": "term",
    }
    assert graph.nodes["a"]["effective_from"] == "2020-01-01"
    assert set(graph.nodes["b"]) == {"node", "document_id", "section", "title", "kind", "scope"}
    assert set(graph["a"]["b"]) == {"REFERENCES", "REQUIRES_FORM"}
    assert graph["a"]["b"]["REQUIRES_FORM"] == {"type": "REQUIRES_FORM", "evidence": "Form 2"}


def test_graphml_reads_back_as_the_same_graph(tables, tmp_path) -> None:
    graph = to_networkx(*tables)
    write_graphml(graph, tmp_path / "graph.graphml")
    read = nx.read_graphml(tmp_path / "graph.graphml", force_multigraph=True)
    graph = nx.relabel_nodes(graph, {"term:sea \x01gull": "term:sea gull"})
    graph.nodes["a"]["title"] = "Tides"
    graph["a"]["b"]["REFERENCES"]["evidence"] = "Rule 2 & “3” <>"
    assert dict(read.nodes(data=True)) == dict(graph.nodes(data=True))
    key = str
    assert sorted(read.edges(data=True), key=key) == sorted(graph.edges(data=True), key=key)
    assert len({identifier for _, _, identifier in read.edges(keys=True)}) == 5


def test_graphml_is_the_same_to_the_byte(tables, tmp_path) -> None:
    for name in ("one", "two"):
        write_graphml(to_networkx(*tables), tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
