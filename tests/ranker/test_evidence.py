"""The changes that the sample's generator knows, compared with those that are stated, without a ranker."""

from __future__ import annotations

from datetime import date
from types import SimpleNamespace

import polars as pl
import pytest

from rulerank.answer import Relevance
from rulerank.corpora import read_corpus
from rulerank.corpora.sample import write_sample
from rulerank.corpora.sample.truth import changed_provisions
from rulerank.evaluate.stale import stale_claims
from rulerank.graph.adjacency import parents
from rulerank.graph.build import build_edges
from rulerank.obligations import statements
from rulerank.passages import Passage
from rulerank.ranker.evidence import FEW, EvidenceSource
from rulerank.settings import Graph
from tests.ranker.laws import DAY, answered, evidence_of


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
    return EvidenceSource(bundle), changed, corpus


def test_no_answer_misses_a_change(rulebook) -> None:
    evidence, changed, corpus = rulebook
    judged = (
        corpus.judgements.group_by("query_id", maintain_order=True).agg("passage_id")["passage_id"].to_list()
    )
    for kept in [*([each] for each in changed), *judged, *(each[:1] for each in judged)]:
        answer = answered(evidence, list(kept))
        assert answer.claims
        assert answer.dropped == ()
        assert stale_claims(answer, changed) == []


def test_before_its_change_a_rule_stands_as_it_was_made(rulebook) -> None:
    evidence, changed, corpus = rulebook
    begins = dict(corpus.passages.select("passage_id", "effective_from").iter_rows())
    rules = [each for each in changed if not each.startswith("N5-")]
    for passage_id in rules:
        (claim, *_) = answered(evidence, [passage_id], begins[passage_id]).claims
        assert claim.passages == (passage_id,)
        assert claim.changed_by == ()


def test_what_has_not_begun_is_not_shown(rulebook) -> None:
    evidence, _, corpus = rulebook
    later = corpus.passages.filter(pl.col("effective_from") > date(2015, 1, 1))["passage_id"].to_list()
    assert evidence.shown(later, date(2015, 1, 1)) == []
    assert len(evidence.shown(later, DAY)) == len(later)


def test_a_document_that_is_not_in_force_yet_is_not_shown() -> None:
    rows = [
        ("a", "new", "1", "These Rules come into force on 1 January 2030."),
        ("b", "new", "2", "A barge must carry no gunpowder."),
        ("c", "old", "1", "A barge must carry a bell."),
    ]
    evidence = evidence_of(rows, [])
    assert [each.passage_id for each in evidence.shown(["a", "b", "c"], date(2029, 12, 31))] == ["c"]
    assert len(evidence.shown(["a", "b", "c"], date(2030, 1, 1))) == 3


def _revoking(rules: int) -> EvidenceSource:
    """Return the passages of a document with so many rules, which another document revokes."""
    rows = [(f"r{place}", "old", f"{place}", "Rule.") for place in range(rules)]
    edges = [("a", f"r{place}", "SUPERSEDES", "The Old Rules 2001 are revoked") for place in range(rules)]
    return evidence_of([*rows, ("a", "new", "1", "The Old Rules 2001 are revoked.")], edges)


@pytest.mark.parametrize(("rules", "brought"), [(FEW, FEW + 1), (FEW + 1, 1)])
def test_a_passage_brings_the_rules_that_it_changes_if_they_are_few(rules: int, brought: int) -> None:
    passages, _ = _revoking(rules).law(["a"], DAY)
    assert len(passages) == brought


def test_a_rule_brings_what_revokes_its_document() -> None:
    answer = answered(_revoking(FEW + 1), ["r3"])
    (claim,) = answer.claims
    assert claim.passages == ("a", "r3")
    assert claim.text == "The Old Rules 2001 are revoked."


def test_a_list_of_revoked_documents_is_stated_with_the_item_that_names_the_one_of_the_rule() -> None:
    rows = [
        ("r", "Old Rules 2001", "1", "A pilot must rest."),
        ("n", "new", "1", "The following are revoked:"),
        ("a", "new", "1(a)", "(a) the Sea Rules 1990;"),
        ("b", "new", "1(b)", "(b) the Old\nRules 2001."),
    ]
    evidence = evidence_of(rows, [("n", "r", "SUPERSEDES", "The following are revoked:")])
    for kept in (["r"], ["n"], ["r", "b"], ["b", "r"]):
        claim = answered(evidence, kept).claims[-1]
        assert claim.text == "The following are revoked: (b) the Old Rules 2001."
        assert claim.passages == ("n", "b", "r")
        assert [each.passage_id for each in claim.quotes] == ["n", "b"]


