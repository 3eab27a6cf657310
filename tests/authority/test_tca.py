"""Three plots: on 7 a lien voids the title and a release voids the lien; on 8 a lien voids the title."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulerank.authority.domain import DerivedAnswer, Domain
from rulerank.authority.rules import supersession
from rulerank.authority.scopes import instants
from rulerank.authority.tca import (
    answer_and_direct_closure,
    closed,
    derive_answer,
    direct_closed,
    document_hit,
    equal_text_hit,
    final_event,
    final_event_hit,
    tca,
)

ROWS = [
    ("t7", "title", 1, "7"),
    ("l7", "lien", 2, "7"),
    ("r7", "release", 3, "7"),
    ("t8", "title", 1, "8"),
    ("l8", "lien", 5, "8"),
    ("t9", "title", 1, "9"),
]
T7, L7, R7, T8, L8, T9 = range(6)
TEXTS = np.array([0, 1, 2, 3, 2, 4])  # r7 and l8 say the same


@pytest.fixture(scope="module")
def order(table, registry):
    return supersession(table(ROWS), registry, "x")


@pytest.fixture(scope="module")
def times(table):
    return instants(table(ROWS)["timestamp"])


def rows(*documents: int) -> np.ndarray:
    return np.array(documents, np.int64)


@pytest.mark.parametrize(
    ("shown", "gold", "expected"),
    [
        ([R7], [R7], True),  # the controlling document is there, and no void one
        ([R7, L7, T7], [R7], True),  # the whole chain
        ([T7, R7], [R7], True),  # any superseder of the title will do, here that of its lien
        ([T7, L7], [R7], False),  # (i) fails
        ([R7, T8], [R7], False),  # (ii) fails: the title of plot 8 stands without its lien
        ([R7, T8, L8], [R7], True),
        ([R7], [T7, L7, R7], True),  # gold is a whole chain: only its front is required
        ([R7], [R7, L8], False),  # two in force: both are required
        ([L8, R7], [R7, L8], True),
        ([], [R7], False),
    ],
)
def test_tca_needs_the_front_and_nothing_void_alone(order, shown, gold, expected) -> None:
    assert tca(order, rows(*shown), rows(*gold)) is expected


def test_tca_with_equal_text_credit_takes_the_twin_for_the_front_only(order) -> None:
    assert not tca(order, rows(L8), rows(R7))
    assert tca(order, rows(L8), rows(R7), TEXTS)
    assert not tca(order, rows(L8, T7), rows(R7), TEXTS)


def test_final_event_is_the_newest_in_force_and_its_hit_asks_for_nothing_else(order, times) -> None:
    assert final_event(order, rows(T7, L7, R7), times) == R7
    assert final_event(order, rows(L8, R7), times) == L8
    assert final_event_hit(rows(T8, R7), R7)
    assert not final_event_hit(rows(T7, L7), R7)


def test_final_event_without_timestamps_is_the_last_that_gold_gives(order) -> None:
    undated = np.full(len(ROWS), np.iinfo(np.int64).min)
    assert final_event(order, rows(L8, R7, T7), undated) == R7


def test_document_hit_takes_any_document_in_force_and_its_text_credit_any_twin(order) -> None:
    assert document_hit(order, rows(T7, L8), rows(R7, L8))
    assert not document_hit(order, rows(T7, L7), rows(T7, L7, R7))
    assert not document_hit(order, rows(L8), rows(R7))
    assert equal_text_hit(order, rows(L8), rows(R7), TEXTS)
    assert not equal_text_hit(order, rows(T9), rows(R7), TEXTS)


def test_direct_closure_is_narrower_than_closure(order, times) -> None:
    assert closed(order, rows(T7, R7))
    assert not direct_closed(order, rows(T7, R7), times)
    assert direct_closed(order, rows(T7, L7, R7), times)


def test_answer_is_that_of_the_strongest_type_shown_and_in_force(order, times, registry) -> None:
    answers = (DerivedAnswer(type="lien", answer="burdened"), DerivedAnswer(type="title", answer="clear"))
    domain = Domain.model_validate({**registry.model_dump(), "answers": answers})
    types = [row[1] for row in ROWS]
    assert derive_answer(order, rows(T8, L8), types, domain) == "burdened"
    assert derive_answer(order, rows(T9), types, domain) == "clear"
    assert derive_answer(order, rows(T7, L7), types, domain) is None
    assert answer_and_direct_closure(order, rows(T8, L8), times, "burdened", "burdened")
    assert not answer_and_direct_closure(order, rows(T8, L8), times, "clear", "burdened")
    assert not answer_and_direct_closure(order, rows(T8), times, "burdened", "burdened")


@given(st.lists(st.integers(0, 5), unique=True), st.sets(st.integers(0, 5), min_size=1))
def test_adding_superseders_never_makes_a_list_wrong(order, shown, gold) -> None:
    before = tca(order, rows(*shown), rows(*sorted(gold)))
    with_more = order.closure(shown)
    assert tca(order, with_more, rows(*sorted(gold))) >= before
    assert closed(order, with_more)
