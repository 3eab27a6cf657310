import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

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


@given(st.sets(st.tuples(st.integers(0, 7), st.integers(0, 7)), min_size=1, max_size=24))
def test_loops_are_the_strongly_connected_components(ends) -> None:
    rows = [(f"p{upper}", f"p{lower}", "SUPERSEDES", "") for upper, lower in sorted(ends)]
    _, component = connected_components(
        csr_array((np.ones(len(ends)), np.array(sorted(ends)).T), shape=(8, 8)), connection="strong"
    )
    expected = {ends for ends in ends if component[ends[0]] == component[ends[1]]}
    found = mutual(_edges(rows))
    assert {(int(upper[1]), int(lower[1])) for upper, lower, *_ in found.rows()} == expected
    of_loop = dict(found.select("source_id", "loop").rows())
    assert all(
        (of_loop[f"p{one}"] == of_loop[f"p{other}"]) == (component[one] == component[other])
        for one, _ in expected
        for other, _ in expected
    )


def test_a_chain_of_many_is_walked_without_recursion() -> None:
    rows = [(f"p{row}", f"p{row + 1}", "SUPERSEDES", "") for row in range(5000)]
    assert mutual(_edges([*rows, ("p5000", "p0", "SUPERSEDES", "")])).height == 5001
