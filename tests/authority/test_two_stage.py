import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulerank.authority.domain import Domain
from rulerank.authority.rules import supersession
from rulerank.authority.scopes import index_scopes, instants
from rulerank.authority.two_stage import by_rules, by_scope, chains_per_scope, two_stage

# Two owners on plot 7, each with a title and a lien: two chains in one scope.
ROWS = [
    ("t ann", "title", 1, "7", "ann"),
    ("l ann", "lien", 2, "7", "ann"),
    ("t bob", "title", 1, "7", "bob"),
    ("l bob", "lien", 3, "7", "bob"),
    ("t cid", "title", 1, "8", "cid"),
    ("map", "survey", 1, None, None),
]
KEYS = ("plot", "owner")
EVEN = np.zeros(len(ROWS), np.float32)


@pytest.fixture(scope="module")
def order(table):
    domain = Domain(
        anchor_type="title", superseding_type="lien", scope_keys="plot", rules=[["lien", "title", KEYS]]
    )
    return supersession(table(ROWS, KEYS), domain, "x")


@pytest.fixture(scope="module")
def plots(table):
    return index_scopes(table(ROWS, KEYS), ["plot"])


@pytest.fixture(scope="module")
def can_void():
    return np.array([row[1] == "lien" for row in ROWS])


def test_what_controls_comes_first_then_the_anchors() -> None:
    controls = {0: [7, 8], 3: [8], 5: [5]}.__getitem__
    assert two_stage([0, 3, 5], controls) == [7, 8, 5, 0, 3]


def test_lookup_by_scope_takes_the_newest_whatever_the_chain(table, plots, can_void) -> None:
    controls = by_scope(plots, can_void, instants(table(ROWS, KEYS)["timestamp"]), EVEN)
    assert list(controls(0)) == [3, 1]
    assert list(controls(4)) == [4]
    assert list(controls(5)) == [5]


def test_lookup_by_scope_orders_equal_times_by_relevance(plots, can_void) -> None:
    undated = np.full(len(ROWS), np.iinfo(np.int64).min)
    relevance = np.array([0, 2, 0, 1, 0, 0], np.float32)
    assert list(by_scope(plots, can_void, undated, relevance)(0)) == [1, 3]


def test_lookup_by_rules_picks_the_chain_of_the_anchor(order) -> None:
    controls = by_rules(order, EVEN)
    assert list(controls(0)) == [1]
    assert list(controls(2)) == [3]
    assert list(controls(4)) == [4]


def test_chains_that_share_a_scope_are_counted(order, plots) -> None:
    assert chains_per_scope(order, plots, [0, 1]) == {0: 2, 1: 1}


def test_anchors_take_turns_so_that_a_crowd_behind_one_keeps_nobody_out() -> None:
    controls = {0: [11, 12, 13, 14], 1: [21], 2: [11, 12, 16]}.__getitem__
    assert two_stage([0, 1], controls) == [11, 21, 12, 13, 14, 0, 1]
    # Each in turn promotes a document that none has promoted yet: 2 gives 12, since 0 has given 11.
    assert two_stage([0, 2, 1], controls) == [11, 12, 21, 13, 16, 14, 0, 2, 1]


@given(st.lists(st.lists(st.integers(10, 20), unique=True, min_size=1), min_size=1, max_size=6))
def test_first_k_documents_hold_one_of_each_of_the_first_k_anchors(controls: list[list[int]]) -> None:
    ranked = two_stage(range(len(controls)), controls.__getitem__)
    for k in range(1, len(controls) + 1):
        assert all(set(ranked[:k]) & set(own) for own in controls[:k])
    everything = {row for own in controls for row in own} | set(range(len(controls)))
    assert sorted(ranked) == sorted(everything)