@pytest.mark.parametrize(
    "exception",
    ["Rule 2 has no effect where a tug is old.", "Where she is old, rule 1 continues to apply as it stood."],
)
def test_an_exception_to_a_change_is_stated_with_its_rule_though_it_alone_was_found(exception: str) -> None:
    rows = [
        ("r", "act", "1", "A pilot must rest for six hours."),
        ("c", "act", "2", "In rule 1, for “six hours” substitute “ten hours”."),
        ("e", "act", "3", exception),
        ("o", "act", "4", "A mate must rest. Rule 5 has no effect where a tug is old."),
        ("p", "act", "5", "A cook must eat."),
    ]
    edges = [
        ("c", "r", "SUPERSEDES", "for “six hours” substitute “ten hours”"),
        ("e", "c" if "Rule 2" in exception else "r", "REFERENCES", ""),
        ("o", "p", "REFERENCES", ""),
    ]
    evidence = evidence_of(rows, edges)
    (claim,) = answered(evidence, ["e"]).claims
    assert claim.text == f"A pilot must rest for six hours [read as “ten hours”]. [{exception}]"
    assert claim.passages == ("c", "e", "r")
    assert answered(evidence, ["r"]).claims == (claim,)
    # The rule that this one disapplies is changed by nothing.
    assert [each.passage_id for each in evidence.law(["o"], DAY)[0]] == ["o"]


REST = ("r1", "act", "1(1)", "(1) A pilot must rest.")
TUGS = ("r2", "act", "1(2)", "(2) Paragraph (1) does not apply to a tug.")


def test_a_paragraph_brings_what_limits_it() -> None:
    claims = answered(evidence_of([REST, TUGS], []), ["r1"]).claims
    assert [each.text for each in claims] == ["A pilot must rest.", "Paragraph (1) does not apply to a tug."]
    assert [each.passages for each in claims] == [("r1",), ("r2",)]


def test_what_limits_a_paragraph_comes_with_its_own_change() -> None:
    revoked = ("r3", "act", "2", "Rule 1(2) is revoked.")
    evidence = evidence_of([REST, TUGS, revoked], [("r3", "r2", "SUPERSEDES", "Rule 1(2) is revoked")])
    assert [each.text for each in answered(evidence, ["r1"]).claims] == [
        "A pilot must rest.",
        "Rule 1(2) is revoked.",
    ]


def test_an_item_brings_what_limits_its_lead_in() -> None:
    items = [("r1", "act", "1(1)", "A pilot must—"), ("a", "act", "1(1)(a)", "rest;"), TUGS]
    passages, _ = evidence_of(items, []).law(["a"], DAY)
    assert [each.passage_id for each in passages] == ["r1", "a", "r2"]


def test_an_item_brings_each_lead_in_above_it() -> None:
    lead_ins = [
        ("r", "act", "1", "A pilot must—"),
        ("a", "act", "1(a)", "(a) tell—"),
        ("i", "act", "1(a)(i)", "(i) the cook."),
    ]
    (claim,) = answered(evidence_of(lead_ins, []), ["i"]).claims
    assert claim.text == "A pilot must— tell— the cook."
    apart = [lead_ins[0], ("a", "act", "1(a)", "(a) rest. A mate may tell—"), lead_ins[2]]
    assert [(each.text, each.passages) for each in answered(evidence_of(apart, []), ["i"]).claims] == [
        ("A pilot must— rest.", ("a", "r")),
        ("A mate may tell— the cook.", ("i", "a")),
    ]


@pytest.mark.parametrize(("limits", "brought"), [(FEW, FEW + 1), (FEW + 1, 1)])
def test_a_paragraph_brings_what_limits_it_if_that_is_little(limits: int, brought: int) -> None:
    rows = [
        (f"l{number}", "act", f"1({number})", f"Paragraph (1) does not apply to tug {number}.")
        for number in range(2, limits + 2)
    ]
    passages, _ = evidence_of([REST, *rows], []).law(["r1"], DAY)
    assert len(passages) == brought


def test_abstention_names_missing_rules_of_the_statements_nearest_to_the_question() -> None:
    glossary = "A pilot is licensed under section 1. A tug is built under section 7. Dues follow section 8."
    law = evidence_of([("act:1", "act", "1", glossary)], [])
    said = [each.text for each in statements(glossary)]
    nearest = Relevance({}).nearest("What is a tug?", said, 1)
    assert nearest == ["A tug is built under section 7."]
    assert law.unanswered(nearest) == "What was found refers to section 7, which the corpus does not hold."
    nearest = Relevance({}).nearest("Who is a pilot?", said, 1)
    assert law.unanswered(nearest) == "No passage that was found is likely to answer the question."
