from __future__ import annotations

import math
from dataclasses import replace

import pytest

from rulerank.settings import Closure, Extract

# The citations form the chain act:1.1 - code:2 - code:2.1 - act:2.2.


def _seeded(world, seeds: int, depth: int = 3):
    settings = Extract(closure=Closure(seeds=seeds, depth=depth))
    return replace(world, index=replace(world.index, settings=settings))


def _present(values: dict[str, float]) -> dict[str, float]:
    return {passage: value for passage, value in values.items() if not math.isnan(value)}


def test_closure_of_the_best_passage(world) -> None:
    one = _seeded(world, 1)
    best = one.values("rrf_score", "pilot")["act:1.1"]
    assert _present(one.values("closure_depth", "pilot")) == {
        "act:1.1": 0,
        "code:2": 1,
        "code:2.1": 2,
        "act:2.2": 3,
    }
    assert _present(one.values("closure_score", "pilot")) == pytest.approx(
        {"act:1.1": best, "code:2": best * 0.7, "code:2.1": best * 0.49, "act:2.2": best * 0.343}
    )
    assert sum(one.values("closure_seeds", "pilot").values()) == 4


def test_closure_of_two_passages_keeps_the_nearest_and_the_greatest(world) -> None:
    two = _seeded(world, 2)
    scores = two.values("rrf_score", "pilot")
    assert sorted(scores, key=scores.get)[-2:] == ["code:2.1", "act:1.1"]
    assert _present(two.values("closure_depth", "pilot")) == {
        "act:1.1": 0,
        "code:2": 1,
        "code:2.1": 0,
        "act:2.2": 1,
    }
    assert two.values("closure_seeds", "pilot")["act:2.2"] == 2
    assert two.values("closure_score", "pilot")["act:2.2"] == pytest.approx(scores["code:2.1"] * 0.7)


def test_closure_away_from_the_chain_is_missing(world) -> None:
    one = _seeded(world, 1)  # the best of "lights" cites nothing
    assert _present(one.values("closure_depth", "lights")) == {"code:1.1": 0}
    assert one.values("closure_seeds", "lights")["code:2"] == 0
    assert math.isnan(one.values("closure_score", "lights")["code:2"])


def test_seeds_are_at_most_the_first_ranks_of_the_fusion(world) -> None:
    many = _seeded(world, 500)
    assert _present(many.values("closure_depth", "pilot", depth=1)) == {"act:1.1": 0}
    assert set(many.values("closure_depth", "pilot").values()) == {0}
