from datetime import datetime

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulerank.authority.domain import Domain
from rulerank.authority.live import LiveOrder
from rulerank.authority.rules import supersession
from rulerank.authority.sides import Document
from rulerank.errors import InputError

RULES = [["b", "a"], ["c", "b"], ["c", "a"], ["b", "b"], ["c", "c", ["owner"]]]
DOMAIN = Domain(anchor_type="a", superseding_type=["b", "c"], scope_keys="plot", rules=RULES)
KEYS = ("plot", "owner")
ROWS = st.tuples(
    st.sampled_from("abcd"),
    st.integers(0, 4),
    st.sampled_from(["6", "7", None]),
    st.sampled_from(["ann", "bob", None]),
)


def _document(name: str, kind: str, day: int, *scope: str | None) -> Document:
    time = datetime(2020, 5, day) if day else None
    return Document(name, kind, time, dict(zip(KEYS, scope, strict=False)))


def _plots(*rows: tuple) -> LiveOrder:
    order = LiveOrder(DOMAIN)
    for row in rows:
        order.insert(_document(*row))
    return order


@given(st.lists(st.tuples(ROWS, st.booleans()), max_size=10), st.data())
@settings(max_examples=60)
def test_order_after_inserts_and_withdrawals_is_that_of_a_rebuild(table, steps, data) -> None:
    live = LiveOrder(DOMAIN)
    kept: dict[str, tuple] = {}
    for place, (row, stays) in enumerate(steps):
        live.insert(_document(str(place), *row))
        kept[str(place)] = row
        if not stays:
            gone = data.draw(st.sampled_from(sorted(kept)))
            live.withdraw(gone)
            del kept[gone]
    rebuilt = supersession(table([(name, *row) for name, row in kept.items()], KEYS), DOMAIN, "x")
    names = list(kept)
    assert len(live) == len(names)
    for row, name in enumerate(names):
        assert live.superseded(name) == rebuilt.superseded[row]
        assert live.superseders([name]) == {names[each] for each in rebuilt.superseders([row])}
    some = data.draw(st.sets(st.integers(0, len(names) - 1)) if names else st.just(set()))
    chosen = [names[each] for each in some]
    assert live.closure(chosen) == {names[each] for each in rebuilt.closure(some)}
    assert live.front(chosen) == {names[each] for each in rebuilt.front(some)}
    assert live.controlling(chosen) == {names[each] for each in rebuilt.front(rebuilt.closure(some).tolist())}


@given(st.lists(ROWS, max_size=8), ROWS)
@settings(max_examples=60)
def test_insert_tells_what_falls_and_withdrawal_what_rises_again(rows, row) -> None:
    live = _plots(*((str(place), *each) for place, each in enumerate(rows)))
    before = {str(place) for place in range(len(rows)) if not live.superseded(str(place))}
    fallen = live.insert(_document("new", *row))
    after = {str(place) for place in range(len(rows)) if not live.superseded(str(place))}
    assert set(fallen) == before - after
    assert sorted(live.withdraw("new")) == sorted(fallen)


def test_lien_comes_and_goes() -> None:
    live = _plots(("title", "a", 1, "7"), ("lien", "b", 2, "7"), ("other", "a", 1, "8"))
    assert live.controlling(["title", "other"]) == {"lien", "other"}
    assert live.insert(_document("release", "c", 3, "7")) == ["lien"]
    assert live.controlling(["title"]) == {"release"}
    assert live.withdraw("release") == ["lien"]
    assert live.withdraw("lien") == ["title"]
    assert live.controlling(["title"]) == {"title"}
    assert "lien" not in live


def test_order_of_a_table_is_that_of_its_rows(table) -> None:
    frame = table([("l", "b", 2, "7", None), ("t", "a", 1, "7", None)], KEYS)
    assert LiveOrder.of(frame, DOMAIN).superseders(["t"]) == {"l"}
    assert isinstance(frame, pl.DataFrame)


def test_known_id_and_unknown_id_are_refused() -> None:
    live = _plots(("t", "a", 1, "7"))
    with pytest.raises(InputError, match="insert: expected a new id, found 't' again"):
        live.insert(_document("t", "b", 2, "7"))
    with pytest.raises(InputError, match="withdraw: expected the id of a document, found 'u'"):
        live.withdraw("u")


def test_document_that_would_close_a_circle_is_refused_and_not_added() -> None:
    domain = Domain(
        anchor_type="a", superseding_type=["b"], scope_keys="plot", rules=[["b", "a"], ["a", "b"]]
    )
    live = LiveOrder(domain)
    live.insert(_document("x", "a", 0, "7"))
    with pytest.raises(InputError, match="insert: supersession is circular: 'y' would supersede itself"):
        live.insert(_document("y", "b", 0, "7"))
    assert "y" not in live
    assert not live.superseded("x")
