from __future__ import annotations

import networkx as nx
import polars as pl
import pytest
from typer.testing import CliRunner

from rulerank.cli import app
from rulerank.errors import InputError
from rulerank.tables import EDGES, PASSAGES


@pytest.mark.parametrize("tables", ["graph", "tables"])
def test_export_finds_the_passages_in_the_folder_or_beside_it(tmp_path, tables) -> None:
    passages = pl.DataFrame(
        [("a", "D", "1", "", "x", None, "rule", 0, None, None)], schema=dict(PASSAGES.columns), orient="row"
    )
    PASSAGES.write(passages, tmp_path / tables / "passages.parquet")
    edges = pl.DataFrame([("document:D", "a", "CONTAINS", "1")], schema=dict(EDGES.columns), orient="row")
    EDGES.write(edges, tmp_path / "graph/edges.parquet")
    out = tmp_path / "graph.graphml"
    done = CliRunner().invoke(app, ["graph", "export", "--data", str(tmp_path / "graph"), "--out", str(out)])
    assert done.exit_code == 0
    assert "2 nodes and 1 edges" in done.stdout
    assert set(nx.read_graphml(out)) == {"document:D", "a"}


def test_export_of_no_graph_says_which_file_is_missing(tmp_path) -> None:
    done = CliRunner().invoke(app, ["graph", "export", "--data", str(tmp_path)])
    assert isinstance(done.exception, InputError)
    assert "passages.parquet" in str(done.exception)
