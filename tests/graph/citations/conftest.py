import pytest

from rulerank.graph.citations import extract, load_grammar


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
