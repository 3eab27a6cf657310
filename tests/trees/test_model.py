from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import lightgbm
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from rulerank.errors import InputError, RulerankError
from rulerank.trees import Trees, mean_of

COLUMNS = ["fee", "pilot", "tug", "unused"]
ROWS = arrays(
    np.float32,
    st.tuples(st.integers(0, 6), st.just(len(COLUMNS))),
    elements=st.one_of(st.floats(-3, 3, width=32), st.sampled_from([np.nan, np.inf, -np.inf, 0.0])),
)


def _trained(seed: int, **settings: object) -> lightgbm.Booster:
    """Return a ranker of a few trees whose last column is constant."""
    random = np.random.default_rng(seed)
    matrix = random.normal(size=(600, len(COLUMNS))).astype(np.float32)
    matrix[random.random(matrix.shape) < 0.1] = np.nan
    matrix[:, 3] = 1
    grades = np.digitize(np.nan_to_num(matrix[:, 0]) + np.nan_to_num(matrix[:, 1]) * 0.5, [0.5, 1.5])
    data = lightgbm.Dataset(matrix, grades, group=[20] * 30, feature_name=COLUMNS)
    described = {"objective": "lambdarank", "num_leaves": 7, "num_threads": 1, "verbosity": -1, "seed": seed}
    return lightgbm.train({**described, **settings}, data, num_boost_round=8)


BOOSTER = _trained(1)
TREES = Trees(BOOSTER.model_to_string())
MATRIX = np.random.default_rng(9).normal(size=(50, len(COLUMNS))).astype(np.float32)


def test_columns_and_rounds_are_those_of_the_model() -> None:
    assert TREES.names == COLUMNS
    assert TREES.rounds == 8


@given(ROWS)
def test_scores_and_contributions_are_those_of_lightgbm(matrix: np.ndarray) -> None:
    expected = BOOSTER.predict(matrix, raw_score=True) if len(matrix) else np.empty(0)
    np.testing.assert_array_equal(TREES.scores(matrix), expected)
    shares = TREES.contributions(matrix)
    assert shares.shape == matrix.shape
    if len(matrix):
        np.testing.assert_array_equal(shares, BOOSTER.predict(matrix, pred_contrib=True)[:, :-1])


@pytest.mark.parametrize(
    "laid_out",
    [np.asfortranarray, np.ascontiguousarray, lambda matrix: np.repeat(matrix, 2, axis=1)[:, ::2]],
    ids=["by column", "by row", "strided"],
)
def test_layout_of_the_matrix_changes_no_score(laid_out: Callable[[np.ndarray], np.ndarray]) -> None:
    assert TREES.scores(laid_out(MATRIX)).tolist() == BOOSTER.predict(MATRIX).tolist()


def test_number_of_threads_changes_no_score() -> None:
    assert TREES.scores(MATRIX, threads=2).tolist() == TREES.scores(MATRIX).tolist()


def test_gains_are_those_of_lightgbm() -> None:
    assert TREES.gains.tolist() == BOOSTER.feature_importance("gain").tolist()
    assert TREES.gains[3] == 0


def test_thresholds_are_those_of_the_splits() -> None:
    splits = BOOSTER.trees_to_dataframe().dropna(subset=["split_feature"])
    for column, name in enumerate(COLUMNS):
        expected = sorted(set(splits.loc[splits["split_feature"] == name, "threshold"]))
        assert TREES.thresholds[column].tolist() == pytest.approx(expected)
    assert not len(TREES.thresholds[3])


def test_scores_change_only_at_thresholds() -> None:
    rows = np.zeros((200, len(COLUMNS)), np.float32)
    rows[:, 0] = np.linspace(-3, 3, 200)
    changes = np.flatnonzero(np.diff(TREES.scores(rows)))
    assert len(changes)
    for place in changes:
        between = (TREES.thresholds[0] >= rows[place, 0]) & (TREES.thresholds[0] <= rows[place + 1, 0])
        assert between.any()


