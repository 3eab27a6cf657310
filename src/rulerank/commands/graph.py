"""The commands `rulerank graph`: the graph of a corpus for other tools."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rulerank.console import say
from rulerank.errors import InputError
from rulerank.files import require_outputs

if TYPE_CHECKING:
    import polars as pl

graph = typer.Typer(no_args_is_help=True, help="Use the graph of a corpus in other tools.")

EDGE_TABLE, PASSAGE_TABLE = "edges.parquet", "passages.parquet"
NEXT = (
    "Run `dvc repro graph` and give --data outputs/graph, or give the folder of an exported ranker: "
    "`rulerank graph export --data outputs/bundle`."
)


@graph.command()
def export(
    data: Annotated[Path, typer.Option("--data", help="The folder outputs/graph, or a bundle.")] = Path(
        "outputs/graph"
    ),
    out: Annotated[Path, typer.Option("--out", help="The GraphML file to write.")] = Path("graph.graphml"),
) -> None:
    """Write the graph as GraphML, for Gephi, yEd, networkx and others; needs networkx.

    The passages are read from the same folder, or from `tables` beside it.
    """
    from rulerank.bundle import names

    try:
        from rulerank.graph.export import to_networkx, write_graphml
    except ImportError as error:
        raise InputError("graph export", "expected networkx, found none. Install rulerank[train].") from error
    require_outputs(out, inputs=[data], sealed=data if (data / names.MANIFEST).is_file() else None)
    exported = to_networkx(*_tables(data))
    write_graphml(exported, out)
    say(f"{exported.number_of_nodes()} nodes and {exported.number_of_edges()} edges in {out}")


def _tables(data: Path) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the edges and the passages of a bundle, or of the outputs of the pipeline."""
    from rulerank.bundle import names
    from rulerank.tables import EDGES, PASSAGES

    if (data / names.MANIFEST).is_file():
        return EDGES.map(data / names.EDGE_TABLE), PASSAGES.map(data / names.PASSAGE_TABLE)
    places = (data / PASSAGE_TABLE, data.resolve().parent / "tables" / PASSAGE_TABLE)
    passages = next((path for path in places if path.is_file()), None)
    if passages is None or not (data / EDGE_TABLE).is_file():
        raise InputError(data, f"expected {_missing(data)}. {NEXT}")
    return EDGES.read(data / EDGE_TABLE), PASSAGES.read(passages)


def _missing(data: Path) -> str:
    """Return what was expected in a folder that holds no graph, and what was found."""
    if not data.is_dir():
        return f"a folder with {EDGE_TABLE}, found {'a file' if data.exists() else 'no such folder'}"
    if (data / EDGE_TABLE).is_file():
        return f"{PASSAGE_TABLE} beside {EDGE_TABLE} or in {data.resolve().parent / 'tables'}, found neither"
    content = sorted(entry.name for entry in data.iterdir())[:5]
    return f"{EDGE_TABLE} in it, found {', '.join(content) or 'nothing'}"
