"""A quay of a few passages and a ranker whose encoder hashes texts. It tests what is indexed, not quality."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from rulerank.arrays import FloatArray, normalise_rows
from rulerank.bundle import Bundle, Upkeep, load_bundle
from rulerank.features.index import ranking_index
from rulerank.features.judgement_index import JudgementIndex, build_judgement_index
from rulerank.features.surroundings import Surroundings, build_surroundings
from rulerank.graph.build import link
from rulerank.retrieve.bm25 import Bm25
from rulerank.retrieve.dense import Dense
from rulerank.retrieve.embedded import Adapter, EmbeddedPassages
from rulerank.retrieve.generator import Material
from rulerank.retrieve.late import Late
from rulerank.retrieve.matched import LateMaps, Matched
from rulerank.retrieve.quantized import QuantizedVectors
from rulerank.retrieve.tokens import Tokens
from rulerank.settings import Candidates, Extract, Graph
from rulerank.tables import DOCUMENTS, EDGES, JUDGEMENTS, PASSAGES
from rulerank.upkeep import Changes, Rulebook
from rulerank.upkeep.build import build_index
from rulerank.upkeep.update import changed
from tests.features.world import TABLE
from tests.upkeep.written import write_lines

Write = Callable[..., Path]

WIDTH = 6
CANDIDATES = Candidates()
SETTINGS = {
    "candidates": CANDIDATES.model_dump(mode="json"),
    "extract": Extract().model_dump(mode="json"),
    "graph": Graph(max_term_share=1).model_dump(mode="json"),
}
_ROWS = (
    ("q1", "quay", "1", "Pilots", "", None),
    ("q2", "quay", "1.1", "", "A pilot must hold a licence under Rule 1.2.", None),
    ("q3", "quay", "1.2", "", '"Licence" means a licence to steer. The master may suspend it.', None),
    ("q4", "quay", "2", "", "Fees are due in June. Section 1.1 does not apply to tugs.", "tugs"),
    ("f1", "fees", "1", "", "A Licence costs two coins.", "tugs"),
    ("f2", "fees", "1.1", "", "Fees are due in June. Section 1.1 does not apply to tugs.", None),
    ("f3", "fees", "2", "", "The fee in Rule 1.1 is waived for the pilot of a tug.", None),
)
_JUDGED = (("t1", "q2"), ("t1", "f1"), ("t2", "q3"), ("t3", "f2"))


@dataclass
class HashingEncoder:
    """A vector for each text and each word, made from its hash: only equal texts have equal vectors."""

    encoded: list[str] = field(default_factory=list)
    dimension: int = WIDTH

    def encode(self, texts: Sequence[str], kind: str) -> FloatArray:
        self.encoded.extend(texts)
        return _hashed(texts)

    def tokens(self, texts: Sequence[str], kind: str) -> Tokens:
        words = [["", *text.split()] for text in texts]
        starts = np.cumsum([0, *map(len, words)])
        return Tokens(_hashed([word for each in words for word in each]).astype(np.float16), starts)


def _hashed(texts: Sequence[str]) -> FloatArray:
    digests = [hashlib.sha256(text.encode()).digest()[:WIDTH] for text in texts]
    numbers = np.frombuffer(b"".join(digests), np.uint8).reshape(-1, WIDTH)
    return normalise_rows(numbers.astype(np.float32) - 127)


def _map(seed: int, width: int) -> FloatArray:
    return np.random.default_rng(seed).normal(size=(WIDTH, width)).astype(np.float32) / 4


@dataclass(frozen=True)
class Quay:
    """A ranker without models, and the data that its updates need."""

    source: Bundle
    kept: Upkeep

    def after(self, changes: Changes) -> Quay:
        """Return the ranker after an update."""
        new, kept = changed(self.source, self.kept, changes, self.source.passages)
        parts = {name: getattr(new, name) for name in ("documents", "passages", "edges", "index")}
        return Quay(replace(self.source, **parts), kept)


def make_book() -> Rulebook:
    """Return the passages of the quay."""
    passages = pl.DataFrame(
        [
            (key, document, section, title, text, 3, "rule" if text else "heading", place, None, scope)
            for place, (key, document, section, title, text, scope) in enumerate(_ROWS)
        ],
        schema=dict(PASSAGES.columns),
        orient="row",
    )
    documents = pl.DataFrame(
        [("quay", "Quay Rules", ["QUA", "Quay Rules"]), ("fees", "Fees Rules", ["FEE", "Fees Rules"])],
        schema=dict(DOCUMENTS.columns),
        orient="row",
    )
    curated = pl.DataFrame(
        [("q2", "q3", "REFERENCES", "Rule 1.2"), ("f3", "n1", "REFERENCES", "the next rule")],
        schema=dict(EDGES.columns),
        orient="row",
    )
    return Rulebook(documents, passages, curated, {"tugs": ["Tug Rules"]})


def _judged(book: Rulebook) -> Callable[[Surroundings], JudgementIndex]:
    judgements = pl.DataFrame([(*each, 1) for each in _JUDGED], schema=dict(JUDGEMENTS.columns), orient="row")

    def judged(around: Surroundings) -> JudgementIndex:
        return build_judgement_index(
            judgements,
            book.passages["passage_id"],
            ["t1", "t2", "t3"],
            np.array([0, 1, 2]),
            np.array([0, 1]),
            QuantizedVectors.of(_hashed(["t1", "t2"])),
            around.documents,
            around.sections,
        )

    return judged


@pytest.fixture
def quay() -> Quay:
    """Seven passages in two documents, a reference to a missing passage, three questions."""
    book, encoder = make_book(), HashingEncoder()
    kept = Upkeep(
        _map(1, WIDTH),
        _map(2, 4),
        pl.DataFrame({"query_id": ["t1", "t2", "t3"]}),
        book.references,
        book.names,
    )
    adapter, axes = Adapter(_map(3, WIDTH), kept.dense_map), np.eye(WIDTH, dtype=np.float32)
    texts = book.passages["text"].to_list()
    has_text = np.array([bool(text) for text in texts])
    dense = Dense.of(EmbeddedPassages(encoder.encode(texts, "passage"), adapter, None), has_text)
    assert kept.late_map is not None
    maps = LateMaps(_map(4, 4), kept.late_map)
    late = Late.of(Matched(encoder.tokens(texts, "passage"), maps, axes), has_text)
    linked = link(book.passages, book.documents, None, Graph())
    material = Material(book.passages, book.documents, linked.edges)
    bm25 = Bm25.build(material, CANDIDATES)
    around = build_surroundings(material, linked.centrality, bm25, Extract())
    source = Bundle(
        documents=book.documents,
        passages=book.passages,
        edges=EDGES.empty(),
        index=ranking_index(
            book.passages["passage_id"],
            {"bm25": bm25, "dense": dense, "late": late},
            around,
            _judged(book)(around),
            TABLE,
            Extract(),
        ),
        models={},
        first_pass=None,
        trust=None,
        selections={},
        manifest={"settings": SETTINGS},
        encoder=encoder,  # type: ignore[arg-type]
        token_encoder=encoder,  # type: ignore[arg-type]
    )
    graph = Graph.model_validate(SETTINGS["graph"])
    edges, index = build_index(source, kept, book, graph, _judged(book), source.passages.clear())
    encoder.encoded.clear()
    return Quay(replace(source, edges=edges, index=index), kept)


@pytest.fixture
def changes(bundle: Path, tmp_path: Path) -> Path:
    """Changes of each kind to the passages of the shared run."""
    rows = [row for row in load_bundle(bundle).passages.iter_rows(named=True) if row["text"].strip()]
    return write_lines(
        tmp_path / "changes.jsonl",
        {"op": "withdraw", "passage_id": rows[0]["passage_id"]},
        {"op": "amend", "passage_id": rows[1]["passage_id"], "text": rows[1]["text"] + " This has changed."},
        {
            "op": "add",
            "passage_id": "new",
            "document_id": rows[2]["document_id"],
            "text": "A crane must be lit.",
        },
    )


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write changes, one a line, and return their file."""

    def _write(*changes: Any) -> Path:
        lines = [each if isinstance(each, str) else json.dumps(each) for each in changes]
        (tmp_path / "changes.jsonl").write_text("\n".join(lines) + "\n")
        return tmp_path / "changes.jsonl"

    return _write
