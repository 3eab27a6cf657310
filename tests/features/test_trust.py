from __future__ import annotations

import numpy as np
import pytest

from rulerank.features.trust import share_of, trusted


def test_judgements_are_trusted_as_far_as_the_lowest_share_allows() -> None:
    shares = np.array([[0.5, 0.75], [0.75, 0.75], [0.75, 0.5], [0.25, 1], [1, np.nan], [1, 1]], np.float32)
    limits = {"leaders_judged": (0.5, 0.75), "leaders_covered": (0.5, 0.75)}
    assert trusted(shares, limits).tolist() == [0.5, 1, 0.5, 0, 0, 1]
    assert trusted(shares, {"leaders_judged": (0.75, 0.75)}).tolist() == [0, 1, 1, 0, 1, 1]
    assert trusted(shares, {}).tolist() == [1] * 6


def test_share_is_weighed_by_probability() -> None:
    probability = np.array([[0.6, 0.3, 0.1], [0.5, 0, 0], [0, 0, 0]], np.float32)
    meant = np.array([[True, False, True], [False, False, False], [True, True, True]])
    assert share_of(probability, meant) == pytest.approx([0.7, 0, 0])
