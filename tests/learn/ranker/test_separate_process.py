from __future__ import annotations

import os
from collections.abc import Iterator

import lightgbm
import pytest

from rulerank.learn.ranker.separate_process import SeparateProcess, TrainingError


@pytest.fixture(scope="module")
def process() -> Iterator[SeparateProcess]:
    with SeparateProcess() as process:
        yield process


def test_calls_share_a_process_that_is_not_this_one(process: SeparateProcess) -> None:
    first, second = process.call(os.getpid), process.call(os.getpid)
    assert first == second != os.getpid()


@pytest.mark.slow
def test_error_of_lightgbm_is_told_and_the_next_call_has_a_new_process(process: SeparateProcess) -> None:
    before = process.call(os.getpid)
    with pytest.raises(TrainingError, match="Model file doesn't specify"):
        process.call(lightgbm.Booster, model_str="tree\n")
    assert process.call(os.getpid) != before


def test_process_that_ends_is_told_and_the_next_call_has_a_new_one(process: SeparateProcess) -> None:
    with pytest.raises(TrainingError, match="terminated abruptly"):
        process.call(os._exit, 134)
    assert process.call(abs, -3) == 3


def test_other_errors_arrive_as_they_are(process: SeparateProcess) -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        process.call(int, "three")
