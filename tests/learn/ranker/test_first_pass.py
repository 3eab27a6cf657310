from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from rulerank.features.first_pass import FirstPass
from rulerank.features.registry import GROUPS, registered
from rulerank.learn.ranker.choice import Choice
from rulerank.learn.ranker.first_pass import fit_first_passes, load_first_passes, save_first_passes
from rulerank.settings import Ranker

FEATURES = registered().named(["unigram_hits", "bm25_rank"])
CHOICE = Choice(
    ranker=Ranker(
        num_leaves=4,
        min_data_in_leaf=1,
        max_bin=255,
        learning_rate=0.05,
        num_iterations=10,
        early_stopping_rounds=3,
    ),
    groups=GROUPS,
)


@pytest.fixture(scope="module")
def training(training_of) -> pl.DataFrame:
    return training_of(45, 5, folds=3, doubt=0.3)


def _fit(training: pl.DataFrame) -> dict[str, FirstPass]:
    return fit_first_passes(training, FEATURES, CHOICE, 7, 1)


def test_first_passes_are_one_a_fold_and_one_for_everyone_else(training) -> None:
    assert set(_fit(training)) == {"full", "without_fold_0", "without_fold_1", "without_fold_2"}


@pytest.mark.parametrize("fold", [1, 2])
def test_first_pass_without_a_fold_grows_the_same_trees_whatever_its_judgements(training, fold: int) -> None:
    backwards = pl.col("relevance").reverse().over("query_id")
    turned = pl.when(pl.col("fold") == fold).then(backwards).otherwise("relevance")
    whole, other = _fit(training), _fit(training.with_columns(relevance=turned.cast(pl.Int8)))
    # Only how many trees are grown is decided once for all folds.
    rounds = min(each[f"without_fold_{fold}"].booster.current_iteration() for each in (whole, other))
    matrix = training.select(FEATURES.names).to_numpy()

    def scores(passes: dict[str, FirstPass], name: str) -> np.ndarray:
        return np.asarray(passes[name].booster.predict(matrix, num_iteration=rounds))

    assert len(np.unique(scores(whole, f"without_fold_{fold}"))) > 1
    np.testing.assert_array_equal(
        scores(whole, f"without_fold_{fold}"), scores(other, f"without_fold_{fold}")
    )
    assert not np.array_equal(scores(whole, "full"), scores(other, "full"))


def test_first_passes_are_read_as_they_were_written(training, tmp_path: Path) -> None:
    passes = _fit(training)
    save_first_passes(passes, tmp_path)
    read = load_first_passes(tmp_path)
    assert set(read) == set(passes)
    matrix = training.select(FEATURES.names).to_numpy()
    for name, each in read.items():
        assert each.features == FEATURES
        assert each.curve == passes[name].curve
        np.testing.assert_array_equal(each.booster.predict(matrix), passes[name].booster.predict(matrix))


def test_no_first_pass_is_none(tmp_path: Path) -> None:
    save_first_passes({}, tmp_path)
    assert load_first_passes(tmp_path) == {}
