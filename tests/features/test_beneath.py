from __future__ import annotations

import math

import pytest


@pytest.mark.parametrize(
    ("feature", "own"),
    [
        ("bm25_child_max", "bm25_score"),
        ("dense_child_max", "dense_score"),
        ("pretrained_child_max", "pretrained_score"),
        ("fused_child_max", "fused_score"),
    ],
)
def test_child_max_is_the_highest_score_directly_beneath(world, feature: str, own: str) -> None:
    scores, found = world.values(own, "fees"), world.values(feature, "fees")
    assert found["act:2"] == max(scores["act:2.1"], scores["act:2.2"])
    assert found["code:1"] == max(scores["code:1.1"], scores["code:1.2"])
    assert found["code:2"] == scores["code:2.1"]
    # act:1 has two passages beneath it but no text, so it is not a candidate.
    assert {passage for passage, value in found.items() if not math.isnan(value)} == {
        "act:2",
        "code:1",
        "code:2",
    }


def test_children_of_other_questions_say_nothing(world) -> None:
    alone = world.values("fused_child_max", "fees")
    among = world.pairs(["pilot", "fees", "lights"])
    ids = world.index.passage_ids.gather(among.columns).to_list()
    found = among.pairs.families.child_max(among.pairs.fused)
    of_fees = {ids[row]: float(found[row]) for row in range(len(ids)) if among.rows[row] == 1}
    assert of_fees == pytest.approx(alone, nan_ok=True)


def test_child_gap_is_the_own_score_less_that_of_the_best_child(world) -> None:
    scores, found = world.values("fused_score", "fees"), world.values("fused_child_gap", "fees")
    best = max(scores["act:2.1"], scores["act:2.2"])
    assert found["act:2"] == pytest.approx(scores["act:2"] - best)
    assert math.isnan(found["act:2.1"])


def test_children_found_counts_candidates_alone(world) -> None:
    every = world.values("children_found", "fees")
    expected = {"act:2": 2, "code:1": 2, "code:2": 1}
    assert {passage: count for passage, count in every.items() if count} == expected
    # With only the first hit of each run, act:2 is found without the passages beneath it.
    few = world.values("children_found", "fees", depth=1)
    assert few["act:2"] == sum(passage in few for passage in ("act:2.1", "act:2.2")) < 2
