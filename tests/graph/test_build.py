import polars as pl
import pytest

from rulerank.graph.build import build_edges, curated, summarise
from rulerank.settings import Graph
from rulerank.tables import EDGES


@pytest.fixture
def corpus(passages_of, documents_of):
    passages = passages_of(
        [
            ("D", "1", '"Ship" means a vessel.'),
            ("D", "1.1", "A Ship that moors follows Rule 2 and Rule 2."),
            ("D", "2", "Mooring needs a permit."),
        ]
    )
    return passages, documents_of({"D": ["Harbour Rules"]})


def test_edges_read_from_the_text(corpus) -> None:
    edges = build_edges(*corpus, None, Graph(max_term_share=1))
    assert summarise(edges) == {"CONTAINS": 3, "DEFINES": 1, "PARENT_OF": 1, "REFERENCES": 1, "USES_TERM": 1}
    assert edges.equals(build_edges(*corpus, None, Graph(max_term_share=1)))


def test_curated_references_take_the_place_of_the_text(corpus) -> None:
    curated = pl.DataFrame(
        [
            ("D:2", "D:1", "REFERENCES", "1"),
            ("D:2", "gone", "REFERENCES", "7"),
            ("D:2", "D:2", "REFERENCES", "2"),
        ],
        schema=dict(EDGES.columns),
        orient="row",
    )
    edges = build_edges(*corpus, curated, Graph())
    assert edges.filter(type="REFERENCES").rows() == [("D:2", "D:1", "REFERENCES", "1")]


@pytest.mark.parametrize("stated", [("gone", "D:1"), ("D:2", "D:2")])
def test_table_that_says_of_no_passage_what_it_cites_is_none(corpus, stated) -> None:
    table = pl.DataFrame([(*stated, "REFERENCES", "")], schema=dict(EDGES.columns), orient="row")
    assert build_edges(*corpus, table, Graph()).equals(build_edges(*corpus, None, Graph()))


def test_passage_whose_curated_references_all_lead_elsewhere_cites_nothing(corpus) -> None:
    table = pl.DataFrame([("D:2", "gone", "REFERENCES", "")], schema=dict(EDGES.columns), orient="row")
    assert not build_edges(*corpus, table, Graph()).filter(type="REFERENCES").height


def test_one_passage_without_text(passages_of, documents_of) -> None:
    edges = build_edges(passages_of([("D", "", "")]), documents_of({"D": ["D"]}), None, Graph())
    assert summarise(edges) == {"CONTAINS": 1}


@pytest.mark.real
def test_public_corpus(obliqa) -> None:
    from rulerank.corpora import read_corpus

    corpus = read_corpus(obliqa)
    read = build_edges(corpus.passages, corpus.documents, None, Graph()).filter(type="REFERENCES")
    listed = curated(corpus.references, corpus.passages)
    gold = set(listed.select("source_id", "target_id").iter_rows())
    sources = {source for source, _ in gold}
    found = {pair for pair in read.select("source_id", "target_id").iter_rows() if pair[0] in sources}
    assert len(found & gold) / len(found) > 0.86
    assert len(found & gold) / len(gold) > 0.90
