"""A harbour of 13 passages in 3 documents, small enough to compute every feature by hand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from scipy.special import expit

from rulerank.arrays import FloatArray, normalise_rows
from rulerank.authority.shown import authority_facts, order_of_passages, superseders
from rulerank.features.extract import candidates
from rulerank.features.index import DESCRIBED, RankingIndex, build_generators, ranking_index
from rulerank.features.judgement_index import build_judgement_index
from rulerank.features.listing import Listing
from rulerank.features.registry import registered
from rulerank.features.surroundings import build_surroundings
from rulerank.features.withheld import of_clusters
from rulerank.ragged import Ragged
from rulerank.retrieve.embedded import Adapter, EmbeddedPassages
from rulerank.retrieve.generator import Material
from rulerank.retrieve.matched import LateMaps, Matched
from rulerank.retrieve.quantized import QuantizedVectors
from rulerank.retrieve.queries import Queries, prepare_queries
from rulerank.retrieve.tokens import Tokens
from rulerank.retrieve.translation_table import TranslationTable
from rulerank.settings import Candidates, Extract
from rulerank.tables import DOCUMENTS, EDGES, JUDGEMENTS, PASSAGES
from tests.features.plugged import RUN

Row = tuple[str, str, str, str, int | None, Sequence[float], str]

OFF = 2e-3
"""More than rounding these embeddings to 8 bits changes a cosine by."""

# document, section, title, kind, tier, embedding, text
_PASSAGES: list[Row] = [
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
# Training questions: cluster, embedding (None if the text is not known), relevant passages.
_TRAINING = {
    "t1": (0, (4, 3, 0, 0), "act:1.1 act:1.2"),
    "t2": (0, (3, 4, 0, 0), "act:1.1 code:2"),
    "t3": (1, (0, 0, 1, 0), "act:2 act:2.1 act:2.2"),
    "t4": (2, None, "act:1.1 code:2.1"),
    "t5": (3, (0, 0, 0, 1), "code:1.1"),
}


# "zebra" says "fee", and "pilot" half of what "master" says; all words are equally frequent in questions.
TABLE = TranslationTable(
    {word: row for row, word in enumerate(["fee", "master", "pilot", "zebra"])},
    Ragged(
        np.array([0, 1, 2, 4, 6], np.int32),
        np.array([0, 1, 1, 2, 0, 3], np.int32),
        np.array([0.5, 0.5, 0.5, 1, 0.5, 1], np.float32),
    ),
    np.full(4, 0.25, np.float32),
    0.2,
)


@dataclass(frozen=True)
class World:
    """The index, four questions, and the facts about them."""

    index: RankingIndex
    queries: Queries
    held_out: Sequence[int]

    def pairs(
        self, names: Sequence[str] | None = None, depth: int = 150, runs: tuple[str, ...] = DESCRIBED
    ) -> Listing:
        """List the candidates of the named questions, by default all, by `fused_score`."""
        rows = [self.queries.ids.index(name) for name in (self.queries.ids if names is None else names)]
        queries = self.queries.take(np.array(rows, np.int64))
        withheld = of_clusters(np.array([self.held_out[row] for row in rows], np.int64))
        pairs = candidates(self.index, queries, withheld, Candidates(runs=runs, depth=depth))
        return Listing(pairs, pairs.fused, expit(8 * pairs.fused - 6).astype(np.float32))

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
        around = self.index.around
        judgements = build_judgement_index(
            pl.DataFrame(rows, schema=dict(JUDGEMENTS.columns), orient="row"),
            self.index.passage_ids,
            list(sets),
            np.array([cluster for cluster, _, _ in sets.values()], np.int64),
            np.array(asked, np.int64),
            QuantizedVectors.of(_unit(vectors)),
            around.documents,
            around.sections,
        )
        return self.with_index(judgements=judgements)

    def with_index(self, **changes: object) -> World:
        """Return the world with other parts of the index."""
        return replace(self, index=replace(self.index, **changes))

    def with_tfidf(self) -> World:
        """Return the world with a generator from outside the package."""
        tfidf = build_generators(_material(_PASSAGES, []), [RUN], Candidates())
        return self.with_index(generators={**self.index.generators, **tfidf})

    def with_around(self, **changes: object) -> World:
        """Return the world with other surroundings of the passages."""
        return self.with_index(around=replace(self.index.around, **changes))

    def amended(self) -> World:
        """Return the world where code:3 voids act:1.2, and act:1.2 voided act:1.1."""
        edges = pl.DataFrame(
            [("code:3", "act:1.2", "SUPERSEDES", ""), ("act:1.2", "act:1.1", "SUPERSEDES", "")],
            schema=dict(EDGES.columns),
            orient="row",
        )
        order = order_of_passages(edges, self.index.passage_ids)
        static = {**self.index.around.static, **authority_facts(order)}
        return self.with_around(authority=order, superseders=superseders(order), static=static)

    def without(self, *generators: str) -> World:
        """Return the world without some generators."""
        left = {name: each for name, each in self.index.generators.items() if name not in generators}
        return self.with_index(generators=left)


def build_world(further: Sequence[tuple[int, Row]] = ()) -> World:
    """Build the harbour.

    Parameters
    ----------
    further : sequence of (int, row), optional
        Passages to insert before the harbour's passage at this place.

    """
    rows = list(_PASSAGES)
    for place, row in sorted(further, key=lambda each: each[0], reverse=True):
        rows.insert(place, row)
    asked = [text for text, _ in _QUERIES.values()]
    material = _material(rows, asked)
    generators = build_generators(material, [*DESCRIBED, "late"], Candidates())
    own = {f"{document}:{section}": place for place, (document, section, *_) in enumerate(_PASSAGES)}
    ids = material.passages["passage_id"]
    places = np.array([own.get(passage, 0) for passage in ids])
    centrality = pl.DataFrame(
        {
            "passage_id": ids,
            "pagerank": places / 100,
            "hits_authority": places / 10,
            "degree": pl.Series(places, dtype=pl.Int32),
        }
    )
    around = build_surroundings(material, centrality, generators["bm25"], Extract())
    nothing, unknown = np.empty(0, np.int64), QuantizedVectors.of(np.empty((0, 4), np.float32))
    nobody = build_judgement_index(
        JUDGEMENTS.empty(), ids, [], nothing, nothing, unknown, around.documents, around.sections
    )
    index = ranking_index(ids, generators, around, nobody, TABLE, Extract())
    vectors = _unit([vector for _, vector in _QUERIES.values()])
    queries = prepare_queries(list(_QUERIES), asked, vectors, _tokens(asked, _all_words(rows, asked)))
    # "pilot" is in the cluster of t1 and t2, "lights" in that of t5; the others were never judged.
    return World(index, queries, [0, -1, -1, 3]).judged(_TRAINING)


def _material(rows: Sequence[Row], asked: Sequence[str]) -> Material:
    """Return the tables of some passages, their embeddings and their tokens."""
    passages = pl.DataFrame(
        [
            (f"{document}:{section}", document, section, title, text, tier, kind, row, None, None)
            for row, (document, section, title, kind, tier, _, text) in enumerate(rows)
        ],
        schema=dict(PASSAGES.columns),
        orient="row",
    )
    titles = {"act": "Harbour Act", "code": "Towing Code", "note": "Notice"}
    documents = pl.DataFrame(
        [(document, titles.get(document, ""), []) for document in dict.fromkeys(row[0] for row in rows)],
        schema=dict(DOCUMENTS.columns),
        orient="row",
    )
    edges = pl.DataFrame(
        [(*pair.split(">"), kind, "") for kind, pairs in _EDGES.items() for pair in pairs.split()],
        schema=dict(EDGES.columns),
        orient="row",
    )
    zeros = np.zeros((4, 4), np.float32)
    embedded = EmbeddedPassages(_unit([row[5] for row in rows]), Adapter(zeros, zeros), None)
    words = _all_words(rows, asked)
    unchanged = np.eye(len(words), dtype=np.float32)
    spoken = _tokens([row[6] for row in rows], words)
    matched = Matched(spoken, LateMaps(unchanged, unchanged), unchanged)
    return Material(passages, documents, edges, embedded, matched)


def _unit(vectors: Sequence[Sequence[float]]) -> FloatArray:
    return normalise_rows(np.array(vectors, np.float32).reshape(-1, 4))


def _all_words(rows: Sequence[Row], asked: Sequence[str]) -> list[str]:
    return sorted({word for text in (*(row[6] for row in rows), *asked) for word in _words(text)})


def _words(text: str) -> list[str]:
    """Return the words of a text after the mark that every text begins with."""
    return ["", *re.findall(r"\w+", text.lower())]


def _tokens(texts: Sequence[str], words: Sequence[str]) -> Tokens:
    """Return one axis per word: a question's score is the share of its words that the passage holds."""
    spoken = [_words(text) for text in texts]
    rows = [words.index(word) for each in spoken for word in each]
    starts = np.cumsum([0, *map(len, spoken)])
    return Tokens(np.eye(len(words), dtype=np.float16)[rows], starts)
