"""The page of a corpus's graph: figures, pictures, and the passages cited most."""

from __future__ import annotations

import polars as pl

from rulerank.evaluate.figures.graph import component_figure, degrees_figure
from rulerank.evaluate.figures.style import png
from rulerank.evaluate.report import markdown_table
from rulerank.graph.adjacency import CITING, adjacency
from rulerank.graph.statistics import core, degrees, describe, most_cited
from rulerank.sparse import as_matrix

COMPONENT, DEGREES = "component.png", "degrees.png"

_DRAWN = 250
_WORDS = 25

_EXPLAINED = """\
A degree counts the edges at a passage. Its mean and median are over all passages; orphans have none. A
component is a set of two or more nodes that edges of these types join, in either direction; documents and
defined terms are nodes too. Citations are edges of the types {citing}.
"""

_LOOPED = """\
By its words or date, each of these voids the other, directly or through others. Nothing says which of them
came last, so none is treated as void; they count as references.
"""


def graph_page(
    edges: pl.DataFrame, passages: pl.DataFrame, documents: pl.DataFrame, looped: pl.DataFrame
) -> tuple[str, dict[str, bytes]]:
    """Return the page as Markdown, and its pictures as PNG by their address in the page.

    Parameters
    ----------
    edges, passages, documents : polars.DataFrame
        The three tables.
    looped : polars.DataFrame
        From `rulerank.graph.loops.mutual`: edges that were read but void in a circle.

    """
    cited = most_cited(edges, passages).with_columns(pl.col("text").map_elements(_short, pl.String))
    figures = describe(edges, passages["passage_id"])
    sides = [f"{side}_{name}" for side in ("in", "out") for name in ("mean", "median", "max", "max_passage")]
    pictures = _pictures(edges, passages, documents)
    parts = [
        "# The graph\n",
        f"{passages.height:,} passages in {documents.height:,} documents, {edges.height:,} edges.\n",
        _EXPLAINED.format(citing=", ".join(CITING)),
        "## Edges by type\n",
        markdown_table(figures.select("type", "edges", "components", "largest", "orphans"), 3),
        "## Degrees\n",
        markdown_table(figures.select("type", *sides).rename(_spaced), 2),
        *(f"![{name.removesuffix('.png')}]({name})\n" for name in pictures),
        *(["## Void each other\n", _LOOPED, markdown_table(looped.drop("type"))] if looped.height else []),
        "## Cited most\n",
        markdown_table(cited),
    ]
    return "\n".join(parts), pictures


def _pictures(edges: pl.DataFrame, passages: pl.DataFrame, documents: pl.DataFrame) -> dict[str, bytes]:
    """Return the pictures of the edges between passages."""
    ids = passages["passage_id"]
    rows, size = core(adjacency(edges, ids, [*CITING, "PARENT_OF"], "both"), _DRAWN)
    drawn = passages[rows].join(documents, on="document_id", how="left", maintain_order="left", suffix="_of")
    cites, contains = (
        as_matrix(adjacency(edges, ids, types), len(ids))[rows][:, rows] for types in (CITING, ["PARENT_OF"])
    )
    component = component_figure(
        cites,
        contains,
        drawn["section"].to_list(),
        drawn["title_of"].fill_null(drawn["document_id"]).to_list(),
        f"the largest component, {size:,} passages"
        + (f"; drawn: the {len(rows)} best connected" if size > len(rows) else ""),
    )
    cited = degrees(edges.filter(pl.col("type").is_in(CITING)), ids)
    return {
        DEGREES: png(degrees_figure(*cited, f"{passages.height:,} passages")),
        COMPONENT: png(component),
    }


def _spaced(column: str) -> str:
    return column.replace("_", " ")


def _short(text: str) -> str:
    words = text.split()
    return " ".join(words[:_WORDS]) + (" …" if len(words) > _WORDS else "")