@pytest.mark.parametrize("count", [1, 2, 5])
def test_mean_of_models_scores_their_mean_and_leaves_them_as_they_are(count: int) -> None:
    boosters = [_trained(seed) for seed in range(count)]
    models = [Trees(booster.model_to_string()) for booster in boosters]
    texts, scores = [model.text for model in models], [model.scores(MATRIX) for model in models]
    mean = mean_of(models)
    assert mean.names == COLUMNS
    assert mean.scores(MATRIX) == pytest.approx(np.mean(scores, axis=0), abs=1e-12)
    shares = np.mean([model.contributions(MATRIX) for model in models], axis=0)
    assert mean.contributions(MATRIX) == pytest.approx(shares, abs=1e-9)
    assert [model.text for model in models] == texts
    assert [model.scores(MATRIX).tolist() for model in models] == [each.tolist() for each in scores]


def test_mean_of_models_survives_being_written_and_read(tmp_path: Path) -> None:
    mean = mean_of([TREES, Trees(_trained(2).model_to_string())])
    (tmp_path / "model.txt").write_text(mean.text, encoding="utf-8")
    read = Trees.read(tmp_path / "model.txt")
    assert read.scores(MATRIX).tolist() == mean.scores(MATRIX).tolist()
    assert lightgbm.Booster(model_file=tmp_path / "model.txt").predict(MATRIX).tolist() == (
        mean.scores(MATRIX).tolist()
    )


def test_mean_of_models_of_one_leaf() -> None:
    # No split has so many rows, so each tree is a constant.
    single = Trees(_trained(1, min_data_in_leaf=600, min_data_in_bin=600).model_to_string())
    mean = mean_of([single, TREES])
    expected = (single.scores(MATRIX) + TREES.scores(MATRIX)) / 2
    assert mean.scores(MATRIX) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("shape", [(3, 3), (3, 5), (4,), (2, 2, 4)])
def test_rows_of_another_width_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="expected rows of 4 columns, found an array of"):
        TREES.scores(np.zeros(shape, np.float32))


@pytest.mark.parametrize("text", ["", "tree\n", "no model at all", "tree_sizes=\nend of trees"])
def test_text_that_is_no_model_is_an_error(text: str) -> None:
    with pytest.raises(RulerankError, match="expected a complete model as LightGBM writes it"):
        Trees(text)


@given(st.integers(0, TREES.text.index("end of trees") - 1))
def test_model_that_was_cut_off_is_an_error(size: int) -> None:
    # LightGBM itself ends the process for most of these.
    with pytest.raises(RulerankError, match="expected a complete model as LightGBM writes it"):
        Trees(TREES.text[:size])


def test_model_that_lacks_a_part_is_an_error_that_names_the_file(tmp_path: Path) -> None:
    middle = TREES.text.index("Tree=4")
    (tmp_path / "model.txt").write_text(TREES.text[:middle] + TREES.text[middle + 40 :], encoding="utf-8")
    with pytest.raises(InputError, match=r"model\.txt: expected a complete model"):
        Trees.read(tmp_path / "model.txt")


def test_scoring_loads_neither_lightgbms_package_nor_what_it_needs(tmp_path: Path) -> None:
    (tmp_path / "model.txt").write_text(TREES.text, encoding="utf-8")
    code = f"""
import sys
from pathlib import Path
import numpy as np
from rulerank.trees import Trees, mean_of
trees = Trees.read(Path({str(tmp_path / "model.txt")!r}))
print(float(mean_of([trees, trees]).scores(np.zeros((1, 4), np.float32))[0]))
loaded = {{"lightgbm", "pandas", "sklearn"}} & set(sys.modules)
assert not loaded, loaded
"""
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    expected = BOOSTER.predict(np.zeros((1, 4), np.float32))[0]
    assert float(done.stdout) == pytest.approx(expected, abs=1e-12)
