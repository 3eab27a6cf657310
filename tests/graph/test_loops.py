import polars as pl

from rulerank.authority.shown import order_of_passages
from rulerank.graph.loops import mutual, without_loops
from rulerank.tables import EDGES

ROWS = [
    ("a", "b", "SUPERSEDES", "a repeals b"),
    ("b", "a", "SUPERSEDES", "b repeals a"),
    ("c", "a", "SUPERSEDES", "c repeals a"),
    ("a", "b", "REFERENCES", "b"),
]


def _edges(rows) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=dict(EDGES.columns), orient="row")


def test_passages_that_repeal_each_other_are_named_with_their_evidence() -> None:
    assert mutual(_edges(ROWS)).rows() == [(*ROWS[0], 0), (*ROWS[1], 0)]


def test_neither_of_them_is_void_and_both_still_cite() -> None:
    edges = without_loops(_edges(ROWS))
    assert edges.rows() == [
        ("a", "b", "REFERENCES", "a repeals b"),
        ("b", "a", "REFERENCES", "b repeals a"),
        ROWS[2],
    ]
    order = order_of_passages(edges, pl.Series(["a", "b", "c"]))
    assert order.superseded.tolist() == [True, False, False]


def test_a_longer_loop_is_one() -> None:
    rows = [(upper, lower, "SUPERSEDES", "") for upper, lower in ("ab", "bc", "ca", "xy", "yx", "pq")]
    assert mutual(_edges(rows))["loop"].to_list() == [0, 0, 0, 1, 1]


def test_edges_without_a_loop_are_as_they_were() -> None:
    edges = _edges(ROWS[1:])
    assert without_loops(edges).equals(edges)
    assert mutual(EDGES.empty()).height == 0
