import numpy as np
import pytest

from rulerank.authority.domain import Domain
from rulerank.authority.rules import supersession
from rulerank.authority.scopes import index_scopes, instants
from rulerank.authority.two_stage import (
    by_rules,
    by_scope,
    chains_per_scope,
    given_anchors,
    named_anchors,
    two_stage,
)

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


def test_what_controls_comes_first_then_the_anchors_then_the_rest() -> None:
    controls = {0: [7, 8], 3: [8], 5: [5]}.__getitem__
    assert two_stage([0, 3, 5], np.array([0, 1, 3, 7]), controls) == [7, 8, 5, 0, 3, 1]


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


def test_crowd_behind_one_anchor_waits_for_the_next() -> None:
    controls = {0: [11, 12, 13, 14, 15], 1: [21], 2: [11, 12, 13, 14, 16]}.__getitem__
    assert two_stage([0, 1], np.array([0, 1, 5]), controls) == [11, 12, 13, 21, 14, 15, 0, 1, 5]
    assert two_stage([0, 2, 1], np.array([5]), controls) == [11, 12, 13, 14, 16, 21, 15, 0, 2, 1, 5]


def test_scope_given_makes_anchors_of_all_its_documents_and_one_named_of_its_first(plots) -> None:
    is_anchor = np.array([row[1] == "title" for row in ROWS])
    relevance = np.array([1, 9, 2, 3, 4, 5], np.float32)
    assert given_anchors(plots, [0], is_anchor, relevance) == [2, 0, 1, 3]
    assert named_anchors(plots, [0, 1], is_anchor, relevance) == [4, 2]
    assert named_anchors(plots, [], is_anchor, relevance) == []
