"""The tables that pass between packages: column names, types, and one check per table.

A table is a polars frame in memory and Parquet on disk. Keys are strings. `Table.check` runs where a
frame enters a package; its error names the file, the column, what was expected, what was found and what to
do.
"""

from __future__ import annotations

from collections.abc import Iterable

import polars as pl

from rulerank.tables.table import Table

HIGHEST = 3
"""The highest relevance of a judgement; the ranker has a gain for each value from 0."""

PASSAGES = Table(
    "passages",
    {
        "passage_id": pl.String(),
        "document_id": pl.String(),
        "section": pl.String(),
        "title": pl.String(),
        "text": pl.String(),
        "tier": pl.Int8(),
        "kind": pl.String(),
        "position": pl.Int32(),
        "effective_from": pl.Date(),
        "scope": pl.String(),
    },
    key=("passage_id",),
    nullable=frozenset({"tier", "effective_from", "scope"}),
)

DOCUMENTS = Table(
    "documents",
    {"document_id": pl.String(), "title": pl.String(), "aliases": pl.List(pl.String())},
    key=("document_id",),
)

QUERIES = Table(
    "queries",
    {
        "query_id": pl.String(),
        "text": pl.String(),
        "split": pl.String(),
        "collection": pl.String(),
        "level": pl.String(),
        "group": pl.String(),
    },
    key=("query_id",),
    # A judged set published without its question has no text and is used only by the judgement features.
    nullable=frozenset({"text", "level", "group"}),
)

JUDGEMENTS = Table(
    "judgements",
    {"query_id": pl.String(), "passage_id": pl.String(), "relevance": pl.Int8()},
    key=("query_id", "passage_id"),
    contiguous="query_id",
)

FOLDS = Table(
    "folds",
    {
        "query_id": pl.String(),
        "cluster": pl.Int32(),
        "fold": pl.Int8(),
        "as_new": pl.Boolean(),
        "served_by": pl.Int8(),
        "hidden_from": pl.List(pl.Int8()),
    },
    key=("query_id",),
)

EDGES = Table(
    "edges",
    {
        "source_id": pl.String(),
        "target_id": pl.String(),
        "type": pl.String(),
        "evidence": pl.String(),
    },
    key=("source_id", "target_id", "type"),
)

CENTRALITY = Table(
    "centrality",
    {
        "passage_id": pl.String(),
        "pagerank": pl.Float64(),
        "hits_authority": pl.Float64(),
        "degree": pl.Int32(),
    },
    key=("passage_id",),
)

CANDIDATES = Table(
    "candidates",
    {"query_id": pl.String(), "passage_id": pl.String(), "rank": pl.Int32()},
    key=("query_id", "passage_id"),
    contiguous="query_id",
)

RUNS = Table(
    "runs",
    {
        "run": pl.String(),
        "query_id": pl.String(),
        "passage_id": pl.String(),
        "rank": pl.Int32(),
        "score": pl.Float64(),
    },
    key=("run", "query_id", "passage_id"),
)

RANK = pl.col("score").rank("ordinal", descending=True).over("query_id").cast(pl.Int32)
"""The rank of each row of one run by its score within its question, from 1; equal scores keep their order."""

FEATURES = Table(
    "features",
    {"query_id": pl.String(), "passage_id": pl.String(), "relevance": pl.Int8()},
    key=("query_id", "passage_id"),
    contiguous="query_id",
    open_ended=True,
)

GOLDEN_ROWS = Table("golden rows", {"score": pl.Float64()}, open_ended=True)
"""Rows of the features table, each with the score that the exported ranker gave it."""

SPLITS = ("train", "validation", "test")
"""The splits a query can belong to. Only the stages evaluate and answers read `test`."""

KINDS = ("heading", "definition", "rule", "guidance", "form", "exception", "text")
"""What a passage is. Headings without text are kept for the graph and are never candidates."""

EDGE_TYPES = (
    "CONTAINS",
    "PARENT_OF",
    "REFERENCES",
    "DELEGATES_TO",
    "SPECIFIES",
    "DEFINES",
    "USES_TERM",
    "MENTIONS",
    "REQUIRES_FORM",
    "SUPERSEDES",
    "CITED_BY",
    "NAMES",
)
"""Edge types.

Nodes are passage ids, `document:<document_id>`, `term:<normalised term>` and `name:<name>`.
"""

OTHER_NODES = DOCUMENT_NODE, TERM_NODE, NAME_NODE = ("document:", "term:", "name:")
"""What the names of nodes that are not passages begin with."""


def stacked(frames: Iterable[pl.DataFrame]) -> pl.DataFrame:
    """Return frames of the same columns below one another; without any, a frame without columns."""
    return pl.concat([pl.DataFrame(), *frames], how="diagonal")


_WHITE_SPACE = "".join(
    each for each in map(chr, range(0x3001)) if each.isspace() and not "\x1c" <= each <= "\x1f"
)
"""What Polars strips: the white space of Unicode, to which Python adds four control characters."""


def has_text(passages: pl.DataFrame) -> pl.Series:
    """Return whether each passage has a text; one without is a heading, which is never a candidate."""
    return passages["text"].str.strip_chars() != ""


def is_blank(text: str) -> bool:
    """Return whether a passage of this text has none, as `has_text` says."""
    return not text.strip(_WHITE_SPACE)
