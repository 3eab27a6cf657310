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
from rulerank.graph.hierarchy import parent_of
from rulerank.passages import Passage
from rulerank.ranker.evidence import FEW, Evidence
from rulerank.settings import Graph
from rulerank.tables import EDGES, PASSAGES

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


def _revoking(rules: int) -> Evidence:
    """Return the passages of a document with so many rules, which another document revokes."""
    rows = [(f"r{place}", "old", f"{place}", "Rule.") for place in range(rules)]
    edges = [("a", f"r{place}", "SUPERSEDES", "The Old Rules 2001 are revoked") for place in range(rules)]
    return _evidence([*rows, ("a", "new", "1", "The Old Rules 2001 are revoked.")], edges)


def _evidence(rows: list[tuple[str, str, str, str]], edges: list[tuple[str, str, str, str]]) -> Evidence:
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
    return Evidence(bundle)


@pytest.mark.parametrize(("rules", "brought"), [(FEW, FEW + 1), (FEW + 1, 1)])
def test_a_passage_brings_the_rules_that_it_changes_if_they_are_few(rules: int, brought: int) -> None:
    passages, _ = _revoking(rules).law(["a"], DAY)
    assert len(passages) == brought


def test_a_rule_brings_what_revokes_its_document() -> None:
    answer = _answer(_revoking(FEW + 1), ["r3"])
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
    evidence = _evidence(rows, [("n", "r", "SUPERSEDES", "The following are revoked:")])
    for kept in (["r"], ["n"], ["r", "b"], ["b", "r"]):
        claim = _answer(evidence, kept).claims[-1]
        assert claim.text == "The following are revoked: (b) the Old Rules 2001."
        assert claim.passages == ("n", "b", "r")
        assert [each.passage_id for each in claim.quotes] == ["n", "b"]


REST = ("r1", "act", "1(1)", "(1) A pilot must rest.")
TUGS = ("r2", "act", "1(2)", "(2) Paragraph (1) does not apply to a tug.")


def test_a_paragraph_brings_what_limits_it() -> None:
    claims = _answer(_evidence([REST, TUGS], []), ["r1"]).claims
    assert [each.text for each in claims] == ["A pilot must rest.", "Paragraph (1) does not apply to a tug."]
    assert [each.passages for each in claims] == [("r1",), ("r2",)]


def test_what_limits_a_paragraph_comes_with_its_own_change() -> None:
    revoked = ("r3", "act", "2", "Rule 1(2) is revoked.")
    evidence = _evidence([REST, TUGS, revoked], [("r3", "r2", "SUPERSEDES", "Rule 1(2) is revoked")])
    assert [each.text for each in _answer(evidence, ["r1"]).claims] == [
        "A pilot must rest.",
        "Rule 1(2) is revoked.",
    ]


def test_an_item_brings_what_limits_its_lead_in() -> None:
    items = [("r1", "act", "1(1)", "A pilot must—"), ("a", "act", "1(1)(a)", "rest;"), TUGS]
    passages, _ = _evidence(items, []).law(["a"], DAY)
    assert [each.passage_id for each in passages] == ["r1", "a", "r2"]


def test_an_item_brings_each_lead_in_above_it() -> None:
    lead_ins = [
        ("r", "act", "1", "A pilot must—"),
        ("a", "act", "1(a)", "(a) tell—"),
        ("i", "act", "1(a)(i)", "(i) the cook."),
    ]
    (claim,) = _answer(_evidence(lead_ins, []), ["i"]).claims
    assert claim.text == "A pilot must— tell— the cook."
    apart = [lead_ins[0], ("a", "act", "1(a)", "(a) rest. A mate may tell—"), lead_ins[2]]
    assert [(each.text, each.passages) for each in _answer(_evidence(apart, []), ["i"]).claims] == [
        ("A pilot must— rest.", ("a", "r")),
        ("A mate may tell— the cook.", ("i", "a")),
    ]


def _listed(lead: str, *items: str) -> list[tuple[str, str, str, str]]:
    """Return a lead-in and its items as passages r, a, b and so on."""
    labels = "abcdefghijk"[: len(items)]
    below = [(each, "act", f"1({each})", item) for each, item in zip(labels, items, strict=True)]
    return [("r", "act", "1", lead), *below]


