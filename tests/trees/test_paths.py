from __future__ import annotations

import lightgbm
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from rulerank.trees import Trees, mean_of

VALUES = st.one_of(st.floats(-3, 3, width=32), st.sampled_from([np.nan, 0.0, -0.0, np.inf, -np.inf]))
ROWS = arrays(np.float32, st.tuples(st.integers(0, 5), st.just(3)), elements=VALUES)


def _trained(seed: int, **settings: object) -> Trees:
    random = np.random.default_rng(seed)
    matrix = random.normal(size=(500, 3)).astype(np.float32)
    matrix[random.random(matrix.shape) < 0.2] = np.nan
    matrix[:, 2] = 1
    target = np.nan_to_num(matrix[:, 0], nan=2) - np.nan_to_num(matrix[:, 1], nan=-1) ** 2
    described = {"num_leaves": 9, "verbosity": -1, "num_threads": 1, **settings}
    return Trees(lightgbm.train(described, lightgbm.Dataset(matrix, target), 12).model_to_string())


TREES = mean_of([_trained(3), _trained(4), _trained(5, min_data_in_leaf=500)])


def _mean_score(trees: Trees) -> float:
    return float(trees.nodes.value[trees.nodes.roots].sum())


@given(ROWS)
def test_contributions_sum_to_the_score_less_its_mean(matrix: np.ndarray) -> None:
    total = TREES.path_contributions(matrix).sum(axis=1)
    assert total == pytest.approx(TREES.scores(matrix) - _mean_score(TREES), abs=1e-9)


@given(ROWS)
def test_column_that_no_split_looks_at_adds_nothing(matrix: np.ndarray) -> None:
    assert not TREES.path_contributions(matrix)[:, 2].any()


def test_one_split_adds_what_lies_between_its_leaf_and_their_mean() -> None:
    # 30 of 40 rows are worth 0, 10 are worth 8: the mean is 2.
    column = np.repeat(np.array([0, 1], np.float32), [30, 10])
    data = lightgbm.Dataset(column[:, None], 8 * column)
    settings = {"verbosity": -1, "learning_rate": 1.0, "min_data_in_leaf": 1, "boost_from_average": False}
    trees = Trees(lightgbm.train(settings, data, 1).model_to_string())
    assert _mean_score(trees) == pytest.approx(2)
    assert trees.path_contributions(np.array([[0], [1]], np.float32))[:, 0] == pytest.approx([-2, 6])


def test_second_step_counts_for_its_own_column() -> None:
    # The value is a + 4 b in equal parts. b is split first, and what a adds does not depend on it.
    a, b = np.tile(np.array([0, 0, 1, 1], np.float32), 10), np.tile(np.array([0, 1, 0, 1], np.float32), 10)
    data = lightgbm.Dataset(np.column_stack([a, b]), a + 4 * b)
    settings = {"verbosity": -1, "learning_rate": 1.0, "min_data_in_leaf": 1, "boost_from_average": False}
    trees = Trees(lightgbm.train(settings, data, 1).model_to_string())
    found = trees.path_contributions(np.array([[0, 0], [1, 0], [1, 1]], np.float32))
    assert found == pytest.approx(np.array([[-0.5, -2], [0.5, -2], [0.5, 2]]), abs=1e-6)


def test_contributions_agree_with_shap_values_where_columns_add_up() -> None:
    matrix = np.random.default_rng(8).normal(size=(200, 3)).astype(np.float32)
    paths, shap = TREES.path_contributions(matrix)[:, :2], TREES.contributions(matrix)[:, :2]
    assert np.corrcoef(paths.ravel(), shap.ravel())[0, 1] > 0.95


def test_rows_of_another_width_are_refused() -> None:
    with pytest.raises(ValueError, match="expected rows of 3 columns"):
        TREES.path_contributions(np.zeros((1, 2), np.float32))
