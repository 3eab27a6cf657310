"""A harbour of 13 passages in 3 documents, small enough to work every feature out by hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
import pytest
from scipy.special import expit

from rulerank.arrays import FloatArray, normalise_rows
from rulerank.features.evidence import build_judgement_index
from rulerank.features.index import RankingIndex, build_index
from rulerank.features.listing import Listing
from rulerank.features.pairs import Pairs
from rulerank.features.registry import registered
from rulerank.retrieve.bm25 import build_bm25
from rulerank.retrieve.context import headings
from rulerank.retrieve.dense import Adapter, DenseIndex
from rulerank.retrieve.late import LateMaps, build_late
from rulerank.retrieve.queries import Queries, prepare_queries
from rulerank.retrieve.search import GENERATORS, SearchIndex, retrieve
from rulerank.retrieve.tokens import Tokens
from rulerank.settings import Bm25, Candidates, Extract
from rulerank.tables import DOCUMENTS, EDGES, JUDGEMENTS, PASSAGES
from rulerank.text import analyse

# document, section, title, kind, tier, embedding, text
_PASSAGES = [
    ("act", "1", "Pilots", "heading", 1, (1, 0, 0, 0), ""),
    ("act", "1.1", "", "rule", 1, (3, 4, 0, 0), "A pilot must hold a licence. A pilot must not sleep."),
    ("act", "1.2", "", "rule", 1, (4, 3, 0, 0), "The master may suspend a licence."),
    ("act", "2", "Fees", "text", 1, (0, 0, 1, 0), "Vessel fees are due in June."),
    ("act", "2.1", "", "rule", 1, (0, 3, 4, 0), "A vessel should pay the fee."),
    ("act", "2.2", "", "exception", 1, (0, 0, 4, 3), "Tugs pay no fee."),
    ("code", "1", "", "rule", None, (0, 0, 3, 4), "Towing by tugs must follow the licence."),
    ("code", "1.1", "", "rule", None, (0, 0, 0, 1), "A towing vessel shall show lights."),
    ("code", "1.2", "", "guidance", None, (0, 1, 0, 0), "Lights may be red."),
    ("code", "2", "", "form", None, (4, 0, 0, 3), "The licence form is yellow."),
    ("code", "2.1", "", "form", None, (3, 0, 4, 0), "The form must name the pilot."),
    ("code", "3", "", "text", None, (0, 4, 0, 3), "It is."),
    ("note", "1", "", "guidance", 5, (0, 0, 0, 1), "Pilots drink tea."),
]
_EDGES = {
    "PARENT_OF": "act:1>act:1.1 act:1>act:1.2 act:2>act:2.1 act:2>act:2.2"
    " code:1>code:1.1 code:1>code:1.2 code:2>code:2.1",
    # A chain of citations: act:1.1 - code:2 - code:2.1 - act:2.2.
    "REFERENCES": "act:1.1>code:2 code:2.1>code:2 act:2.2>code:2.1",
}
_QUERIES = {
    "pilot": ("Must a pilot hold a pilot licence?", (4, 3, 0, 0)),
    "fees": ("Which vessel fees for the zebra?", (0, 0, 1, 0)),
    "empty": ("Of the?", (0, 0, 0, 1)),
    "lights": ("towing vessel lights", (0, 0, 3, 4)),
}
# Training questions: cluster, embedding (None: its text is not known), relevant passages.
_TRAINING = {
    "t1": (0, (4, 3, 0, 0), "act:1.1 act:1.2"),
    "t2": (0, (3, 4, 0, 0), "act:1.1 code:2"),
    "t3": (1, (0, 0, 1, 0), "act:2 act:2.1 act:2.2"),
    "t4": (2, None, "act:1.1 code:2.1"),
    "t5": (3, (0, 0, 0, 1), "code:1.1"),
}


@dataclass(frozen=True)
class World:
    """The index, four questions, and what is known of them."""

    index: RankingIndex
    queries: Queries
    held_out: Sequence[int]

    def pairs(self, names: Sequence[str] | None = None, depth: int = 150) -> Listing:
        """Describe the candidates of the named questions, by default all, listed by `fused_score`."""
        rows = [self.queries.ids.index(name) for name in (self.queries.ids if names is None else names)]
        queries = self.queries.take(np.array(rows, np.int64))
        found = retrieve(self.index.search, queries, Candidates(runs=GENERATORS, depth=depth))
        held_out = np.array([self.held_out[row] for row in rows], np.int64)
        pairs = Pairs(self.index, queries, found, held_out)
        score = pairs.at(pairs.fused)
        return Listing(self.index, queries, found, held_out, score, expit(8 * score - 6).astype(np.float32))

    def values(self, feature: str, query: str, depth: int = 150) -> dict[str, float]:
        """Return one feature of one question's candidates by passage id."""
        pairs = self.pairs([query], depth)
        values = registered().named([feature]).compute(pairs)[:, 0]
        ids = self.index.passage_ids.gather(pairs.columns)
        return dict(zip(ids.to_list(), values.tolist(), strict=True))

    def judged(self, sets: dict[str, tuple[int, FloatArray | None, str]]) -> World:
        """Return the world with other training questions: cluster, embedding, relevant passages of each."""
        rows = [(query, passage, 1) for query, (_, _, ids) in sets.items() for passage in ids.split()]
        asked = [row for row, (_, vector, _) in enumerate(sets.values()) if vector is not None]
        vectors = [vector for _, vector, _ in sets.values() if vector is not None]
        judgements = build_judgement_index(
            pl.DataFrame(rows, schema=dict(JUDGEMENTS.columns), orient="row"),
            self.index.passage_ids,
            list(sets),
            np.array([cluster for cluster, _, _ in sets.values()], np.int64),
            np.array(asked, np.int64),
            _unit(vectors),
        )
        return replace(self, index=replace(self.index, judgements=judgements))


