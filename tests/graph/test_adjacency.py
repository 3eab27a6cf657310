import subprocess
import sys
from itertools import pairwise

import numpy as np
import polars as pl
import pytest

from rulerank.errors import InputError
from rulerank.graph.adjacency import adjacency, adjacent, ancestors, neighbours, parents
from rulerank.tables import EDGES


def test_adjacency_keeps_types_and_passages(edges_of) -> None:
    edges = edges_of(REFERENCES="a>b b>c", PARENT_OF="a>c", CONTAINS="document:D>a", USES_TERM="a>term:x")
    links = adjacency(edges, pl.Series(["a", "b", "c"]), ["REFERENCES", "CONTAINS", "USES_TERM"])
    assert [links.of(row).tolist() for row in range(3)] == [[1], [2], []]


def test_adjacency_counts_an_edge_of_two_types_once(edges_of) -> None:
    edges = edges_of(REFERENCES="a>b", PARENT_OF="a>b")
    assert adjacency(edges, pl.Series(["a", "b"]), ["REFERENCES", "PARENT_OF"]).weights.tolist() == [1]


@pytest.mark.parametrize(
    ("direction", "expected"),
    [
        ("out", [[1], [0, 2], []]),
        ("in", [[1], [0], [1]]),
        ("both", [[1], [0, 2], [1]]),
    ],
)
def test_adjacency_leads_in_the_direction_asked_for(edges_of, direction, expected) -> None:
    edges = edges_of(REFERENCES="a>b b>a b>c")
    links = adjacency(edges, pl.Series(["a", "b", "c"]), ["REFERENCES"], direction)
    assert [links.of(row).tolist() for row in range(3)] == expected
    assert set(links.weights) == {1}


def test_parents_are_rows(edges_of) -> None:
    edges = edges_of(PARENT_OF="a>b b>c", REFERENCES="c>a")
    assert parents(edges, pl.Series(["c", "b", "a", "d"])).tolist() == [1, 2, -1, -1]


@pytest.mark.parametrize(
    ("edges", "cycle"),
    [
        ("a>b b>c c>a", "a under c under b under a"),
        ("a>a", "a under a"),
        ("b>c c>b c>a", "b under c under b"),
    ],
)
def test_passage_that_would_stand_above_itself_is_named(edges_of, edges, cycle) -> None:
    with pytest.raises(InputError, match=f"PARENT_OF: .* found a cycle: {cycle}\\."):
        parents(edges_of(PARENT_OF=edges), pl.Series(["a", "b", "c", "d"]))


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 8, 9])
def test_longest_chain_of_parents_is_no_cycle(edges_of, size) -> None:
    ids = [f"p{row}" for row in range(size)]
    chain = " ".join(f"{above}>{below}" for above, below in pairwise(ids))
    assert parents(edges_of(PARENT_OF=chain), pl.Series(ids)).tolist() == list(range(-1, size - 1))


def test_ancestors_stand_from_the_parent_up() -> None:
    # 4 is the root of 2 and 0; 1 and 3 are under 2, 5 is under 3; 6 is alone.
    above = ancestors(np.array([4, 2, 4, 2, -1, 3, -1]))
    assert [above.of(row).tolist() for row in range(7)] == [[4], [2, 4], [4], [2, 4], [], [3, 2, 4], []]
    assert set(above.weights) == {1}


@pytest.mark.parametrize("size", [0, 3])
def test_no_parents_give_no_ancestors(size) -> None:
    above = ancestors(np.full(size, -1))
    assert len(above) == size
    assert not len(above.items)


def test_neighbours_come_in_the_stated_order(passages_of, edges_of) -> None:
    rows = passages_of([("D", s, "x") for s in "abcdefg"])
    edges = edges_of(REFERENCES="D:d>D:f D:g>D:d", PARENT_OF="D:a>D:d D:d>D:b")
    # d cites f, g cites d; a is the parent of d, b its child, c and e are next to it.
    for limit, expected in [(1, "f"), (2, "fg"), (3, "afg"), (4, "abfg"), (5, "abcfg"), (9, "abcefg")]:
        _, found, weights = neighbours(edges, rows, limit).take(np.array([3]))
        assert "".join(np.array(list("abcdefg"))[found]) == expected
        np.testing.assert_allclose(weights, 1 / len(expected))


def test_passage_without_text_is_nobodys_neighbour(passages_of) -> None:
    rows = passages_of([("D", "1", "x"), ("D", "2", " "), ("D", "3", "z"), ("E", "1", "x")])
    owner, found, weights = neighbours(EDGES.empty(), rows, 10).take(np.arange(4))
    assert (owner.tolist(), found.tolist(), weights.tolist()) == ([1, 1], [0, 2], [0.5, 0.5])


def test_neighbours_follow_position_not_row(passages_of) -> None:
    rows = passages_of([("D", s, "x") for s in "abc"])[[2, 0, 1]]
    assert neighbours(EDGES.empty(), rows, 1).items.tolist() == [2, 2, 1]


def test_adjacent_stays_within_the_document_and_follows_position(passages_of) -> None:
    passages = passages_of([("A", "1", "x"), ("B", "1", "x"), ("A", "2", "x"), ("A", "3", "x")])
    before, after = adjacent(passages[[3, 1, 0, 2]])
    assert before.tolist() == [3, -1, -1, 2]
    assert after.tolist() == [-1, -1, 3, 0]


def test_no_edges_and_one_passage(passages_of) -> None:
    rows = passages_of([("D", "1", "x")])
    assert adjacency(EDGES.empty(), rows["passage_id"], ["REFERENCES"]).items.size == 0
    assert neighbours(EDGES.empty(), rows, 10).items.size == 0
    assert parents(EDGES.empty(), rows["passage_id"]).tolist() == [-1]


def test_adjacency_and_closure_load_no_networkx() -> None:
    code = (
        "import rulerank.graph.closure, rulerank.graph.adjacency, sys; assert 'networkx' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
