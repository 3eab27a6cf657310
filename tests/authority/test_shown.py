import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulerank.authority.shown import (
    authority_facts,
    in_force_above,
    order_of_passages,
    superseders,
    with_superseders,
)
from rulerank.errors import InputError
from rulerank.tables import EDGES

IDS = pl.Series(["a", "b", "c", "d", "e"])


def edges(*pairs: str, kind: str = "SUPERSEDES") -> pl.DataFrame:
    return pl.DataFrame(
        [(*pair.split(">"), kind, "") for pair in pairs], schema=dict(EDGES.columns), orient="row"
    )


def test_edges_of_other_types_and_to_other_nodes_say_nothing() -> None:
    table = pl.concat([edges("b>a", "b>document:x"), edges("d>c", kind="REFERENCES")])
    assert order_of_passages(table, IDS).superseded.tolist() == [True, False, False, False, False]


def test_loop_of_edges_is_refused_and_named() -> None:
    with pytest.raises(
        InputError, match="edges: supersession is circular: a is superseded by b is superseded by a"
    ):
        order_of_passages(edges("b>a", "a>b"), IDS)


def test_facts_of_a_chain() -> None:
    facts = authority_facts(order_of_passages(edges("b>a", "c>b"), IDS))
    assert facts["superseded"].tolist() == [1, 1, 0, 0, 0]
    assert facts["frontier"].tolist() == [0, 0, 1, 0, 0]
    assert facts["chain_length"].tolist() == [2, 1, 0, 0, 0]


def test_facts_of_a_corpus_without_supersession_are_zero() -> None:
    facts = authority_facts(order_of_passages(EDGES.empty(), IDS))
    assert [values.tolist() for values in facts.values()] == [[0.0] * 5] * 3
    assert all(values.dtype == np.float32 for values in facts.values())


def test_superseders_of_a_passage_are_all_that_stand_above_it() -> None:
    order = order_of_passages(edges("b>a", "c>b"), IDS)
    lists = superseders(order)
    assert [lists.of(row).tolist() for row in range(len(lists))] == [[1, 2], [2], [], [], []]


def test_what_voids_a_passage_is_what_is_in_force_of_all_above_it() -> None:
    order = order_of_passages(edges("b>a", "c>b", "e>a"), IDS)
    assert [in_force_above(order, row) for row in range(5)] == [[2, 4], [2], [], [], []]


def test_voided_passage_is_preceded_by_the_front_of_its_chain() -> None:
    order = order_of_passages(edges("b>a", "c>b", "e>d"), IDS)
    assert with_superseders(order, [0, 3]) == [2, 0, 4, 3]
    assert with_superseders(order, [3, 4, 2]) == [4, 3, 2]
    assert with_superseders(order, []) == []


@given(
    st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5)).filter(lambda pair: pair[0] < pair[1])),
    st.lists(st.integers(0, 5), unique=True),
)
def test_no_prefix_shows_a_voided_passage_alone(pairs, ranked) -> None:
    order = order_of_passages(
        edges(*(f"{high}>{low}" for low, high in sorted(pairs))), pl.Series(list("012345"))
    )
    shown = with_superseders(order, ranked)
    assert len(set(shown)) == len(shown)
    assert set(ranked) <= set(shown)
    for place, passage in enumerate(shown):
        if order.superseded[passage]:
            assert set(order.superseders([passage]).tolist()) & set(shown[:place])
    assert pairs or shown == ranked
