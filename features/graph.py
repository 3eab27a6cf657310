"""Stage graph: read the edges out of the corpus, each passage's place among them, and a page of both."""

from __future__ import annotations

from pathlib import Path

from rulerank.console import reported
from rulerank.evaluate.graph_page import graph_page
from rulerank.evaluate.page import html_page
from rulerank.files import replacing, write_json, write_text
from rulerank.graph.build import build_edges, summarise
from rulerank.graph.centrality import centrality
from rulerank.learn.workspace import GRAPH, TABLES
from rulerank.settings import load_settings
from rulerank.tables import DOCUMENTS, EDGES, PASSAGES
from rulerank.timing import timed


def main() -> None:
    """Write `outputs/graph`."""
    settings = load_settings()
    with timed("graph"):
        passages = PASSAGES.read(TABLES / "passages.parquet")
        documents = DOCUMENTS.read(TABLES / "documents.parquet")
        curated = TABLES / "references.parquet"
        listed = settings.graph.references == "curated" and curated.is_file()
        references = EDGES.read(curated) if listed else None
        edges = build_edges(passages, documents, references, settings.graph)
        EDGES.write(edges, GRAPH / "edges.parquet")
        with replacing(GRAPH / "centrality.parquet") as temporary:
            centrality(edges, passages["passage_id"]).write_parquet(temporary)
        _write_page(*graph_page(edges, passages, documents))
    write_json(Path("outputs/figures/graph.json"), summarise(edges))


def _write_page(page: str, pictures: dict[str, bytes]) -> None:
    for name, picture in pictures.items():
        with replacing(GRAPH / name) as temporary:
            temporary.write_bytes(picture)
    write_text(GRAPH / "statistics.md", page)
    write_text(GRAPH / "statistics.html", html_page(page, pictures))


if __name__ == "__main__":
    with reported():
        main()
