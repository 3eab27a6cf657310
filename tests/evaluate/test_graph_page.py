from datetime import date

import polars as pl
import pytest

from rulerank.evaluate.graph_page import graph_page
from rulerank.evaluate.page import html_page
from rulerank.graph.loops import mutual
from rulerank.tables import DOCUMENTS, EDGES, PASSAGES


@pytest.fixture
def tables():
    passages = pl.DataFrame(
        [
            (name, name[0], name[1:], "", "word " * 40, None, "rule", place, date(2020, 1, 1), None)
            for place, name in enumerate(["A1", "A2", "B1", "B2"])
        ],
        schema=dict(PASSAGES.columns),
        orient="row",
    )
    documents = pl.DataFrame(
        [("A", "Harbour Act", []), ("B", "Harbour Rules", [])], schema=dict(DOCUMENTS.columns), orient="row"
    )
    edges = pl.DataFrame(
        [("A1", "B1", "REFERENCES", ""), ("A2", "B1", "REFERENCES", ""), ("B1", "B2", "PARENT_OF", "")],
        schema=dict(EDGES.columns),
        orient="row",
    )
    return edges, passages, documents


def test_page_says_what_the_graph_holds(tables) -> None:
    page, pictures = graph_page(*tables, mutual(tables[0]))
    assert "4 passages in 2 documents, 3 edges." in page
    assert "| REFERENCES | 2 | 1 | 3 | 0.250 |" in page
    assert "| B1 | B | 1 | 2 | " + "word " * 25 + "… |" in page
    assert all(f"]({name})" in page for name in pictures)
    assert html_page(page, pictures).count("data:image/png") == 2


def test_page_is_the_same_to_the_byte(tables) -> None:
    looped = mutual(tables[0])
    assert graph_page(*tables, looped) == graph_page(*tables, looped)


@pytest.mark.filterwarnings("error")
def test_page_of_a_graph_without_edges(tables) -> None:
    _, passages, documents = tables
    page, pictures = graph_page(EDGES.empty(), passages, documents, mutual(EDGES.empty()))
    assert "| all edges | 0 | 0 | 0 | 1.000 |" in page
    assert all(picture.startswith(b"\x89PNG") for picture in pictures.values())
