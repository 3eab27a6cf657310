from __future__ import annotations

from pathlib import Path

import lightgbm
import numpy as np
import polars as pl
import pytest

from rulerank.bundle import RANKER, Model
from rulerank.bundle.golden_rows import DRAWN, check_rows, drawn_rows, golden_rows
from rulerank.errors import BundleError
from rulerank.features.registry import registered
from rulerank.ranker import Ranker
from rulerank.tables import GOLDEN_ROWS
from rulerank.trees import Trees

FEATURES = registered().named(["bm25_score", "bm25_rank", "pr"])
ROWS = np.random.default_rng(3).normal(size=(40, 3)).astype(np.float32)


@pytest.fixture(scope="module")
def model() -> Model:
    """A model that splits on its first two columns and never on `pr`."""
    labels = ROWS[:, 0] + 0.3 * ROWS[:, 1]
    read = np.column_stack([ROWS[:, :2], np.zeros(40)])
    data = lightgbm.Dataset(read, label=labels, feature_name=FEATURES.names)
    options = {"verbosity": -1, "min_data_in_leaf": 2, "feature_pre_filter": False}
    trees = Trees(lightgbm.train(options, data, num_boost_round=5).model_to_string())
    assert [len(each) > 0 for each in trees.thresholds] == [True, True, False]
    return Model(trees, FEATURES, {"slope": 1.0, "intercept": 0.0})


def test_golden_rows_are_the_given_rows_and_those_on_a_threshold_beside_it_or_missing(model: Model) -> None:
    golden = golden_rows(model.trees, FEATURES.frame(ROWS))
    values = golden.select(FEATURES.names).to_numpy()
    np.testing.assert_array_equal(values[:40], ROWS)
    assert golden.height == 40 + 2 * 3
    for column, thresholds in enumerate(model.trees.thresholds[:2]):
        on, beside, missing = values[40 + 3 * column : 43 + 3 * column, column]
        assert on in thresholds.astype(np.float32)
        assert beside == np.nextafter(on, np.float32(np.inf))
        assert np.isnan(missing)
    np.testing.assert_array_equal(golden["score"], model.trees.scores(values))


def test_one_row_is_enough(model: Model) -> None:
    assert golden_rows(model.trees, FEATURES.frame(ROWS[:1])).height == 1 + 2 * 3


def test_rows_are_drawn_from_the_thresholds_of_trees_that_read_no_features_table(model: Model) -> None:
    drawn = drawn_rows(model.trees)
    assert (drawn.height, drawn.columns) == (DRAWN, FEATURES.names)
    for column, thresholds in enumerate(model.trees.thresholds[:2]):
        assert set(drawn[FEATURES.names[column]]) == set(thresholds.astype(np.float32).tolist())
    assert set(drawn["pr"]) == {0}


@pytest.fixture
def rows(model: Model, tmp_path: Path) -> Path:
    """The golden rows of one model, named `ranker`, in a folder."""
    path = tmp_path / "golden/ranker.arrow"
    path.parent.mkdir()
    GOLDEN_ROWS.write_mapped(golden_rows(model.trees, FEATURES.frame(ROWS)), path)
    return path


def test_golden_rows_that_score_as_they_did_are_accepted(model: Model, rows: Path) -> None:
    check_rows(rows.parent.parent, {RANKER: model.trees})


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (pl.when(pl.int_range(pl.len()) == 7).then(pl.col("score") + 0.01).otherwise("score"), r"0\.01"),
        (pl.when(pl.int_range(pl.len()) == 7).then(np.nan).otherwise("score"), "nan"),
    ],
)
def test_golden_row_that_scores_differently_is_refused(
    model: Model, rows: Path, changed: pl.Expr, message: str
) -> None:
    pl.read_ipc(rows).with_columns(score=changed).write_ipc(rows)
    with pytest.raises(BundleError, match=rf"golden/ranker\.arrow: golden rows: .* difference of {message}"):
        check_rows(rows.parent.parent, {RANKER: model.trees})


def test_model_without_golden_rows_is_refused(model: Model, rows: Path) -> None:
    pl.read_ipc(rows).clear().write_ipc(rows)
    with pytest.raises(BundleError, match=r"golden/ranker\.arrow: expected golden rows, found none"):
        check_rows(rows.parent.parent, {RANKER: model.trees})


def test_every_model_of_a_bundle_has_golden_rows_on_thresholds_and_with_missing_values(
    ranker: Ranker, bundle: Path
) -> None:
    assert len(ranker.bundle.trained) == 4
    assert ranker.bundle.forests.keys() == ranker.bundle.trained.keys() | ranker.bundle.affinity_trees.keys()
    for name, trees in ranker.bundle.forests.items():
        golden = GOLDEN_ROWS.map(bundle / f"golden/{name}.arrow")
        for feature, thresholds in zip(trees.names, trees.thresholds, strict=True):
            if len(thresholds):
                assert golden[feature].is_nan().any(), (name, feature)
                assert np.isin(golden[feature], thresholds.astype(np.float32)).any(), (name, feature)
