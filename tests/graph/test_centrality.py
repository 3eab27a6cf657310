import networkx as nx
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulerank.graph.centrality import centrality
from rulerank.tables import EDGES


def test_star_has_one_authority(edges_of) -> None:
    table = centrality(edges_of(REFERENCES="a>c b>c"), pl.Series(["a", "b", "c"]))
    assert table["hits_authority"].to_list() == pytest.approx([0, 0, 1])
    assert table["degree"].to_list() == [1, 1, 2]
    # PageRank of the two leaves is p, of the centre p (1 + 2 x 0.85).
    assert table["pagerank"].to_list() == pytest.approx([1 / 4.7, 1 / 4.7, 2.7 / 4.7], abs=1e-5)


def test_documents_and_terms_take_part(edges_of) -> None:
    edges = edges_of(CONTAINS="document:D>a document:D>b", DEFINES="a>term:ship", USES_TERM="b>term:ship")
    table = centrality(edges, pl.Series(["a", "b"]))
    assert table["degree"].to_list() == [2, 2]
    assert table["pagerank"].sum() < 1


def test_several_types_join_two_nodes_once(edges_of) -> None:
    edges = edges_of(REFERENCES="a>b", PARENT_OF="a>b")
    assert centrality(edges, pl.Series(["a", "b"]))["degree"].to_list() == [1, 1]


def test_no_edges_give_uniform_pagerank_and_zeros() -> None:
    table = centrality(EDGES.empty(), pl.Series(["a", "b"]))
    assert table.rows() == [("a", 0.5, 0.0, 0), ("b", 0.5, 0.0, 0)]


def test_no_passages() -> None:
    assert centrality(EDGES.empty(), pl.Series([], dtype=pl.String)).height == 0


@pytest.mark.parametrize("nodes", [1, 2, 3])
def test_cycle_and_self_loop_do_not_crash(edges_of, nodes) -> None:
    names = [str(i) for i in range(nodes)]
    edges = edges_of(REFERENCES=" ".join(f"{i}>{(i + 1) % nodes}" for i in range(nodes)))
    table = centrality(edges, pl.Series(names))
    assert table["pagerank"].to_list() == pytest.approx([1 / nodes] * nodes)
    assert table["hits_authority"].to_list() == pytest.approx([1 / nodes] * nodes)


def test_hits_shares_authority_where_two_stars_tie(edges_of) -> None:
    table = centrality(edges_of(REFERENCES="a>b c>d"), pl.Series(list("abcd")))
    assert table["hits_authority"].to_list() == pytest.approx([0, 0.5, 0, 0.5])


def test_hits_leaves_containment_out(edges_of) -> None:
    edges = edges_of(CONTAINS="document:D>a document:D>b document:D>c", REFERENCES="a>c")
    table = centrality(edges, pl.Series(list("abc")))
    assert table["hits_authority"].to_list() == [0, 0, 1]
    assert table["degree"].to_list() == [2, 1, 2]
    assert (centrality(edges, pl.Series(list("abc")), hits_without=())["hits_authority"] > 0.2).all()


def test_hits_stops_when_it_does_not_converge(edges_of, monkeypatch) -> None:
    monkeypatch.setattr("rulerank.graph.centrality._HITS_ROUNDS", 1)
    table = centrality(edges_of(REFERENCES="a>b c>b c>d"), pl.Series(list("abcd")))
    assert table["hits_authority"].to_list() == pytest.approx([0, 0.6, 0, 0.4])


def test_same_input_same_digits(edges_of) -> None:
    edges = edges_of(REFERENCES="a>b b>c c>a d>c e>c e>a f>b")
    passages = pl.Series(list("abcdef"))
    assert centrality(edges, passages).equals(centrality(edges, passages))


ENDS = st.tuples(st.integers(0, 11), st.integers(0, 11), st.sampled_from(["REFERENCES", "PARENT_OF"]))


@given(st.sets(ENDS, min_size=1, max_size=40))
def test_equals_networkx(links) -> None:
    rows = [(f"p{source}", f"p{target}", kind, "") for source, target, kind in sorted(links)]
    edges = pl.DataFrame(rows, schema=dict(EDGES.columns), orient="row")
    passages = [f"p{place}" for place in range(10)]
    graph = nx.DiGraph()
    graph.add_nodes_from(passages)
    graph.add_edges_from(edges.select("source_id", "target_id").iter_rows())

    table = centrality(edges, pl.Series(passages))

    ranked = nx.pagerank(graph)
    assert table["pagerank"].to_list() == pytest.approx([ranked[name] for name in passages], abs=1e-9, rel=0)
    assert table["degree"].to_list() == [graph.degree(name) for name in passages]


def test_hits_equals_networkx_where_one_community_is_the_greatest(edges_of) -> None:
    edges = edges_of(REFERENCES="a>b a>c a>d b>c d>c e>b f>c f>d g>h")
    graph = nx.DiGraph(edges.select("source_id", "target_id").rows())
    _, authorities = nx.hits(graph)

    table = centrality(edges, pl.Series(list("abcdefgh")))

    expected = [authorities[name] for name in "abcdefgh"]
    assert table["hits_authority"].to_list() == pytest.approx(expected, abs=1e-9, rel=0)
