from __future__ import annotations

import os
from collections.abc import Iterator

import lightgbm
import pytest

from rulerank.learn.ranker.apart import Apart, TrainingError


@pytest.fixture(scope="module")
def apart() -> Iterator[Apart]:
    with Apart() as process:
        yield process


def test_calls_share_a_process_that_is_not_this_one(apart: Apart) -> None:
    first, second = apart.call(os.getpid), apart.call(os.getpid)
    assert first == second != os.getpid()


@pytest.mark.slow
def test_error_of_lightgbm_is_told_and_the_next_call_has_a_new_process(apart: Apart) -> None:
    before = apart.call(os.getpid)
    with pytest.raises(TrainingError, match="Model file doesn't specify"):
        apart.call(lightgbm.Booster, model_str="tree\n")
    assert apart.call(os.getpid) != before


def test_process_that_ends_is_told_and_the_next_call_has_a_new_one(apart: Apart) -> None:
    with pytest.raises(TrainingError, match="terminated abruptly"):
        apart.call(os._exit, 134)
    assert apart.call(abs, -3) == 3


def test_other_errors_arrive_as_they_are(apart: Apart) -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        apart.call(int, "three")
