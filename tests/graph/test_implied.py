from datetime import date

import networkx as nx
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulerank.errors import InputError
from rulerank.graph.build import build_edges
from rulerank.graph.implied import delegations_turned, implied, superseded_by_date
from rulerank.settings import Graph
from rulerank.tables import EDGES, PASSAGES


def dated(rows):
    """Return passages from (id, scope, kind, year); no year means no date, and `heading` has no text."""
    return pl.DataFrame(
        [
            (
                name,
                "D",
                name,
                "",
                "" if kind == "heading" else "x",
                None,
                kind,
                place,
                date(year, 1, 1) if year else None,
                scope,
            )
            for place, (name, scope, kind, year) in enumerate(rows)
        ],
        schema=dict(PASSAGES.columns),
        orient="row",
    )


def pairs(edges):
    return edges.select("source_id", "target_id").rows()


def test_delegation_and_specification_imply_each_other(edges_of) -> None:
    turned = delegations_turned(edges_of(DELEGATES_TO="a>b", SPECIFIES="d>c", REFERENCES="a>c"))
    assert turned.rows() == [("b", "a", "SPECIFIES", ""), ("c", "d", "DELEGATES_TO", "")]


def test_graph_holds_what_follows_from_the_dates(documents_of) -> None:
    passages = dated([("old", "s", "rule", 2000), ("new", "s", "rule", 2020)])
    edges = build_edges(passages, documents_of({"D": ["D"]}), None, Graph())
    assert pairs(edges.filter(type="SUPERSEDES")) == [("new", "old")]


def test_later_passage_supersedes_its_direct_predecessor() -> None:
    found = superseded_by_date(
        dated([("old", "s", "rule", 2000), ("new", "s", "rule", 2020), ("mid", "s", "rule", 2010)])
    )
    assert found.rows() == [
        ("new", "mid", "SUPERSEDES", "2020-01-01 after 2010-01-01"),
        ("mid", "old", "SUPERSEDES", "2010-01-01 after 2000-01-01"),
    ]


def test_other_scope_other_kind_no_date_no_scope_and_no_text_supersede_nothing() -> None:
    rows = [
        ("a", "s", "rule", 2000),
        ("b", "t", "rule", 2010),
        ("c", "s", "guidance", 2010),
        ("d", "s", "rule", None),
        ("e", None, "rule", 1990),
        ("f", None, "rule", 2010),
        ("g", "s", "heading", 1990),
        ("h", "s", "heading", 2010),
    ]
    assert superseded_by_date(dated(rows)).is_empty()


def test_passages_of_one_date_supersede_together_but_not_each_other() -> None:
    years = {"a": 2000, "b": 2010, "c": 2000, "d": 2010}
    found = superseded_by_date(dated([(name, "s", "rule", year) for name, year in years.items()]))
    assert pairs(found) == [("b", "a"), ("b", "c"), ("d", "a"), ("d", "c")]


def test_nothing_follows_from_nothing() -> None:
    assert implied(EDGES.empty(), dated([])).schema == EDGES.empty().schema


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["s", "t", None]),
            st.sampled_from(["rule", "form"]),
            st.sampled_from([None, 2000, 2005, 2010, 2015]),
        ),
        max_size=12,
    )
)
def test_supersession_is_the_strict_order_of_the_dates(drawn) -> None:
    rows = [(f"p{place}", *row) for place, row in enumerate(drawn)]
    order = nx.transitive_closure(nx.DiGraph(pairs(superseded_by_date(dated(rows)))))
    expected = {
        (newer, older)
        for newer, scope, kind, year in rows
        for older, other_scope, other_kind, other_year in rows
        if scope and year and other_year and (scope, kind) == (other_scope, other_kind) and year > other_year
    }
    assert set(order.edges) == expected


def test_dates_that_make_too_many_edges_are_refused(monkeypatch) -> None:
    monkeypatch.setattr("rulerank.graph.implied.MOST_BY_DATE", 5)
    rows = [(f"{year}-{number}", "all", "rule", year) for year in (2000, 2010) for number in range(3)]
    with pytest.raises(
        InputError, match=r"scope: expected at most 5 pairs .* found 9, most of them in 'all'"
    ):
        superseded_by_date(dated(rows))
    assert superseded_by_date(dated(rows[1:-1])).height == 4
