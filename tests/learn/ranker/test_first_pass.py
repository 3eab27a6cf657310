from __future__ import annotations

from pathlib import Path

import lightgbm
import numpy as np
import polars as pl
import pytest

from rulerank.features.first_pass import FirstPass
from rulerank.features.registry import GROUPS, registered
from rulerank.learn.out_of_fold import OutOfFold
from rulerank.learn.ranker.choice import Choice
from rulerank.learn.ranker.first_pass import fit_first_passes
from rulerank.learn.ranker.saved_first_pass import load_first_passes, save_first_passes
from rulerank.settings import Ranker
from rulerank.trees import Trees

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


def _fit(training: pl.DataFrame) -> OutOfFold[FirstPass]:
    return fit_first_passes(training, FEATURES, CHOICE, 7, 1)


def test_first_passes_are_one_a_fold_and_one_for_everyone_else(training) -> None:
    passes = _fit(training)
    assert set(passes.without) == {0, 1, 2}
    assert len({each.trees.text for each in (passes.full, *passes.without.values())}) == 4
    assert all(each.curve == passes.full.curve for each in passes.without.values())


@pytest.mark.parametrize("fold", [1, 2])
def test_first_pass_without_a_fold_grows_the_same_trees_whatever_its_judgements(training, fold: int) -> None:
    backwards = pl.col("relevance").reverse().over("query_id")
    turned = pl.when(pl.col("fold") == fold).then(backwards).otherwise("relevance")
    whole, other = _fit(training), _fit(training.with_columns(relevance=turned.cast(pl.Int8)))
    # Only the number of trees is decided once for all folds.
    rounds = min(each.without[fold].trees.rounds for each in (whole, other))
    matrix = training.select(FEATURES.names).to_numpy()

    def scores(trees: Trees) -> np.ndarray:
        booster = lightgbm.Booster(model_str=trees.text)
        return np.asarray(booster.predict(matrix, num_iteration=rounds))

    assert len(np.unique(scores(whole.without[fold].trees))) > 1
    np.testing.assert_array_equal(scores(whole.without[fold].trees), scores(other.without[fold].trees))
    assert not np.array_equal(scores(whole.full.trees), scores(other.full.trees))


def test_first_passes_are_read_as_they_were_written(training, tmp_path: Path) -> None:
    passes = _fit(training)
    save_first_passes(passes, tmp_path)
    read = load_first_passes(tmp_path, registered())
    assert read is not None
    assert set(read.without) == set(passes.without)
    for fold, each in read.items():
        assert each.features == FEATURES
        assert each.curve == passes.for_fold(fold).curve
        assert each.trees.text == passes.for_fold(fold).trees.text


def test_no_first_pass_is_none(tmp_path: Path) -> None:
    save_first_passes(None, tmp_path)
    assert load_first_passes(tmp_path, registered()) is None


def test_first_passes_of_a_plugged_in_run_are_read_with_its_features(training, tmp_path: Path) -> None:
    known = registered(["house"])
    features = known.named(["unigram_hits", "house_rank"])
    table = training.rename({"bm25_rank": "house_rank"})
    save_first_passes(fit_first_passes(table, features, CHOICE, 7, 1), tmp_path)
    read = load_first_passes(tmp_path, known)
    assert read is not None
    assert read.full.features.names == ["unigram_hits", "house_rank"]