@pytest.mark.parametrize(
    "lead",
    [
        "A ship need not call if:",
        "A ship must call, unless:",
        "A ship may sail after dark, provided:",
        "A ship may sail only:",
        "The fee is the sum of:",
        "“Aground” means:",
    ],
)
@pytest.mark.parametrize("kept", [["r"], ["b"], ["b", "a"]])
def test_a_lead_in_and_an_item_bring_the_items_that_are_right_only_together(
    lead: str, kept: list[str]
) -> None:
    (claim,) = _answer(_evidence(_listed(lead, "she is old; and", "she is tall."), []), kept).claims
    assert claim.text == f"{lead} she is old; and she is tall."
    assert claim.passages == ("r", "a", "b")


@pytest.mark.parametrize(
    ("lead", "items"),
    [
        ("A master must:", ["rest; and", "eat."]),
        ("This rule applies where a ship is moored:", ["she must call; and", "she must show a lamp."]),
        ("A ship need not call if:", ["she is:", "she is tall."]),
        ("A ship need not call if:", ["she is tall;"] * 9),
    ],
)
def test_a_lead_in_brings_no_items_that_are_right_alone_or_many_or_lead_on(
    lead: str, items: list[str]
) -> None:
    passages, _ = _evidence(_listed(lead, *items), []).law(["r"], DAY)
    assert [each.passage_id for each in passages] == ["r"]


def test_a_lead_in_that_ends_in_a_condition_brings_each_item_though_one_suffices() -> None:
    rows = _listed("A ship need not call if:", "she is old; or", "she is tall.")
    (claim,) = _answer(_evidence(rows, []), ["r"]).claims
    assert claim.text == "A ship need not call if: she is old; or she is tall."


@pytest.mark.parametrize("kept", [["r"], ["a"], ["b"], ["c"]])
@pytest.mark.parametrize(
    ("change", "item"),
    [
        (
            "In rule 1(a), for “old” substitute “new”.",
            "She must carry an old [read as “new”] lamp; and",
        ),
        ("Rule 1(a) is revoked.", "[Rule 1(a) is revoked.]"),
        (
            "In rule 1(a), omit “old”.",
            "She must carry an old lamp; and [In rule 1(a), omit “old”.]",
        ),
    ],
)
def test_a_list_is_stated_with_what_changes_its_items(change: str, item: str, kept: list[str]) -> None:
    rows = _listed("A ship need not call if:", "She must carry an old lamp; and", "She is tall.")
    evidence = _evidence([*rows, ("c", "act", "2", change)], [("c", "a", "SUPERSEDES", change)])
    (claim,) = _answer(evidence, kept).claims
    assert claim.text == f"A ship need not call if: {item} She is tall."
    assert (claim.modality, claim.changed_by, set(claim.passages)) == ("permission", ("c",), {*"rabc"})


def test_items_of_a_lead_in_that_is_changed_are_stated_one_by_one() -> None:
    rows = _listed("A ship need not call if:", "she is old; or", "she is tall.")
    changed = [*rows, ("c", "act", "2", "In rule 1, for “call” substitute “stop”.")]
    answer = _answer(_evidence(changed, [("c", "r", "SUPERSEDES", "for “call” substitute “stop”")]), ["a"])
    assert [each.text for each in answer.claims] == [
        "A ship need not call [read as “stop”] if: she is old",
        "A ship need not call [read as “stop”] if: she is tall.",
    ]


@pytest.mark.parametrize(("limits", "brought"), [(FEW, FEW + 1), (FEW + 1, 1)])
def test_a_paragraph_brings_what_limits_it_if_that_is_little(limits: int, brought: int) -> None:
    rows = [
        (f"l{number}", "act", f"1({number})", f"Paragraph (1) does not apply to tug {number}.")
        for number in range(2, limits + 2)
    ]
    passages, _ = _evidence([REST, *rows], []).law(["r1"], DAY)
    assert len(passages) == brought
