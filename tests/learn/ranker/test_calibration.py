from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulerank.learn.ranker.calibration import platt

RANDOM = np.random.default_rng(0)
SCORES = RANDOM.normal(size=400)


def _probability(curve: dict[str, float], score: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-(curve["slope"] * score + curve["intercept"])))


def test_platt_finds_the_curve_that_made_the_labels() -> None:
    scores = np.random.default_rng(1).normal(size=20_000)
    truth = _probability({"slope": 2.0, "intercept": -1.0}, scores)
    labels = (np.random.default_rng(2).random(len(scores)) < truth).astype(np.int64)
    curve = platt(scores, labels)
    assert (curve["slope"], curve["intercept"]) == pytest.approx((2, -1), abs=0.1)


def test_platt_takes_any_relevance_above_0_as_relevant() -> None:
    labels = (SCORES > 0.3).astype(np.int64)
    labels[::7] = 1 - labels[::7]
    assert platt(SCORES, labels * 2) == platt(SCORES, labels)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 1000))
def test_platt_never_turns_the_order_round(seed: int) -> None:
    labels = np.random.default_rng(seed).integers(0, 2, len(SCORES))
    curve = platt(SCORES, labels)
    assert curve["slope"] >= 0
    assert (np.diff(_probability(curve, np.linspace(-5, 5, 50))) >= 0).all()


def test_platt_of_scores_that_mislead_gives_everyone_the_share_of_relevant_ones() -> None:
    scores = SCORES + 10
    labels = (SCORES < 0.5).astype(np.int64)
    curve = platt(scores, labels)
    assert curve["slope"] == 0
    share = (labels.sum() + 1) / (len(labels) + 2)
    assert _probability(curve, scores) == pytest.approx(np.full(len(scores), share))


@pytest.mark.parametrize("label", [0, 1])
def test_platt_of_one_class_is_finite_and_flat(label: int) -> None:
    curve = platt(SCORES, np.full(len(SCORES), label))
    assert curve["slope"] == 0
    assert np.isfinite(curve["intercept"])
    assert (_probability(curve, SCORES) > 0.5).all() == bool(label)
