from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulerank.learn.encoder.plan import BASE, FULL, EncoderPlan, without_part

FOLDS = np.array([0, 1, 2, 3, 4, 10, 12])


@pytest.mark.parametrize("both_sides", [False, True])
def test_without_fine_tuning_the_pretrained_encoder_serves_everyone(both_sides: bool) -> None:
    plan = EncoderPlan(0, both_sides)
    assert plan.trained == []
    for fold in (None, 0, 3):
        assert plan.of_queries(fold) == plan.of_passages(fold) == BASE


@pytest.mark.parametrize(
    ("parts", "expected"),
    [(2, [0, 1, 0, 1, 0, 0, 0]), (5, [0, 1, 2, 3, 4, 0, 2])],
)
def test_fold_is_served_by_the_encoder_without_its_part(parts: int, expected: list[int]) -> None:
    plan = EncoderPlan(parts, both_sides=True)
    assert plan.trained == [FULL, *(without_part(part) for part in range(parts))]
    served = [plan.of_queries(fold) for fold in FOLDS.tolist()]
    assert served == [without_part(part) for part in expected]
    assert [plan.of_passages(fold) for fold in FOLDS.tolist()] == served
    for part in range(parts):
        assert plan.training_questions(without_part(part), FOLDS).tolist() == [
            each != part for each in expected
        ]


def test_full_encoder_is_shown_everything_and_serves_everyone_else() -> None:
    plan = EncoderPlan(3, both_sides=True)
    assert plan.training_questions(FULL, FOLDS).all()
    assert plan.of_queries(None) == plan.of_passages(None) == FULL


def test_question_side_alone_leaves_the_passages_to_the_pretrained_encoder() -> None:
    plan = EncoderPlan(2, both_sides=False)
    assert {plan.of_passages(fold) for fold in (None, 0, 1)} == {BASE}
    assert plan.of_queries(1) == without_part(1)


@given(st.integers(2, 20), st.booleans(), st.lists(st.integers(0, 30), min_size=1, max_size=40))
def test_leak_encoder_that_serves_a_fold_was_never_shown_it(
    parts: int, both_sides: bool, folds: list[int]
) -> None:
    plan = EncoderPlan(parts, both_sides)
    for fold in folds:
        for encoder in (plan.of_queries(fold), plan.of_passages(fold)):
            if encoder != BASE:
                assert encoder in plan.trained
                assert not plan.training_questions(encoder, np.array(folds))[np.array(folds) == fold].any()


@given(st.integers(2, 20), st.lists(st.integers(0, 30), min_size=1, max_size=40))
def test_every_question_is_left_out_of_one_part_and_no_more(parts: int, folds: list[int]) -> None:
    plan = EncoderPlan(parts, both_sides=False)
    hidden = [~plan.training_questions(without_part(part), np.array(folds)) for part in range(parts)]
    assert np.sum(hidden, axis=0).tolist() == [1] * len(folds)


@pytest.mark.parametrize("plan", [EncoderPlan(0, both_sides=False), EncoderPlan(5, both_sides=True)])
def test_written_plan_comes_back(plan: EncoderPlan, tmp_path: Path) -> None:
    plan.write(tmp_path)
    assert EncoderPlan.read(tmp_path) == plan
