import polars as pl
import pytest

from rulerank.graph.adjacency import adjacency
from rulerank.graph.statistics import ALL, CITATIONS, core, degrees, describe, most_cited
from rulerank.tables import EDGES

IDS = pl.Series(list("abcdef"))


@pytest.fixture
def edges(edges_of):
    return edges_of(
        REFERENCES="a>b c>b d>e", SUPERSEDES="a>b", USES_TERM="a>term:x b>term:x", PARENT_OF="a>c"
    )


def test_figures_by_type(edges) -> None:
    table = {row["type"]: row for row in describe(edges, IDS).to_dicts()}
    assert list(table) == ["PARENT_OF", "REFERENCES", "SUPERSEDES", "USES_TERM", CITATIONS, ALL]
    assert table["REFERENCES"] == {
        "type": "REFERENCES",
        "edges": 3,
        "components": 2,
        "largest": 3,
        "orphans": pytest.approx(1 / 6),
        "in_mean": 0.5,
        "in_median": 0,
        "in_max": 2,
        "in_max_passage": "b",
        "out_mean": 0.5,
        "out_median": 0.5,
        "out_max": 1,
        "out_max_passage": "a",
    }
    assert table["USES_TERM"]["in_max_passage"] is None
    assert (table["USES_TERM"]["components"], table["USES_TERM"]["largest"]) == (1, 3)
    assert table[CITATIONS]["edges"] == 4
    assert (table[ALL]["edges"], table[ALL]["largest"], table[ALL]["in_max"]) == (7, 4, 3)


def test_figures_of_no_edges() -> None:
    assert describe(EDGES.empty(), IDS).select("type", "edges", "components", "orphans").rows() == [
        (CITATIONS, 0, 0, 1.0),
        (ALL, 0, 0, 1.0),
    ]


def test_degrees_are_in_the_order_of_the_passages(edges) -> None:
    incoming, outgoing = degrees(edges, pl.Series(["b", "a"]))
    assert (incoming.tolist(), outgoing.tolist()) == ([3, 0], [1, 4])


def test_most_cited_come_first_and_uncited_not_at_all(passages_of, edges_of) -> None:
    passages = passages_of([("D", section, section) for section in "abc"])
    table = most_cited(edges_of(REFERENCES="D:a>D:c D:b>D:c D:c>D:a", PARENT_OF="D:a>D:b"), passages)
    assert table.select("section", "citations").rows() == [("c", 2), ("a", 1)]


def test_core_grows_from_the_best_connected_passage(edges_of) -> None:
    # b joins a, c, d; d leads on to e and f; g and h are apart.
    ids = pl.Series(list("abcdefgh"))
    links = adjacency(edges_of(REFERENCES="b>a b>c d>b d>e f>d g>h"), ids, ["REFERENCES"], "both")
    rows, size = core(links, 3)
    assert ("".join(ids[rows]), size) == ("bda", 6)
    assert len(core(links, 100)[0]) == 6


def test_core_without_edges_is_one_passage(edges_of) -> None:
    rows, size = core(adjacency(EDGES.empty(), IDS, ["REFERENCES"], "both"), 5)
    assert (rows.tolist(), size) == ([0], 1)
