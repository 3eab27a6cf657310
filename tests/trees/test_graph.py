from __future__ import annotations

import lightgbm
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from rulerank.errors import RulerankError
from rulerank.trees import Trees, mean_of
from rulerank.trees.graph import tree_graph

WIDTH = 3


def _trained(missing: bool, **settings: object) -> Trees:
    random = np.random.default_rng(3)
    matrix = random.normal(size=(500, WIDTH)).astype(np.float32)
    if missing:
        matrix[random.random(matrix.shape) < 0.2] = np.nan
    target = np.nan_to_num(matrix[:, 0], nan=2) - np.nan_to_num(matrix[:, 1], nan=-1) ** 2
    described = {"num_leaves": 9, "verbosity": -1, "num_threads": 1, **settings}
    return Trees(lightgbm.train(described, lightgbm.Dataset(matrix, target), 12).model_to_string())


# Training with missing values, and without any: then a missing value counts as 0.
MODELS = {
    "missing": _trained(True),
    "complete": _trained(False),
    "constant": _trained(True, min_data_in_leaf=500),
}
MODELS["mean"] = mean_of([MODELS["missing"], MODELS["constant"]])
GRAPHS = {name: Trees(trees.text, tree_graph(trees)) for name, trees in MODELS.items()}
EACH = pytest.mark.parametrize("name", MODELS)
VALUES = st.one_of(st.floats(-3, 3, width=32), st.sampled_from([np.nan, 0.0, -0.0, np.inf, -np.inf]))


@EACH
@given(arrays(np.float32, st.tuples(st.integers(0, 5), st.just(WIDTH)), elements=VALUES))
def test_graph_scores_as_the_trees_do(name: str, matrix: np.ndarray) -> None:
    scores = GRAPHS[name].scores(matrix)
    assert scores.dtype == np.float64
    assert scores == pytest.approx(MODELS[name].scores(matrix), abs=1e-6)


def test_values_that_count_as_0_take_the_way_of_0() -> None:
    # A column that is 0 in most rows splits just below and above 0, closer than LightGBM distinguishes.
    column = np.repeat(np.array([-1, 0, 1], np.float32), 50)
    noise = np.random.default_rng(6).normal(size=(150, WIDTH - 1))
    data = lightgbm.Dataset(np.column_stack([column, noise]), np.repeat([3.0, 0.0, 1.0], 50))
    trees = Trees(lightgbm.train({"verbosity": -1}, data, 5).model_to_string())
    hair = np.float32(1e-35)
    assert {abs(each) for each in trees.thresholds[0]} == {float(hair)}
    far = np.float32(9)
    values = [sign * each for sign in (1, -1) for each in (0, hair / 2, hair, np.nextafter(hair, far), 1)]
    rows = np.zeros((len(values), WIDTH), np.float32)
    rows[:, 0] = values
    scores = trees.scores(rows)
    assert len(set(scores.tolist())) == 3
    assert Trees(trees.text, tree_graph(trees)).scores(rows) == pytest.approx(scores, abs=1e-6)


@EACH
def test_rows_on_and_beside_a_threshold_take_the_same_way(name: str) -> None:
    trees = MODELS[name]
    rows = []
    for column, thresholds in enumerate(trees.thresholds):
        for value in thresholds.astype(np.float32):
            for beside in (np.nextafter(value, np.float32(-9)), value, np.nextafter(value, np.float32(9))):
                row = np.zeros(WIDTH, np.float32)
                row[column] = beside
                rows.append(row)
    matrix = np.array(rows, np.float32).reshape(-1, WIDTH)
    assert GRAPHS[name].scores(matrix) == pytest.approx(trees.scores(matrix), abs=1e-6)


def test_score_of_a_row_does_not_depend_on_the_other_rows() -> None:
    matrix = np.random.default_rng(4).normal(size=(300, WIDTH)).astype(np.float32)
    together = GRAPHS["missing"].scores(matrix)
    assert [GRAPHS["missing"].scores(matrix[[row]])[0] for row in range(300)] == together.tolist()


def test_contributions_and_gains_are_those_of_the_trees() -> None:
    matrix = np.random.default_rng(4).normal(size=(9, WIDTH)).astype(np.float32)
    assert GRAPHS["mean"].contributions(matrix).tolist() == MODELS["mean"].contributions(matrix).tolist()
    assert GRAPHS["mean"].gains.tolist() == MODELS["mean"].gains.tolist()


@pytest.mark.parametrize("shape", [(3, 2), (3, 4), (3,)])
def test_rows_of_another_width_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="expected rows of 3 columns, found an array of"):
        GRAPHS["missing"].scores(np.zeros(shape, np.float32))


def test_categorical_split_is_refused() -> None:
    random = np.random.default_rng(5)
    kinds = random.integers(0, 4, (400, 1)).astype(float)
    data = lightgbm.Dataset(kinds, np.isin(kinds[:, 0], [1, 3]).astype(float), categorical_feature=[0])
    trees = Trees(lightgbm.train({"verbosity": -1, "min_data_per_group": 1}, data, 2).model_to_string())
    with pytest.raises(RulerankError, match="expected only splits on numbers"):
        tree_graph(trees)
