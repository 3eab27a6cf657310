from __future__ import annotations

import sys

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


def test_export_takes_the_graph_of_a_bundle(bundle, tmp_path) -> None:
    out = tmp_path / "graph.graphml"
    done = CliRunner().invoke(app, ["graph", "export", "--data", str(bundle), "--out", str(out)])
    assert done.exit_code == 0
    written = nx.read_graphml(out)
    assert set(written) >= set(PASSAGES.map(bundle / "passages.arrow")["passage_id"])
    assert written.number_of_edges() == EDGES.map(bundle / "edges.arrow").height


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("none", "none: expected a folder with edges.parquet, found no such folder. "),
        ("file", "file: expected a folder with edges.parquet, found a file. "),
        ("empty", "empty: expected edges.parquet in it, found nothing. "),
        ("other", "other: expected edges.parquet in it, found passages.parquet. "),
        ("edges", "edges: expected passages.parquet beside edges.parquet or in "),
    ],
)
def test_export_of_no_graph_says_what_is_there_and_the_next_command(tmp_path, data, message) -> None:
    (tmp_path / "file").touch()
    for folder in ("empty", "other", "edges"):
        (tmp_path / folder).mkdir()
    PASSAGES.write(PASSAGES.empty(), tmp_path / "other/passages.parquet")
    EDGES.write(EDGES.empty(), tmp_path / "edges/edges.parquet")
    out = tmp_path / "out.graphml"
    done = CliRunner().invoke(app, ["graph", "export", "--data", str(tmp_path / data), "--out", str(out)])
    assert isinstance(done.exception, InputError)
    assert str(done.exception).startswith(f"{tmp_path}/{message}")
    assert "`rulerank graph export --data outputs/bundle`" in str(done.exception)
    assert not out.exists()


@pytest.mark.parametrize("table", ["edges", "passages"])
def test_export_of_a_table_that_is_no_parquet_names_it(tmp_path, table) -> None:
    PASSAGES.write(PASSAGES.empty(), tmp_path / "passages.parquet")
    EDGES.write(EDGES.empty(), tmp_path / "edges.parquet")
    (tmp_path / f"{table}.parquet").write_bytes(b"\x00\xff")
    done = CliRunner().invoke(app, ["graph", "export", "--data", str(tmp_path)])
    assert isinstance(done.exception, InputError)
    assert str(done.exception).startswith(
        f"{tmp_path}/{table}.parquet: expected the {table} table as Parquet"
    )


def test_export_without_networkx_says_what_to_install(tmp_path, monkeypatch) -> None:
    PASSAGES.write(PASSAGES.empty(), tmp_path / "passages.parquet")
    EDGES.write(EDGES.empty(), tmp_path / "edges.parquet")
    monkeypatch.setitem(sys.modules, "networkx", None)
    monkeypatch.delitem(sys.modules, "rulerank.graph.export", raising=False)
    done = CliRunner().invoke(app, ["graph", "export", "--data", str(tmp_path)])
    assert isinstance(done.exception, InputError)
    assert "expected networkx, found none. Install rulerank[train]." in str(done.exception)
