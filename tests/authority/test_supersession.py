from itertools import combinations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulerank.authority.domain import Domain
from rulerank.authority.rules import supersession
from rulerank.authority.supersession import order_by_edges
from rulerank.errors import InputError

CHAIN = [
    ("t", "title", 1, "7"),
    ("l", "lien", 2, "7"),
    ("r", "release", 3, "7"),
    ("other", "lien", 4, "8"),
    ("loose", "lien", 5, None),
    ("map", "survey", 6, "7"),
]


def test_superseders_are_those_of_the_same_scope_directly_or_not(table, registry) -> None:
    order = supersession(table(CHAIN), registry, "x")
    assert order.superseders([0]).tolist() == [1, 2]
    assert order.direct_superseders(0).tolist() == [1]
    assert order.voided([2]).tolist() == [0, 1]
    assert order.superseded.tolist() == [True, True, False, False, False, False]
    assert order.supersedes.tolist() == [False, True, True, False, False, False]
    assert order.chain_length.tolist() == [2, 1, 0, 0, 0, 0]


def test_closure_and_front_of_a_chain(table, registry) -> None:
    order = supersession(table(CHAIN), registry, "x")
    assert order.closure([0, 3]).tolist() == [0, 1, 2, 3]
    assert order.front([0, 1, 2, 3]).tolist() == [2, 3]


def test_front_sees_what_supersedes_through_a_document_outside_the_set(table, registry) -> None:
    assert supersession(table(CHAIN), registry, "x").front([0, 2]).tolist() == [2]


@pytest.mark.parametrize(
    ("title", "lien", "expected"),
    [(1, 2, True), (2, 1, False), (2, 2, False), (0, 1, True), (2, 0, True), (0, 0, True)],
)
def test_of_two_dated_documents_only_the_strictly_later_supersedes(
    table, registry, title, lien, expected
) -> None:
    rows = [("t", "title", title, "7"), ("l", "lien", lien, "7")]
    assert supersession(table(rows), registry, "x").superseded.tolist() == [expected, False]


def test_rule_within_one_type_orders_by_time_and_leaves_the_undated_out(table) -> None:
    domain = Domain(anchor_type="map", superseding_type="map", scope_keys="plot")
    rows = [("b", "map", 2, "7"), ("a", "map", 1, "7"), ("n", "map", 0, "7"), ("c", "map", 3, "7")]
    order = supersession(table(rows), domain, "x")
    assert order.chain_length.tolist() == [1, 2, 0, 0]
    assert order.direct_superseders(1).tolist() == [0, 3]


def test_rule_with_keys_of_its_own_uses_them_alone(table) -> None:
    domain = Domain(
        anchor_type="title", superseding_type="lien", scope_keys="plot", rules=[["lien", "title", ["owner"]]]
    )
    rows = [("t", "title", 1, "7", "ann"), ("u", "title", 1, "7", "bob"), ("l", "lien", 2, "8", "ann")]
    order = supersession(table(rows, ("plot", "owner")), domain, "x")
    assert order.superseded.tolist() == [True, False, False]


def test_circle_is_refused_and_named(table) -> None:
    domain = Domain(
        anchor_type="a",
        superseding_type=["b", "c"],
        scope_keys="plot",
        rules=[["b", "a"], ["c", "b"], ["a", "c"]],
    )
    rows = [("free", "a", 1, "6"), ("x", "a", 0, "7"), ("y", "b", 0, "7"), ("z", "c", 0, "7")]
    loop = "supersession is circular: x is superseded by y is superseded by z is superseded by x"
    with pytest.raises(InputError, match=f"file: {loop}"):
        supersession(table(rows), domain, "file")


def test_document_that_supersedes_itself_is_refused() -> None:
    with pytest.raises(InputError, match="b is superseded by b"):
        order_by_edges(np.array([1]), np.array([1]), ["a", "b"], "edges")


def test_ladder_is_linear_in_a_scope_of_one_type(table) -> None:
    domain = Domain(anchor_type="map", superseding_type="map", scope_keys="plot")
    rows = [(str(day), "map", day, "7") for day in range(1, 31)]
    assert supersession(table(rows), domain, "x").above.items.size < 3 * len(rows)


RULES = [["b", "a"], ["c", "b"], ["c", "a"], ["b", "b"], ["c", "c"]]
CORPORA = st.lists(
    st.tuples(st.sampled_from("abcd"), st.integers(0, 4), st.sampled_from(["6", "7", None])), max_size=9
)


def _order(table, rows):
    domain = Domain(anchor_type="a", superseding_type=["b", "c"], scope_keys="plot", rules=RULES)
    return supersession(table([(str(place), *row) for place, row in enumerate(rows)]), domain, "x")


def _direct(first, second) -> bool:
    """Return whether the second document supersedes the first by one rule, as the definition says."""
    (old, before, here), (new, after, there) = first, second
    if [new, old] not in RULES or here is None or here != there:
        return False
    return after > before if after and before else new != old


@given(CORPORA)
def test_order_is_what_the_definition_says(table, rows) -> None:
    order = _order(table, rows)
    for document, row in enumerate(rows):
        expected = [other for other, above in enumerate(rows) if _direct(row, above)]
        assert order.direct_superseders(document).tolist() == expected


@given(CORPORA)
def test_order_is_irreflexive_antisymmetric_and_transitive(table, rows) -> None:
    order = _order(table, rows)
    above = [set(order.superseders([document]).tolist()) for document in range(len(rows))]
    for document, others in enumerate(above):
        assert document not in others
        for other in others:
            assert document not in above[other]
            assert above[other] <= others
        assert order.superseded[document] == bool(others)


@given(CORPORA, st.data())
def test_front_is_never_empty_and_closure_is_idempotent_and_monotone(table, rows, data) -> None:
    order = _order(table, rows)
    members = data.draw(st.sets(st.integers(0, len(rows) - 1)) if rows else st.just(set()))
    more = members | data.draw(st.sets(st.integers(0, len(rows) - 1)) if rows else st.just(set()))
    closed = order.closure(members).tolist()
    assert order.closure(closed).tolist() == closed
    assert members <= set(closed) <= set(order.closure(more).tolist())
    front = set(order.front(members).tolist())
    assert bool(front) == bool(members)
    assert front <= members
    assert not any(set(order.superseders([low]).tolist()) & {high} for low, high in combinations(front, 2))


@given(CORPORA, st.randoms(use_true_random=False))
@settings(max_examples=30)
def test_order_does_not_depend_on_the_order_of_the_documents(table, rows, chance) -> None:
    places = list(range(len(rows)))
    chance.shuffle(places)
    straight, shuffled = _order(table, rows), _order(table, [rows[place] for place in places])
    assert shuffled.chain_length.tolist() == straight.chain_length[places].tolist()
    for new, old in enumerate(places):
        found = sorted(places[other] for other in shuffled.superseders([new]).tolist())
        assert found == straight.superseders([old]).tolist()


def test_corpus_without_documents_of_a_rule_has_no_order(table, registry) -> None:
    order = supersession(table([("m", "survey", 1, "7")]), registry, "x")
    assert order.superseders([0]).tolist() == []
    assert isinstance(table([]), pl.DataFrame)
