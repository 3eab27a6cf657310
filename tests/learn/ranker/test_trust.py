from __future__ import annotations

import numpy as np
import pytest

from rulerank.learn.ranker.trust import least_judged


def _around(share: float, seed: int) -> np.ndarray:
    return (share + np.random.default_rng(seed).normal(0, 0.05, 400)).astype(np.float32)


def test_least_judged_stands_between_the_two_kinds() -> None:
    known, new = _around(0.8, 1), _around(0.4, 2)
    assert least_judged(known, new) == pytest.approx(0.6, abs=0.03)


def test_both_kinds_weigh_the_same_whatever_their_number() -> None:
    known, new = _around(0.6, 1), _around(0.5, 2)
    assert least_judged(known, new[:40]) == pytest.approx(least_judged(known, new), abs=0.02)


def test_share_that_tells_the_wrong_way_tells_nothing() -> None:
    assert least_judged(_around(0.4, 1), _around(0.8, 2)) is None


def test_without_questions_there_is_none() -> None:
    nobody = np.empty(0, np.float32)
    assert least_judged(nobody, nobody) is None
