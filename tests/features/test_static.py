from __future__ import annotations

import math

import pytest

from rulerank.tables import KINDS


def test_centrality_is_that_of_the_passage(world) -> None:
    for feature, unit in (("pr", 0.01), ("hits_auth", 0.1), ("deg", 1)):
        found = world.values(feature, "pilot")
        assert (found["act:1.1"], found["note:1"]) == pytest.approx((1 * unit, 12 * unit))


def test_kind_is_its_place_among_the_kinds(world) -> None:
    found = world.values("kind", "pilot")
    assert found["act:1.1"] == KINDS.index("rule")
    assert found["act:2.2"] == KINDS.index("exception")


def test_unknown_tier_is_missing(world) -> None:
    found = world.values("tier", "pilot")
    assert (found["act:2"], found["note:1"]) == (1, 5)
    assert math.isnan(found["code:1"])


def test_section_depth_counts_ancestors(world) -> None:
    found = world.values("section_depth", "pilot")
    assert (found["act:2"], found["act:2.1"], found["note:1"]) == (0, 1, 0)


def test_document_size_counts_passages(world) -> None:
    found = world.values("document_size", "pilot")
    assert (found["act:2"], found["code:3"], found["note:1"]) == (6, 6, 1)


def test_document_share_counts_candidates(world) -> None:
    found = world.values("document_share", "pilot")
    assert (found["act:2"], found["code:3"], found["note:1"]) == pytest.approx((5 / 12, 6 / 12, 1 / 12))
    assert world.values("document_share", "pilot", depth=1) == {"act:1.1": 1, "act:1.2": 1}


@pytest.mark.parametrize(
    ("feature", "stated"),
    [
        ("obligation_count", {"act:1.1": 1, "code:1": 1, "code:1.1": 1, "code:2.1": 1}),
        ("prohibition_count", {"act:1.1": 1}),
        ("recommendation_count", {"act:2.1": 1}),
        ("permission_count", {"act:1.2": 1, "code:1.2": 1}),
    ],
)
def test_duties_are_counted_by_sentence(world, feature: str, stated: dict[str, int]) -> None:
    found = world.values(feature, "pilot")
    assert {passage: count for passage, count in found.items() if count} == stated
