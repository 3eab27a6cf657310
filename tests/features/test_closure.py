from __future__ import annotations

import math

import pytest

from rulerank.settings import Closure, Extract

# The citations form the chain act:1.1 - code:2 - code:2.1 - act:2.2.


def _seeded(world, seeds: int, depth: int = 3):
    return world.with_index(settings=Extract(closure=Closure(seeds=seeds, depth=depth)))


def _present(values: dict[str, float]) -> dict[str, float]:
    return {passage: value for passage, value in values.items() if not math.isnan(value)}


def test_closure_of_the_best_passage(world) -> None:
    one = _seeded(world, 1)
    best = one.values("fused_score", "pilot")["act:1.1"]
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


def test_closure_of_several_passages_keeps_the_nearest_and_the_greatest(world) -> None:
    three = _seeded(world, 3)
    scores = three.values("fused_score", "pilot")
    assert sorted(scores, key=scores.get)[-3:] == ["code:2.1", "act:1.2", "act:1.1"]
    depths = _present(three.values("closure_depth", "pilot"))
    assert depths == {"act:1.1": 0, "act:1.2": 0, "code:2": 1, "code:2.1": 0, "act:2.2": 1}
    assert three.values("closure_seeds", "pilot")["act:2.2"] == 2
    assert three.values("closure_score", "pilot")["act:2.2"] == pytest.approx(scores["code:2.1"] * 0.7)


def test_closure_away_from_the_chain_is_missing(world) -> None:
    one = _seeded(world, 1)  # the best passage for "lights" cites nothing
    assert _present(one.values("closure_depth", "lights")) == {"code:1.1": 0}
    assert one.values("closure_seeds", "lights")["code:2"] == 0
    assert math.isnan(one.values("closure_score", "lights")["code:2"])


def test_no_more_seeds_than_candidates(world) -> None:
    many = _seeded(world, 500)
    candidates = many.values("fused_score", "pilot", depth=1)
    assert _present(many.values("closure_depth", "pilot", depth=1)) == dict.fromkeys(candidates, 0)
    # The chain behind act:1.1 is not among the candidates, so it gives no seeds.
    assert many.values("closure_seeds", "pilot", depth=1) == dict.fromkeys(candidates, 1)
