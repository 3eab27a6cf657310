"""The changes that the sample's generator knows, compared with those that are stated, without a ranker."""

from __future__ import annotations

from datetime import date
from types import SimpleNamespace

import polars as pl
import pytest

from rulerank.answer import Extractive, Relevance
from rulerank.answer.verify import verified
from rulerank.corpora import read_corpus
from rulerank.corpora.sample import write_sample
from rulerank.corpora.sample.truth import changed_provisions
from rulerank.evaluate.stale import stale_claims
from rulerank.graph.adjacency import parents
from rulerank.graph.build import build_edges
from rulerank.passages import Passage
from rulerank.ranker.evidence import Evidence
from rulerank.settings import Graph

DAY = date(2026, 1, 1)


@pytest.fixture(scope="module", params=[5, 11])
def rulebook(request, tmp_path_factory):
    root = tmp_path_factory.mktemp("sample") / "sample"
    write_sample(root, seed=request.param, questions=80)
    corpus = read_corpus(root)
    edges = build_edges(corpus.passages, corpus.documents, None, Graph())

    def passages_of(rows):
        shown = corpus.passages[list(rows)].select("passage_id", "document_id", "section", "text")
        return [Passage(**row, document=row["document_id"]) for row in shown.iter_rows(named=True)]

    above = parents(edges, corpus.passages["passage_id"])
    bundle = SimpleNamespace(
        passages=corpus.passages,
        edges=edges,
        passages_of=passages_of,
        index=SimpleNamespace(around=SimpleNamespace(parents=above)),
    )
    changed = {each.passage_id: each for each in changed_provisions(request.param)}
    return Evidence(bundle), changed, corpus


def _answer(evidence: Evidence, kept: list[str], day: date = DAY):
    sources, law = evidence.law(kept, day)
    return verified(Extractive(law, Relevance({}))("What is the period?", sources, day))


def test_no_answer_misses_a_change(rulebook) -> None:
    evidence, changed, corpus = rulebook
    judged = (
        corpus.judgements.group_by("query_id", maintain_order=True).agg("passage_id")["passage_id"].to_list()
    )
    for kept in [*([each] for each in changed), *judged, *(each[:1] for each in judged)]:
        answer = _answer(evidence, list(kept))
        assert answer.claims
        assert answer.dropped == ()
        assert stale_claims(answer, changed) == []


def test_before_its_change_a_rule_stands_as_it_was_made(rulebook) -> None:
    evidence, changed, corpus = rulebook
    begins = dict(corpus.passages.select("passage_id", "effective_from").iter_rows())
    rules = [each for each in changed if not each.startswith("N5-")]
    for passage_id in rules:
        (claim, *_) = _answer(evidence, [passage_id], begins[passage_id]).claims
        assert claim.passages == (passage_id,)
        assert claim.changed_by == ()


def test_what_has_not_begun_is_not_shown(rulebook) -> None:
    evidence, _, corpus = rulebook
    later = corpus.passages.filter(pl.col("effective_from") > date(2015, 1, 1))["passage_id"].to_list()
    assert evidence.shown(later, date(2015, 1, 1)) == []
    assert len(evidence.shown(later, DAY)) == len(later)
