import pytest

from rulerank.graph.citations import extract, load_grammar
from tests.graph.citations.amended import NAMES, RULES


@pytest.fixture
def reading(passages_of, documents_of):
    """Return what is read from (document, section, text) rows; some documents may have a tier."""

    def read(grammar, rows, names, tiers=None):
        import polars as pl

        passages = passages_of(rows)
        if tiers:
            found = pl.Series([tiers.get(document) for document in passages["document_id"]], dtype=pl.Int8)
            passages = passages.with_columns(tier=found)
        return extract(passages, documents_of(names), load_grammar(grammar))

    return read


@pytest.fixture
def superseded(reading):
    """Return which passages the passages of an amending document supersede, by section."""

    def read(*rows):
        table = [*RULES, ("am", "1", "These Rules may be cited as such."), *(("am", *row) for row in rows)]
        edges = reading("english_rulebook", table, NAMES).edges
        return edges.filter(type="SUPERSEDES").select("source_id", "target_id").rows()

    return read