@pytest.fixture(scope="session")
def world() -> World:
    """The harbour, its judgements, and an adapter that does nothing."""
    passages = pl.DataFrame(
        [
            (f"{document}:{section}", document, section, title, text, tier, kind, row, None, None)
            for row, (document, section, title, kind, tier, _, text) in enumerate(_PASSAGES)
        ],
        schema=dict(PASSAGES.columns),
        orient="row",
    )
    documents = pl.DataFrame(
        [("act", "Harbour Act", []), ("code", "Towing Code", []), ("note", "Notice", [])],
        schema=dict(DOCUMENTS.columns),
        orient="row",
    )
    edges = pl.DataFrame(
        [(*pair.split(">"), kind, "") for kind, pairs in _EDGES.items() for pair in pairs.split()],
        schema=dict(EDGES.columns),
        orient="row",
    )
    places = np.arange(len(passages))
    centrality = passages.select(
        "passage_id",
        pagerank=pl.Series(places / 100),
        hits_authority=pl.Series(places / 10),
        degree=pl.Series(places, dtype=pl.Int32),
    )
    texts = passages["text"].to_list()
    row_of = {passage: row for row, passage in enumerate(passages["passage_id"])}
    parents = np.full(len(passages), -1)
    for parent, child in (pair.split(">") for pair in _EDGES["PARENT_OF"].split()):
        parents[row_of[child]] = row_of[parent]
    paths = headings(passages, documents, parents)
    contexts = [f"{path}\n{text}" for path, text in zip(paths, texts, strict=True)]
    zeros = np.zeros((4, 4), np.float32)
    search = SearchIndex(
        has_text=np.array([bool(text) for text in texts]),
        bm25=build_bm25(analyse(texts), Bm25()),
        bm25_context=build_bm25(analyse(contexts), Bm25()),
        dense=DenseIndex(_unit([row[5] for row in _PASSAGES]), Adapter(zeros, zeros)),
    )
    asked = [text for text, _ in _QUERIES.values()]
    words = sorted({word for text in (*texts, *asked) for word in _words(text)})
    as_they_are = np.eye(len(words), dtype=np.float32)
    late = build_late(_tokens(texts, words), LateMaps(as_they_are, as_they_are), as_they_are)
    index = build_index(passages, edges, centrality, search, _no_judgements(passages), late, Extract())
    vectors = _unit([vector for _, vector in _QUERIES.values()])
    queries = prepare_queries(list(_QUERIES), asked, vectors, _tokens(asked, words))
    # "pilot" is of the cluster of t1 and t2, "lights" of that of t5; the others were never judged.
    return World(index, queries, [0, -1, -1, 3]).judged(_TRAINING)


@pytest.fixture(scope="session")
def unit() -> Callable[[Sequence[Sequence[float]]], FloatArray]:
    """Vectors scaled to unit length."""
    return _unit


def _unit(vectors: Sequence[Sequence[float]]) -> FloatArray:
    return normalise_rows(np.array(vectors, np.float32).reshape(-1, 4))


def _words(text: str) -> list[str]:
    """Return the words of a text after the mark that every text begins with."""
    return ["", *re.findall(r"\w+", text.lower())]


def _tokens(texts: Sequence[str], words: Sequence[str]) -> Tokens:
    """Return one axis a word: a question's score is the share of its words that the passage holds."""
    spoken = [_words(text) for text in texts]
    rows = [words.index(word) for each in spoken for word in each]
    starts = np.cumsum([0, *map(len, spoken)])
    return Tokens(np.eye(len(words), dtype=np.float16)[rows], starts)


def _no_judgements(passages: pl.DataFrame):
    nothing = np.empty(0, np.int64)
    return build_judgement_index(
        JUDGEMENTS.empty(), passages["passage_id"], [], nothing, nothing, np.empty((0, 4), np.float32)
    )
