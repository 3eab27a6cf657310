from __future__ import annotations

import numpy as np
import pytest

from rulerank.features.trust import Trust
from rulerank.learn.ranker.trust import fit_trust

NEITHER = np.empty((0, 2), np.float32)


def _around(judged: float, covered: float, seed: int, spread: float = 0.05) -> np.ndarray:
    centre = np.array([judged, covered])
    return (centre + np.random.default_rng(seed).normal(0, spread, (400, 2))).astype(np.float32)


def _side(trust: Trust | None, judged: float, covered: float) -> bool:
    assert trust is not None
    return bool(trust.believes(np.array([[judged, covered]]))[0])


def test_line_stands_between_the_kinds_however_the_rules_are_new() -> None:
    known = _around(0.8, 1.0, 1)
    passages, documents = _around(0.4, 1.0, 2), _around(0.6, 0.5, 3)
    trust = fit_trust(known, np.concatenate([passages, documents]))
    assert [_side(trust, *each) for each in ((0.8, 1.0), (0.4, 1.0), (0.6, 0.5))] == [True, False, False]


def test_both_kinds_weigh_the_same_whatever_their_number() -> None:
    known, new = _around(0.7, 0.7, 1), _around(0.4, 0.4, 2)
    few, many = fit_trust(known, new[:40]), fit_trust(known, new)
    for trust in (few, many):
        assert _side(trust, 0.6, 0.6)
        assert not _side(trust, 0.5, 0.5)


def test_feature_that_speaks_for_new_rules_is_left_out() -> None:
    trust = fit_trust(_around(0.8, 0.4, 1, 0.1), _around(0.4, 0.6, 2, 0.1))
    assert trust is not None
    assert list(trust.weights) == ["leaders_judged"]
    assert -trust.intercept / trust.weights["leaders_judged"] == pytest.approx(0.6, abs=0.03)


def test_features_that_tell_the_wrong_way_tell_nothing() -> None:
    assert fit_trust(_around(0.4, 0.4, 1), _around(0.8, 0.8, 2)) is None


def test_without_questions_there_is_none() -> None:
    assert fit_trust(NEITHER, NEITHER) is None
