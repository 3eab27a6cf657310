"""Stage graph: extract the edges from the corpus, compute the passages' centrality, write a page on both."""

from __future__ import annotations

import warnings

import polars as pl

from rulerank.errors import DataWarning
from rulerank.evaluate.graph_page import graph_page
from rulerank.evaluate.page import html_page
from rulerank.files import replacing, write_text
from rulerank.graph.build import link, summarise
from rulerank.graph.loops import about
from rulerank.pipeline.paths import CENTRALITY_TABLE, EDGE_TABLE, GRAPH, TABLES
from rulerank.pipeline.stage import Outcome, stage
from rulerank.settings import Settings
from rulerank.tables import CENTRALITY, DOCUMENTS, EDGES, PASSAGES

PAGE, PICTURES = ("statistics.html", "statistics.md"), ("component.png", "degrees.png")


@stage(
    "graph",
    reads=[TABLES],
    writes=[CENTRALITY_TABLE, EDGE_TABLE, *(GRAPH / name for name in (*PAGE, *PICTURES))],
    params=["graph"],
)
def main(settings: Settings) -> Outcome:
    """Write `outputs/graph`."""
    passages = PASSAGES.read(TABLES / "passages.parquet")
    documents = DOCUMENTS.read(TABLES / "documents.parquet")
    curated = TABLES / "references.parquet"
    listed = settings.graph.references == "curated" and curated.is_file()
    references = EDGES.read(curated) if listed else None
    linked = link(passages, documents, references, settings.graph)
    EDGES.write(linked.edges, EDGE_TABLE)
    CENTRALITY.write(linked.centrality, CENTRALITY_TABLE)
    if linked.looped.height:
        warnings.warn(_about(linked.looped), DataWarning, stacklevel=2)
    _write_page(*graph_page(linked.edges, passages, documents, linked.looped))
    return Outcome({**summarise(linked.edges), "mutual": linked.looped.height})


def _about(looped: pl.DataFrame) -> str:
    return (
        f"{about(looped)} All {looped.height} such edges are in {GRAPH / 'statistics.md'}; "
        "correct the passages' texts, scopes or dates."
    )


def _write_page(page: str, pictures: dict[str, bytes]) -> None:
    for name, picture in pictures.items():
        with replacing(GRAPH / name) as temporary:
            temporary.write_bytes(picture)
    write_text(GRAPH / "statistics.md", page)
    write_text(GRAPH / "statistics.html", html_page(page, pictures))


if __name__ == "__main__":
    main.run()
