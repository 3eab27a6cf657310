"""The command `rulerank graph`: the graph of a corpus for other tools."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rulerank.tables import EDGES, PASSAGES

graph = typer.Typer(no_args_is_help=True, help="Use the graph of a corpus in other tools.")

PASSAGE_TABLE = "passages.parquet"


@graph.callback()
def _graph() -> None:
    """Keep `export` a command of its own while it is the only one."""


@graph.command()
def export(
    data: Annotated[
        Path, typer.Option("--data", help="Folder with edges.parquet: outputs/graph, or a bundle.")
    ] = Path("outputs/graph"),
    out: Annotated[Path, typer.Option("--out", help="The GraphML file to write.")] = Path("graph.graphml"),
) -> None:
    """Write the graph as GraphML, for Gephi, yEd, networkx and others; needs networkx.

    The passages are read from the same folder, or from `tables` beside it.
    """
    from rulerank.graph.export import to_networkx, write_graphml

    beside = data / PASSAGE_TABLE
    tables = data.resolve().parent / "tables" / PASSAGE_TABLE
    passages = PASSAGES.read(beside if beside.is_file() else tables)
    exported = to_networkx(EDGES.read(data / "edges.parquet"), passages)
    write_graphml(exported, out)
    typer.echo(f"{exported.number_of_nodes()} nodes and {exported.number_of_edges()} edges in {out}")
