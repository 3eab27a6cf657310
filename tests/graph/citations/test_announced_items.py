"""Items of an amendment that are passages of their own, read after their lead-in."""

from __future__ import annotations

import polars as pl
import pytest

from rulerank.graph.citations import extract, load_grammar
from rulerank.tables import DOCUMENTS, PASSAGES
from tests.graph.citations.amended import LEAD, NAMES, SUBSTITUTE


def test_items_that_delete_are_read_under_their_lead_in(superseded) -> None:
    read = superseded(
        ("2", "The principal Rules are amended by:"),
        ("2(a)", "(a) deleting rule 2; and"),
        ("2(b)", "(b) substituting “12 hours” for “24 hours” in rule 1."),
    )
    assert read == [("am:2(a)", "h:2"), ("am:2(b)", "h:1")]


def test_items_that_delete_parts_are_read_in_the_rule_of_their_lead_in(superseded) -> None:
    read = superseded(
        ("2", "Rule 1 of the principal Rules is amended by—"),
        ("2(a)", "(a) deleting paragraph (2);"),
        ("2(b)", "(b) inserting “24 hours” after “call”."),
    )
    assert read == [("am:2", "h:1"), ("am:2(a)", "h:1"), ("am:2(b)", "h:1")]


@pytest.mark.parametrize(
    ("lead", "item"),
    [
        ("The Board must consult before:", "(a) repealing rule 1;"),
        ("The functions of the Board are—", "(a) the revocation of rule 1;"),
        ("The Minister may, by order:", "(a) repeal rule 1;"),
    ],
)
def test_an_item_that_is_a_passage_is_no_change_if_its_lead_in_makes_it_none(
    reading, lead: str, item: str
) -> None:
    def changes(*rows):
        table = [("r", "1", "Rest."), *(("r", *row) for row in rows)]
        return reading("english_rulebook", table, {}).edges.filter(type="SUPERSEDES")["source_id"].to_list()

    assert changes(("2", f"{lead} {item}")) == []
    assert changes(("2", lead), ("2(a)", item)) == []
    assert changes(("2", "The Board has duties:"), ("2(a)", lead), ("2(a)(i)", item)) == []
    assert changes(("2", "Rest."), ("2(a)", item)) == ["r:2(a)"]
    for announced in ("The following amendments are made:", "Repeals:", "Revocations—"):
        assert changes(("2", announced), ("2(a)", item)) == ["r:2(a)"]


@pytest.mark.parametrize(
    "lead",
    [
        "The Harbour Rules 2018 are amended by:",
        "The Harbour Rules 2018 are amended as follows—",
        "The Harbour Rules 2018 are amended by the following:",
    ],
)
def test_an_item_that_is_a_passage_changes_what_its_lead_in_amends(superseded, lead: str) -> None:
    rows = [("2", lead), ("2(a)", "(a) repealing rule 1;"), ("2(b)", "(b) the revocation of rule 2.")]
    assert superseded(*rows) == [("am:2(a)", "h:1"), ("am:2(b)", "h:2")]


def test_positions_counted_in_each_document_keep_a_lead_in_with_what_it_announces() -> None:
    texts = [("h", "1", "A tug must call 24 hours before.", 0), ("h", "2", "Rest.", 1), ("am", "2", LEAD, 0),
             ("am", "3", SUBSTITUTE, 1), ("t", "1", "Rest.", 0), ("t", "2", "Call.", 1)]  # fmt: skip
    rows = [
        (f"{document}:{section}", document, section, "", text, 3, "rule", position, None, None)
        for document, section, text, position in texts
    ]
    passages = pl.DataFrame(rows, schema=dict(PASSAGES.columns), orient="row")
    named = [(document, names[0], names) for document, names in NAMES.items()]
    documents = pl.DataFrame(named, schema=dict(DOCUMENTS.columns), orient="row")
    edges = extract(passages, documents, load_grammar("english_rulebook")).edges
    assert edges.filter(type="SUPERSEDES").select("source_id", "target_id").rows() == [("am:3", "h:1")]
