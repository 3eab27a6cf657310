"""What contains what: documents contain passages, sections contain sub-sections."""

from __future__ import annotations

import polars as pl

from rulerank.graph.sections import first_at, parse
from rulerank.tables import DOCUMENT_NODE, EDGES


def contains(passages: pl.DataFrame) -> pl.DataFrame:
    """Return one CONTAINS edge `document:<document_id>` -> passage for every passage."""
    return passages.select(
        source_id=DOCUMENT_NODE + pl.col("document_id"),
        target_id="passage_id",
        type=pl.lit("CONTAINS"),
        evidence="section",
    )


def parent_of(passages: pl.DataFrame) -> pl.DataFrame:
    """Return PARENT_OF edges parent -> child: the closest existing ancestor within the document.

    The child's section id is trimmed from the right, one component at a time, until a section of that name
    exists. If several passages carry one section id, the parent is the first that a sub-section directly
    follows, else the first. A section none of whose ancestors exists has no parent.

    Parameters
    ----------
    passages : polars.DataFrame
        The passages table.

    Returns
    -------
    polars.DataFrame
        The edges table; the evidence is the child's section id.

    """
    rows = in_reading_order(passages)
    identifiers, sections = rows["passage_id"].to_list(), rows["section"].to_list()
    paths = [
        (document, *parse(section)) for document, section in zip(rows["document_id"], sections, strict=True)
    ]
    places = first_at(paths)
    edges = []
    for identifier, section, path in zip(identifiers, sections, paths, strict=True):
        ancestors = (places.get(path[:length]) for length in range(len(path) - 1, 1, -1))
        parent = next((place for place in ancestors if place is not None), None)
        if parent is not None:
            edges.append((identifiers[parent], identifier, "PARENT_OF", section))
    return pl.DataFrame(edges, schema=dict(EDGES.columns), orient="row")


def in_reading_order(passages: pl.DataFrame) -> pl.DataFrame:
    """Return passages document by document, in the order of the documents' first rows, and by position.

    Positions may count anew in each document, so they alone would interleave documents.
    """
    return (
        passages.with_columns(first=pl.int_range(pl.len()))
        .with_columns(pl.col("first").min().over("document_id"))
        .sort("first", "position", maintain_order=True)
        .drop("first")
    )
