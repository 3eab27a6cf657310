from __future__ import annotations

import numpy as np
import pytest

from rulerank.features.trust import believed, share_of


def test_judgements_are_believed_where_a_question_has_enough_of_every_share() -> None:
    shares = np.array([[0.5, 0.5], [0.5, 0.75], [0.25, 1], [1, np.nan]], np.float32)
    assert believed(shares, {"leaders_judged": 0.5, "leaders_covered": 0.75}).tolist() == [
        *(False, True, False, False)
    ]
    assert believed(shares, {"leaders_judged": 0.5}).tolist() == [True, True, False, True]
    assert believed(shares, {}).all()


def test_share_is_weighed_by_probability() -> None:
    probability = np.array([[0.6, 0.3, 0.1], [0.5, 0, 0], [0, 0, 0]], np.float32)
    meant = np.array([[True, False, True], [False, False, False], [True, True, True]])
    assert share_of(probability, meant) == pytest.approx([0.7, 0, 0])
