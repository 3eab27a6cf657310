"""A generated corpus as the tables and arrays for building an index, written to a folder and read back.

One seed gives one corpus. Text and vectors are drawn in blocks, so only the tables themselves take memory in
proportion to the corpus. Vectors and words are memory-mapped when they are read.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from experiments.million.structure import Structure, edges, section_ids, structure
from experiments.million.words import Words, lengths, texts, vocabulary, words
from rulerank.arrays import FloatArray, IntArray, bounds, normalise_rows
from rulerank.files import replacing_folder
from rulerank.tables import DOCUMENTS, EDGES, PASSAGES

DIMENSION = 384
TOPICS, TOPIC_PASSAGES = 2000, 50
"""Number of topics, and number of adjacent passages that share one."""

CLOSENESS = 0.6
"""Cosine of a vector and the centre of its topic; that of two vectors of one topic is its square, .36."""

BLOCK = 50_000
QUESTIONS, ASKED_WORDS, LIKENESS = 200, 8, 0.7
"""Questions, words per question, and approximate cosine of a question and the passage it is drawn from."""

PASSAGE_TABLE, DOCUMENT_TABLE, EDGE_TABLE = "passages.parquet", "documents.parquet", "edges.parquet"
CENTRALITY, QUERY_TABLE = "centrality.parquet", "queries.parquet"
VECTORS, QUERY_VECTORS, WORDS, STARTS = "vectors.npy", "query_vectors.npy", "words.npy", "starts.npy"


@dataclass(frozen=True, eq=False)
class Corpus:
    """N generated passages and some questions about them.

    Parameters
    ----------
    passages, documents, edges : polars.DataFrame
        The tables of these names.
    centrality : polars.DataFrame
        passage_id, pagerank, hits_authority, degree; the first two are shares of the degrees.
    vocabulary : list of str
        The words; an analysed text contains them unchanged.
    words : array of shape (words,), int32
        Places in the vocabulary, passage by passage.
    starts : array of shape (N + 1,)
        Where each passage's words begin, and finally where the last ones end.
    vectors : array of shape (N, dimension), float32
        Embeddings of unit length.
    queries : polars.DataFrame
        query_id, text, and passage_id: the passage that its words are drawn from.

    """

    passages: pl.DataFrame
    documents: pl.DataFrame
    edges: pl.DataFrame
    centrality: pl.DataFrame
    vocabulary: list[str]
    words: Words
    starts: IntArray
    vectors: FloatArray
    queries: pl.DataFrame


def write_corpus(folder: Path, passages: int, seed: int = 7) -> None:
    """Generate `passages` passages, at least two, into a folder; an older corpus there is replaced."""
    generator = np.random.default_rng(seed)
    made = structure(generator, passages)
    counts = lengths(generator, made.has_text)
    topics = (np.arange(passages) // TOPIC_PASSAGES * 7919) % TOPICS
    with replacing_folder(folder) as temporary:
        drawn = words(generator, np.repeat(topics, counts))
        starts = bounds(counts)
        np.save(temporary / WORDS, drawn)
        np.save(temporary / STARTS, starts)
        _write_tables(generator, temporary, made, drawn, starts)
        _write_vectors(generator, temporary / VECTORS, topics)
        _write_questions(generator, temporary, made, drawn, starts)


def read_corpus(folder: Path) -> Corpus:
    """Read a corpus; its arrays are memory-mapped."""
    return Corpus(
        PASSAGES.read(folder / PASSAGE_TABLE),
        DOCUMENTS.read(folder / DOCUMENT_TABLE),
        EDGES.read(folder / EDGE_TABLE),
        pl.read_parquet(folder / CENTRALITY),
        vocabulary(),
        np.load(folder / WORDS, mmap_mode="r"),
        np.load(folder / STARTS),
        np.load(folder / VECTORS, mmap_mode="r"),
        pl.read_parquet(folder / QUERY_TABLE),
    )


def _write_tables(
    generator: np.random.Generator, folder: Path, made: Structure, drawn: Words, starts: IntArray
) -> None:
    known, counts = pl.Series(vocabulary()), np.diff(starts)
    blocks = [slice(start, min(start + BLOCK, len(made))) for start in range(0, len(made), BLOCK)]
    text = pl.concat(
        [texts(drawn[starts[each.start] : starts[each.stop]], counts[each], known) for each in blocks]
    )
    ids = _ids("p", len(made))
    documents = _ids("d", int(made.document[-1]) + 1)
    passages = pl.DataFrame(
        {
            "passage_id": ids,
            "document_id": documents.gather(made.document),
            "section": section_ids(made.place),
            "text": text,
            "tier": pl.Series(made.document % 5 + 1, dtype=pl.Int8),
            "position": pl.Series(made.place, dtype=pl.Int32),
        }
    ).with_columns(
        title=pl.lit(""),
        kind=pl.when(pl.col("text") == "").then(pl.lit("heading")).otherwise(pl.lit("rule")),
        effective_from=pl.lit(None, pl.Date),
        scope=pl.lit(None, pl.String),
    )
    PASSAGES.write(passages.select(*PASSAGES.columns), folder / PASSAGE_TABLE)
    named = pl.DataFrame({"document_id": documents, "title": "Document " + documents})
    aliases = pl.lit([], dtype=pl.List(pl.String))
    DOCUMENTS.write(named.with_columns(aliases=aliases), folder / DOCUMENT_TABLE)
    linked = edges(generator, made, ids, passages["document_id"])
    EDGES.write(linked, folder / EDGE_TABLE)
    _centrality(linked, ids).write_parquet(folder / CENTRALITY)


def _centrality(linked: pl.DataFrame, ids: pl.Series) -> pl.DataFrame:
    ends = pl.concat([linked["source_id"], linked["target_id"]]).value_counts(name="degree")
    ends = ends.rename({"source_id": "passage_id"})
    degree = pl.col("degree").fill_null(0).cast(pl.Float32)
    return (
        ids.to_frame("passage_id")
        .join(ends, on="passage_id", how="left", maintain_order="left")
        .select(
            "passage_id", pagerank=degree / degree.sum(), hits_authority=degree / degree.sum(), degree=degree
        )
    )


def _write_vectors(generator: np.random.Generator, path: Path, topics: IntArray) -> None:
    centres = normalise_rows(generator.standard_normal((TOPICS, DIMENSION), np.float32))
    shape = (len(topics), DIMENSION)
    vectors = np.lib.format.open_memmap(path, mode="w+", dtype=np.float32, shape=shape)
    for start in range(0, len(topics), BLOCK):
        block = topics[start : start + BLOCK]
        vectors[start : start + BLOCK] = near(generator, centres[block], CLOSENESS)
    vectors.flush()


def _write_questions(
    generator: np.random.Generator, folder: Path, made: Structure, drawn: Words, starts: IntArray
) -> None:
    rows = generator.choice(np.flatnonzero(made.has_text), QUESTIONS)
    known, counts = pl.Series(vocabulary()), np.diff(starts)[rows]
    places = starts[rows, None] + generator.integers(0, counts[:, None], (QUESTIONS, ASKED_WORDS))
    asked = texts(drawn[places].ravel(), np.full(QUESTIONS, ASKED_WORDS), known)
    queries = {
        "query_id": _ids("q", QUESTIONS),
        "text": asked,
        "passage_id": _ids("p", len(made)).gather(rows),
    }
    pl.DataFrame(queries).write_parquet(folder / QUERY_TABLE)
    vectors = np.load(folder / VECTORS, mmap_mode="r")[rows]
    np.save(folder / QUERY_VECTORS, near(generator, vectors, LIKENESS))


def near(generator: np.random.Generator, vectors: FloatArray, cosine: float) -> FloatArray:
    """Return unit vectors with about this cosine with the given ones."""
    noise = generator.standard_normal(vectors.shape, np.float32) / np.sqrt(vectors.shape[1])
    return normalise_rows(cosine * vectors + np.sqrt(1 - cosine**2) * noise)


def _ids(prefix: str, size: int) -> pl.Series:
    numbers = pl.int_range(size, eager=True).cast(pl.String).str.zfill(7)
    return prefix + numbers
