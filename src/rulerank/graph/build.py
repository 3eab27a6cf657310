"""The whole graph of a corpus as one edges table."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from rulerank.graph.centrality import centrality
from rulerank.graph.citations import fitting_grammar, references_in
from rulerank.graph.hierarchy import contains, parent_of
from rulerank.graph.implied import cited_by, implied
from rulerank.graph.loops import mutual, without_loops
from rulerank.graph.names import names_edges
from rulerank.graph.terms import Keys, defined_terms, term_edges
from rulerank.settings import Graph
from rulerank.tables import EDGE_TYPES, EDGES

_ORDER = {name: place for place, name in enumerate(EDGE_TYPES)}


@dataclass(frozen=True, eq=False)
class Linked:
    """The links between the passages of a corpus.

    Parameters
    ----------
    edges : polars.DataFrame
        The edges table, in which no passages void each other.
    centrality : polars.DataFrame
        The table `CENTRALITY`, in the order of the passages.
    looped : polars.DataFrame
        The SUPERSEDES edges that were found on a loop, as in `rulerank.graph.loops.mutual`. In `edges` they
        are references.

    """

    edges: pl.DataFrame
    centrality: pl.DataFrame
    looped: pl.DataFrame


def link(
    passages: pl.DataFrame, documents: pl.DataFrame, references: pl.DataFrame | None, settings: Graph
) -> Linked:
    """Build the graph of a corpus; the arguments are the same as for `build_edges`."""
    read = build_edges(passages, documents, references, settings)
    edges = without_loops(read)
    return Linked(edges, centrality_of(edges, passages["passage_id"], settings), mutual(read))


def centrality_of(edges: pl.DataFrame, passage_ids: pl.Series, settings: Graph) -> pl.DataFrame:
    """Return the centrality of each passage by the edges that the section `graph` of params.yaml names."""
    counted = (
        edges if settings.centrality is None else edges.filter(pl.col("type").is_in(settings.centrality))
    )
    return centrality(counted, passage_ids, settings.hits_without)


def build_edges(
    passages: pl.DataFrame, documents: pl.DataFrame, references: pl.DataFrame | None, settings: Graph
) -> pl.DataFrame:
    """Return every edge of the corpus.

    Parameters
    ----------
    passages, documents : polars.DataFrame
        The two tables.
    references : polars.DataFrame or None
        The cross-references (source_id, target_id and evidence) of which those that are `curated` replace
        the REFERENCES read from the text. All other citing edges are read from the text.
    settings : Graph
        The section `graph` of params.yaml.

    Returns
    -------
    polars.DataFrame
        The edges table: the containment edges, citations of all types, what follows from these and from the
        dates (`rulerank.graph.implied`), defined terms, and the types that `settings.also` names. Each part
        is in the order of the passages.

    """
    grammar = fitting_grammar(settings.grammar, passages["text"].to_list())
    cited = references_in(passages, documents, grammar)
    listed = curated(references, passages)
    if listed is not None:
        listed = listed.with_columns(type=pl.lit("REFERENCES"), evidence=pl.col("evidence").fill_null(""))
        cited = pl.concat([listed, cited.filter(pl.col("type") != "REFERENCES")], how="diagonal")
    cited = cited.sort(cited["type"].replace_strict(_ORDER, return_dtype=pl.Int8), maintain_order=True)
    terms = defined_terms(passages, grammar)
    parts = [
        contains(passages),
        parent_of(passages),
        cited,
        implied(cited, passages),
        *term_edges(passages, terms, grammar, settings.max_term_share),
    ]
    if "CITED_BY" in settings.also:
        parts.append(cited_by(cited))
    if "NAMES" in settings.also:
        parts.append(names_edges(passages, terms, Keys(grammar.terms), settings.max_term_share))
    edges = pl.concat([part.select(list(EDGES.columns)) for part in parts])
    edges = edges.unique(EDGES.key, keep="first", maintain_order=True)
    return EDGES.check(edges, "graph")


def curated(references: pl.DataFrame | None, passages: pl.DataFrame) -> pl.DataFrame | None:
    """Return the curated references from one passage of a corpus to another, or None if it has no table.

    A table that says of no passage of the corpus what it cites does not count: it does not say that nothing
    is cited.

    Parameters
    ----------
    references : polars.DataFrame or None
        source_id and target_id; either may be a passage that the corpus lacks.
    passages : polars.DataFrame
        The passages table.

    """
    if references is None:
        return None
    known = passages["passage_id"].implode()
    stated = references.filter(pl.col("source_id").is_in(known), pl.col("source_id") != pl.col("target_id"))
    return stated.filter(pl.col("target_id").is_in(known)) if stated.height else None


def summarise(edges: pl.DataFrame) -> dict[str, int]:
    """Return the number of edges of each type, by name."""
    return dict(edges["type"].value_counts().sort("type").iter_rows())
