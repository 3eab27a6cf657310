"""Small laws, without a ranker: passages, what relates them, and the answers from them."""

from __future__ import annotations

from datetime import date
from types import SimpleNamespace

import polars as pl

from rulerank.answer import Answer, Extractive, Relevance
from rulerank.answer.verify import verified
from rulerank.graph.adjacency import parents
from rulerank.graph.hierarchy import parent_of
from rulerank.passages import Passage
from rulerank.ranker.evidence import EvidenceSource
from rulerank.tables import EDGES, PASSAGES

DAY = date(2026, 1, 1)


def answered(evidence: EvidenceSource, kept: list[str], day: date = DAY) -> Answer:
    """Return the verified answer from some passages and the law around them."""
    sources, law = evidence.law(kept, day)
    return verified(Extractive(law, Relevance({}))("What is the period?", sources, day))


def evidence_of(
    rows: list[tuple[str, str, str, str]], edges: list[tuple[str, str, str, str]]
) -> EvidenceSource:
    """Return passages, given by id, document, section and text, with the edges between them."""
    passages = pl.DataFrame(
        [
            (each, document, section, "", text, None, "rule", place, None, None)
            for place, (each, document, section, text) in enumerate(rows)
        ],
        schema=dict(PASSAGES.columns),
        orient="row",
    )
    bundle = SimpleNamespace(
        passages=passages,
        edges=pl.DataFrame(edges, schema=dict(EDGES.columns), orient="row"),
        passages_of=lambda places: [
            Passage(**row, document=row["document_id"])
            for row in passages[list(places)]
            .select("passage_id", "document_id", "section", "text")
            .iter_rows(named=True)
        ],
        index=SimpleNamespace(
            around=SimpleNamespace(parents=parents(parent_of(passages), passages["passage_id"]))
        ),
    )
    return EvidenceSource(bundle)
