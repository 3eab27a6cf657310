"""What a reader returns: the tables of one corpus, and everything it left out or repaired."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import polars as pl

from rulerank.tables import DOCUMENTS, JUDGEMENTS, QUERIES, SPLITS
from rulerank.text import SEEN


@dataclass(frozen=True, eq=False)
class Questions:
    """Questions with their judged passages.

    Parameters
    ----------
    queries : polars.DataFrame
        The table `rulerank.tables.QUERIES`.
    judgements : polars.DataFrame
        The table `rulerank.tables.JUDGEMENTS`, in the order of `queries`.
    problems : tuple of str, optional
        What was left out or repaired, each with its file and id.

    """

    queries: pl.DataFrame
    judgements: pl.DataFrame
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Corpus:
    """One corpus as checked tables.

    Parameters
    ----------
    documents, passages, queries, judgements : polars.DataFrame
        The tables of these names in `rulerank.tables`.
    references : polars.DataFrame or None
        `EDGES` of type REFERENCES from a curated table, including those from and to passages that the corpus
        lacks; None when the corpus has no such table.
    problems : tuple of str, optional
        What was left out or repaired, each with its file and id.
    names : mapping of str to sequence of str, optional
        Names of documents by id as a file gives them, of those without passages too.

    """

    documents: pl.DataFrame
    passages: pl.DataFrame
    queries: pl.DataFrame
    judgements: pl.DataFrame
    references: pl.DataFrame | None
    problems: tuple[str, ...] = ()
    names: Mapping[str, Sequence[str]] = field(default_factory=dict)


def keep_judged(
    queries: pl.DataFrame, judgements: pl.DataFrame, passages: pl.DataFrame, source: str
) -> Questions:
    """Keep the questions that have a text (or none published) and a relevant passage in the corpus.

    A relevance below 0, which some collections give to spam, counts as 0.

    Parameters
    ----------
    queries, judgements : polars.DataFrame
        As read from one file.
    passages : polars.DataFrame
        The corpus they are judged against.
    source : str
        The file, named in every problem.

    """
    known = pl.col("passage_id").is_in(passages["passage_id"].implode())
    asked = pl.col("query_id").is_in(queries["query_id"].implode())
    judged = judgements.filter(known & asked).with_columns(pl.col("relevance").clip(lower_bound=0))
    relevant = judged.filter(pl.col("relevance") > 0)["query_id"]
    has_passage = pl.col("query_id").is_in(relevant.implode())
    has_text = pl.col("text").is_null() | pl.col("text").str.contains(SEEN)
    kept = queries.filter(has_text & has_passage)
    problems = [
        *_each(
            judgements.filter(~known), source, "passage {passage_id} is not in the corpus; judgement left out"
        ),
        *_each(judgements.filter(~asked), source, "judged, but its text is not there; judgement left out"),
        *_each(queries.filter(~has_text), source, "has no text; left out"),
        *_each(
            queries.filter(has_text & ~has_passage), source, "has no relevant passage in the corpus; left out"
        ),
    ]
    judged = judged.filter(pl.col("query_id").is_in(kept["query_id"].implode()))
    return Questions(kept, judged, tuple(problems))


def unite(files: Mapping[str, Questions]) -> Questions:
    """Merge the questions of several files so that each id occurs once.

    Judgements of one id are united; the highest relevance is kept. Text, collection and level come from the
    last file that has them. An id never stays in two splits, since measured questions must not be trained on.
    The last collection that has it decides, and within a collection the latest split (test after validation
    after train).

    Parameters
    ----------
    files : mapping of str to Questions
        The questions of each file by its name, collection by collection. The most authoritative collection,
        and in it the most authoritative file, comes last.

    """
    rank = {split: place for place, split in enumerate(SPLITS)}
    named = [
        part.queries.with_columns(file=pl.lit(file), place=pl.lit(place, pl.Int32))
        for place, (file, part) in enumerate(files.items())
    ]
    nothing = QUERIES.empty().with_columns(file=pl.lit(""), place=pl.lit(0, pl.Int32))
    listed = pl.concat([nothing, *named]).with_columns(
        authority=pl.col("place").max().over("collection"),
        rank=pl.col("split").replace_strict(rank, return_dtype=pl.Int32),
    )
    strength = pl.col("authority") * len(SPLITS) + pl.col("rank")
    decisive = strength.max().over("query_id") % len(SPLITS)
    decided = listed.with_columns(
        decided=decisive.replace_strict(dict(enumerate(SPLITS)), return_dtype=pl.String)
    )
    kept = decided.filter(pl.col("split") == pl.col("decided"))
    moved = decided.filter(pl.col("split") != pl.col("decided"))
    queries = kept.group_by("query_id", maintain_order=True).agg(
        pl.col("text").drop_nulls().last(),
        pl.col("split").last(),
        pl.col("collection").last(),
        pl.col("level", "group").drop_nulls().last(),
    )
    judged = [part.judgements.with_columns(file=pl.lit(file)) for file, part in files.items()]
    judgements = pl.concat([JUDGEMENTS.empty().with_columns(file=pl.lit("")), *judged]).join(
        kept.select("query_id", "file"), on=["query_id", "file"], how="inner", maintain_order="left"
    )
    judgements = judgements.group_by("query_id", "passage_id", maintain_order=True).agg(
        pl.col("relevance").max()
    )
    problems = [problem for part in files.values() for problem in part.problems]
    problems += [
        f"{row['file']}: question {row['query_id']}: also a {row['decided']} question; left out here"
        for row in moved.iter_rows(named=True)
    ]
    return Questions(queries, in_order(judgements, queries), tuple(problems))


def in_order(judgements: pl.DataFrame, queries: pl.DataFrame) -> pl.DataFrame:
    """Return the judgements in the order of `queries`, each query's rows together."""
    place = queries.select("query_id").with_row_index("place")
    return (
        judgements.join(place, on="query_id", how="inner", maintain_order="left")
        .sort("place", maintain_order=True)
        .drop("place")
    )


def name_documents(document_ids: Sequence[str], names: Mapping[str, Sequence[str]]) -> pl.DataFrame:
    """Return the documents table; a document without a name is called by its id.

    The title is the longest name that is not a file name (those hold underscores).
    """
    rows = []
    for document_id in document_ids:
        aliases = list(names.get(document_id, []))
        readable = [name for name in aliases if "_" not in name] or aliases or [document_id]
        rows.append({"document_id": document_id, "title": max(readable, key=len), "aliases": aliases})
    return pl.DataFrame(rows, schema=dict(DOCUMENTS.columns))


def misnamed(document_ids: Container[str], names: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Return a problem for each id of `documents.json` that is no document's."""
    return tuple(
        f"documents.json: {each}: names no document of the corpus; left out"
        for each in names
        if each not in document_ids
    )


def _each(rows: pl.DataFrame, source: str, message: str) -> Iterator[str]:
    for row in rows.iter_rows(named=True):
        yield f"{source}: question {row['query_id']}: {message.format(**row)}"
