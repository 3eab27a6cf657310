"""The tokens of the harbour have one axis per word: late interaction counts the question's words."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulerank.arrays import FloatArray
from rulerank.features.evidence import SHARPNESS
from rulerank.features.late import _highest_other
from tests.features.world import OFF

# "pilot" has eight tokens: the mark that begins every text, must, a, pilot, hold, a, pilot, licence.
PILOT = {
    "act:1.1": 8,
    "act:1.2": 4,
    "act:2": 1,
    "act:2.1": 3,
    "act:2.2": 1,
    "code:1": 3,
    "code:1.1": 3,
    "code:1.2": 1,
    "code:2": 2,
    "code:2.1": 4,
    "code:3": 1,
    "note:1": 1,
}


@dataclass
class _Scored:
    """The part of the pairs that the highest value of a family needs."""

    late: tuple[FloatArray, None]


def test_late_score_is_the_share_of_the_words_that_are_met(world) -> None:
    found = world.values("late_score", "pilot")
    assert found == {passage: pytest.approx(words / 8) for passage, words in PILOT.items()}


def test_late_gap_is_what_the_best_candidate_has_more(world) -> None:
    found = world.values("late_gap", "pilot")
    assert found == {passage: pytest.approx(words / 8 - 1) for passage, words in PILOT.items()}
    # No passage has all of "Of the?": the best, which has "the", matches two tokens of three.
    assert max(world.values("late_gap", "empty").values()) == 0
    assert world.values("late_score", "empty")["code:2.1"] == pytest.approx(2 / 3)


def test_late_rank_orders_equal_scores_by_passage(world) -> None:
    found = world.values("late_rank", "pilot")
    order = ["act:1.1", "act:1.2", "code:2.1", "act:2.1", "code:1", "code:1.1", "code:2", "act:2", "act:2.2"]
    assert sorted(found, key=found.__getitem__) == [*order, "code:1.2", "code:3", "note:1"]
    assert sorted(found.values()) == list(range(1, 13))


def test_late_least_is_the_mean_of_the_quarter_least_met(world) -> None:
    found = world.values("late_least", "pilot")  # two tokens of eight: 0 if two are not matched
    assert {passage for passage, value in found.items() if value} == {"act:1.1"}
    assert found["act:1.1"] == 1


def test_semantic_score_is_the_mean_of_dense_and_late(world) -> None:
    dense, late, both = (world.values(f"{name}_score", "pilot") for name in ("dense", "late", "semantic"))
    assert both == {passage: pytest.approx((dense[passage] + late[passage]) / 2) for passage in both}
    assert both["act:1.1"] == pytest.approx((24 / 25 + 1) / 2, abs=OFF)
    assert world.values("semantic_rank", "pilot")["act:1.1"] == 1


def test_semantic_score_without_late_interaction_is_the_dense_score(world) -> None:
    alone = world.without("late")
    assert alone.values("semantic_score", "pilot") == world.values("dense_score", "pilot")


def test_late_section_max_is_the_best_of_the_others_in_the_section(world) -> None:
    found = world.values("late_section_max", "pilot")
    # Sections: act:1.1 and act:1.2, act:2.1 and act:2.2, code:1.1 and code:1.2; all others are alone.
    assert [found[each] for each in ("act:1.1", "act:1.2", "act:2.1", "act:2.2")] == [0.5, 1, 1 / 8, 3 / 8]
    assert [found[each] for each in ("code:1.1", "code:1.2")] == [1 / 8, 3 / 8]
    assert all(math.isnan(found[each]) for each in ("act:2", "code:1", "code:2", "code:2.1", "note:1"))


def test_late_document_max_is_the_best_of_the_others_in_the_document(world) -> None:
    found = world.values("late_document_max", "pilot")
    assert found["act:1.1"] == 4 / 8
    assert {found[each] for each in ("act:1.2", "act:2", "act:2.1", "act:2.2")} == {1}
    # The next best two of the code tie at 3/8 behind code:2.1.
    assert found["code:2.1"] == 3 / 8
    assert {found[each] for each in ("code:1", "code:1.1", "code:2", "code:3")} == {4 / 8}
    assert math.isnan(found["note:1"])


def test_late_document_max_sees_candidates_alone(world) -> None:
    assert world.values("late_document_max", "pilot", depth=1) == {"act:1.1": 0.5, "act:1.2": 1}


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3), st.integers(0, 3)), max_size=12))
def test_highest_other_is_that_of_a_search_one_by_one(pairs: list[tuple[int, int, int]]) -> None:
    rows, families, scores = (np.array([each[place] for each in pairs], np.int64) for place in range(3))
    scored = _Scored((scores.astype(np.float32), None))
    expected = [
        max(
            (other[2] for place, other in enumerate(pairs) if place != own and other[:2] == each[:2]),
            default=np.nan,
        )
        for own, each in enumerate(pairs)
    ]
    np.testing.assert_array_equal(_highest_other(scored, rows * 4 + families), np.array(expected, np.float32))


def test_late_features_without_tokens_say_what_to_do(world) -> None:
    pairs = world.pairs(["pilot"]).pairs
    silent = replace(pairs, queries=replace(pairs.queries, tokens=None))
    with pytest.raises(ValueError, match="expected questions with tokens, found none; leave out the group"):
        _ = silent.late
    with pytest.raises(ValueError, match="expected an index with tokens, found none; leave out the group"):
        _ = world.without("late").pairs(["pilot"]).pairs.late


def test_support_is_weighed_by_the_fused_score(world) -> None:
    # t3 judges act:2, act:2.1 and act:2.2 together: each is supported by the weight of the other two.
    fused = world.values("fused_score", "fees")
    total = sum(math.exp(SHARPNESS * value) for value in fused.values())
    weight = {passage: math.exp(SHARPNESS * value) / total for passage, value in fused.items()}
    found = world.values("co_judgement_support", "fees")
    assert found["act:2"] == pytest.approx(weight["act:2.1"] + weight["act:2.2"], rel=1e-4)
    assert found["act:2.1"] == pytest.approx(weight["act:2"] + weight["act:2.2"], rel=1e-4)
    # The dense score alone gives another figure.
    dense = world.without("late").values("co_judgement_support", "fees")
    assert abs(dense["act:2"] - found["act:2"]) > 0.005
