import polars as pl
import pytest

from rulerank.graph.citations import extract, load_grammar
from rulerank.graph.marked import marked_citations, marked_terms

GRAMMAR = load_grammar("us_cfr")
TEXTS = {
    "7.1(a)": "See paragraphs (b)(1) through (3) of this section.",
    "7.1(b)(1)": "",
    "7.1(b)(2)": "",
    "7.1(b)(3)": "",
    "7.2": "Ferry means a ship. See § 7.1(b)(1) and § 7.1(a).",
    "7.3": "A ferry sails under § 7.2.",
}


@pytest.fixture
def passages(passages_of):
    return passages_of([("7", section, text) for section, text in TEXTS.items()])


def _marks(*pairs):
    rows = [(f"7:{source}", f"7:{target}", words) for source, target, words in pairs]
    return pl.DataFrame(rows, schema=["source_id", "target_id", "words"], orient="row")


def test_what_is_between_the_ends_of_a_range_counts_only_where_it_is_marked(passages, documents_of) -> None:
    edges = extract(passages, documents_of({"7": ["Regulation F"]}), GRAMMAR).edges
    marks = _marks(
        ("7.1(a)", "7.1(b)(1)", "(b)(1)"), ("7.1(a)", "7.1(b)(3)", "(3)"), ("7.2", "7.1(a)", "7.1(a)")
    )
    found = marked_citations(edges, marks, passages)
    assert (found.found, found.gold, found.right) == (4, 3, 3)
    assert marked_citations(edges, marks, passages, ["7:7.2"]).precision == 1


def test_terms_are_compared_by_passage(passages) -> None:
    defined = pl.DataFrame([("7:7.2", "ferry")], schema=["passage_id", "term"], orient="row")
    definitions, uses = marked_terms(passages, defined, _marks(("7.3", "7.2", "ferry")), GRAMMAR)
    assert (definitions.found, definitions.gold, definitions.right) == (1, 1, 1)
    assert (uses.precision, uses.recall) == (1, 1)
