"""A small rulebook, with all that any generator is built from and asked."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np
import polars as pl
import pytest
from hypothesis import strategies as st

from rulerank.arrays import FloatArray, IntArray, bounds, normalise_rows
from rulerank.retrieve.bm25 import Bm25
from rulerank.retrieve.embedded import Adapter, EmbeddedPassages
from rulerank.retrieve.generator import BUILT_IN, Material
from rulerank.retrieve.hits import Found
from rulerank.retrieve.matched import LateMaps, Matched
from rulerank.retrieve.queries import Queries, prepare_queries
from rulerank.retrieve.tokens import Tokens
from rulerank.settings import Candidates, Expansion
from rulerank.tables import DOCUMENTS, EDGES, PASSAGES

PLUGGED_IN = "tests.retrieve.tf_idf:TfIdf"
NAMED = {
    PLUGGED_IN: "tf_idf",
    "rulerank.retrieve.tfidf:TfIdf": "tfidf",
    "rulerank.retrieve.prefixed:PrefixedBm25": "bm25_prefixed",
    "rulerank.retrieve.prefixed:PrefixedTfIdf": "tfidf_prefixed",
}
"""Generators that go by a dotted name, and what their runs are called."""
EACH = pytest.mark.parametrize("run", [*BUILT_IN, *NAMED])
WIDTH = 6
SETTINGS = Candidates(closure=Expansion(seeds=3, depth=2, decay=0.5, found=1000))

# The passages 1 and 5, and 6 and 7, are equal; 0 and 4 are headings without text.
TEXTS = [
    "",
    "Pilots hold licences.",
    "Tugs pay fees, and pilots pay none.",
    "Licences lapse.",
    " ",
    "Pilots hold licences.",
    "Ropes fray.",
    "Ropes fray.",
    "Tugs tow.",
]
PARENTS = [(0, row) for row in (1, 2, 3, 5)] + [(4, row) for row in (6, 7, 8)]
CITATIONS = [(2, 6), (2, 7), (3, 8), (8, 4), (6, 0)]
QUESTIONS = ["Do pilots hold licences?", "Which fees do tugs pay?", "zebra", "When do licences lapse?"]

WORDS = ["pilots", "fees", "tugs", "ropes", "lapse"]
PASSAGE = st.lists(st.sampled_from(WORDS), max_size=3).map(" ".join)
CORPORA = st.lists(PASSAGE, min_size=1, max_size=9)
CITED = st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=10)
ASKED = st.lists(st.lists(st.sampled_from([*WORDS, "zebra"]), max_size=3).map(" ".join), max_size=4)


def _vectors(text: str, count: int) -> FloatArray:
    """Return unit vectors that distinguish a text from every other text."""
    random = np.random.default_rng(zlib.crc32(text.encode()))
    return normalise_rows(random.normal(size=(count, WIDTH)).astype(np.float32))


def _embeddings(texts: Sequence[str]) -> FloatArray:
    return np.concatenate([np.empty((0, WIDTH), np.float32), *(_vectors(text, 1) for text in texts)])


def _tokens(texts: Sequence[str]) -> Tokens:
    sizes = [2 + len(text.split()) for text in texts]
    parts = [_vectors(f"token {text}", size) for text, size in zip(texts, sizes, strict=True)]
    vectors = np.concatenate([np.empty((0, WIDTH), np.float32), *parts])
    return Tokens(vectors.astype(np.float16), bounds(sizes))


def material_of(
    texts: Sequence[str], citations: Sequence[tuple[int, int]], parents: Sequence[tuple[int, int]]
) -> Material:
    ids = [f"p{row}" for row in range(len(texts))]
    passages = pl.DataFrame(
        [
            (ids[row], "rules", str(row), "", text, None, "text", row, None, None)
            for row, text in enumerate(texts)
        ],
        schema=dict(PASSAGES.columns),
        orient="row",
    )
    documents = pl.DataFrame([("rules", "Pilots", [])], schema=dict(DOCUMENTS.columns), orient="row")
    ends = [("REFERENCES", pair) for pair in set(citations)] + [("PARENT_OF", pair) for pair in parents]
    edges = pl.DataFrame(
        [(ids[source], ids[target], kind, "") for kind, (source, target) in ends],
        schema=dict(EDGES.columns),
        orient="row",
    )
    random = np.random.default_rng(1)
    query, passage, *maps = (0.3 * random.normal(size=(4, WIDTH, WIDTH))).astype(np.float32)
    return Material(
        passages,
        documents,
        edges,
        EmbeddedPassages(_embeddings(texts), Adapter(query, passage), None),
        Matched(_tokens(texts), LateMaps(*maps), np.eye(WIDTH, dtype=np.float32)),
    )


def queries_of(texts: Sequence[str]) -> Queries:
    return prepare_queries(
        [f"q{row}" for row in range(len(texts))], texts, _embeddings(texts), _tokens(texts)
    )


def found_before(material: Material, queries: Queries) -> Found:
    """Return the hits of an earlier run, for the generators that start from them."""
    bm25 = Bm25.build(material, SETTINGS)
    return {"bm25": bm25.search(queries, len(bm25), {})}


def all_pairs(questions: int, passages: int) -> tuple[IntArray, IntArray]:
    return np.repeat(np.arange(questions), passages), np.tile(np.arange(passages), questions)


MATERIAL = material_of(TEXTS, CITATIONS, PARENTS)
QUERIES = queries_of(QUESTIONS)
FOUND = found_before(MATERIAL, QUERIES)
