"""The command `rulerank graph`: the graph of a corpus for other tools."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rulerank.errors import InputError
from rulerank.tables import EDGES, PASSAGES

graph = typer.Typer(no_args_is_help=True, help="Use the graph of a corpus in other tools.")

EDGE_TABLE, PASSAGE_TABLE = "edges.parquet", "passages.parquet"
NEXT = (
    "Run `dvc repro graph` and give --data outputs/graph, or give the folder of an exported ranker: "
    "`rulerank graph export --data outputs/bundle`."
)


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
    try:
        from rulerank.graph.export import to_networkx, write_graphml
    except ImportError as error:
        raise InputError("graph export", "expected networkx, found none. Install rulerank[train].") from error
    places = (data / PASSAGE_TABLE, data.resolve().parent / "tables" / PASSAGE_TABLE)
    found = next((path for path in places if path.is_file()), None)
    if found is None or not (data / EDGE_TABLE).is_file():
        raise InputError(data, f"expected {_missing(data)}. {NEXT}")
    exported = to_networkx(EDGES.read(data / EDGE_TABLE), PASSAGES.read(found))
    write_graphml(exported, out)
    typer.echo(f"{exported.number_of_nodes()} nodes and {exported.number_of_edges()} edges in {out}")


def _missing(data: Path) -> str:
    """Return what was expected of a folder that no graph can be read from, and what came."""
    if not data.is_dir():
        return f"a folder with {EDGE_TABLE}, found {'a file' if data.exists() else 'no such folder'}"
    if (data / EDGE_TABLE).is_file():
        return f"{PASSAGE_TABLE} beside {EDGE_TABLE} or in {data.resolve().parent / 'tables'}, found neither"
    content = sorted(entry.name for entry in data.iterdir())[:5]
    return f"{EDGE_TABLE} in it, found {', '.join(content) or 'nothing'}"
