from __future__ import annotations

import lightgbm
import numpy as np
import pytest

from rulerank.features.affinity import Affinity, gains
from rulerank.features.company import ScoredCandidates, columns_of
from rulerank.trees import Trees
from tests.features.world import World

CURVE = {"slope": 2.0, "intercept": -1.0}


def _lists(world: World, scores: list[float], starts: list[int]) -> ScoredCandidates:
    size = len(scores)
    return ScoredCandidates(
        world.index, np.arange(size), np.array(starts), np.array(scores), np.empty((size, 0), np.float32)
    )


@pytest.fixture(scope="module")
def trees() -> Trees:
    """One split: the log-odds are high in one document, and low elsewhere."""
    names = columns_of([])
    rows = np.zeros((100, len(names)), np.float32)
    rows[:50, names.index("same_document")] = 1
    small = {"objective": "binary", "min_data_in_leaf": 1, "num_leaves": 2, "verbosity": -1}
    labels = rows[:, names.index("same_document")].copy()
    labels[[0, 99]] = 1 - labels[[0, 99]]
    return Trees(
        lightgbm.train(small, lightgbm.Dataset(rows, labels, feature_name=names), 1).model_to_string()
    )


def test_a_gain_is_what_the_weighted_mean_of_the_log_odds_exceeds_ones_own_by() -> None:
    scores = np.array([1.0, 0.5, 0.0])
    # Leaders 0 and 1, with probabilities .9 and .3: what they say of each other and of candidate 2.
    others, told = np.array([1, 2, 0, 2]), np.array([3.0, 1.0, 1.5, -3.0])
    found = gains(scores, CURVE, others, told, np.array([0.9, 0.9, 0.3, 0.3]))
    assert found == pytest.approx([1.5 - 1.0, 3.0 - 0.0, (0.9 * 1 - 0.3 * 3) / 1.2 - -1.0])


def test_company_lowers_nobody_and_who_has_none_gains_nothing() -> None:
    scores = np.array([1.0, 0.5, 0.0, 0.5])
    found = gains(scores, CURVE, np.array([0, 1]), np.array([0.0, 2.0]), np.array([1.0, 1.0]))
    assert found == pytest.approx([0.0, 2.0, 0.0, 0.0])


def test_a_share_of_the_gain_is_added(world: World, trees: Trees) -> None:
    # Candidates 0 to 5 are in one document, 6 is in another; all but 5 are leaders.
    lists = _lists(world, [1.0, 0.4, 0.3, 0.2, 0.1, 0.0, 0.45], [0, 7])
    affinity = Affinity(trees, 0.25, CURVE, ())
    added = affinity.added(lists)
    own = CURVE["slope"] * lists.scores + CURVE["intercept"]
    low, high = (float(trees.scores(row)[0]) for row in _rows())
    probability = 1 / (1 + np.exp(-own))
    met = [0, 1, 2, 3, 4, 6]
    company = np.average([high, high, high, high, high, low], weights=probability[met])
    assert added[5] == pytest.approx(0.25 * (company - own[5]) / CURVE["slope"])
    # The company rates the last candidate lower than its own score does.
    assert low < own[6]
    assert added[6] == 0


def _rows() -> list[np.ndarray]:
    names = columns_of([])
    rows = np.zeros((2, 1, len(names)), np.float32)
    rows[1, 0, names.index("same_document")] = 1
    return list(rows)


def test_an_affinity_is_read_as_it_was_written(trees: Trees) -> None:
    affinity = Affinity(trees, 0.3, CURVE, ("d_len",))
    assert Affinity.read(trees, affinity.as_json()).as_json() == affinity.as_json()


@pytest.mark.parametrize(
    "changed",
    [
        {"weight": 0.0},
        {"weight": float("nan")},
        {"weight": 1.5},
        {"curve": {"slope": 0.0, "intercept": 0.0}},
        {"curve": {"slope": float("inf"), "intercept": 0.0}},
        {"curve": {}},
        {"described": None},
    ],
)
def test_what_is_no_affinity_is_refused(trees: Trees, changed: dict[str, object]) -> None:
    said = {**Affinity(trees, 0.3, CURVE, ()).as_json(), **changed}
    with pytest.raises((ValueError, KeyError, TypeError)):
        Affinity.read(trees, said)
