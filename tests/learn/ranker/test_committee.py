from __future__ import annotations

import lightgbm
import numpy as np
import polars as pl
import pytest

from rulerank.errors import InputError
from rulerank.features.registry import GROUPS, registered
from rulerank.learn.ranker.calibration import platt
from rulerank.learn.ranker.choice import Choice
from rulerank.learn.ranker.committee import mean_of
from rulerank.learn.ranker.recipe import Trained, fit, fit_alone
from rulerank.settings import Ranker

FEATURES = registered().named(["unigram_hits", "bm25_rank"])
SETTINGS = Ranker(
    num_leaves=4, min_data_in_leaf=1, feature_fraction=0.5, num_iterations=10, early_stopping_rounds=3
)


@pytest.fixture(scope="module")
def training(training_of) -> pl.DataFrame:
    return training_of(40, 6, folds=2, doubt=0.8)


def _fit(training: pl.DataFrame) -> Trained:
    return fit(training, FEATURES, Choice(ranker=SETTINGS, groups=GROUPS), seed=7, threads=1)


def _matrix(training: pl.DataFrame) -> np.ndarray:
    return training.select(FEATURES.names).to_numpy()


@pytest.fixture(scope="module")
def boosters(training) -> list[lightgbm.Booster]:
    parameters = {"objective": "lambdarank", "num_leaves": 5, "min_data_in_leaf": 1, "verbosity": -1}
    data = _matrix(training), training["relevance"].to_numpy()
    return [
        lightgbm.train({**parameters, "learning_rate": rate}, lightgbm.Dataset(*data, group=[6] * 40), rounds)
        for rate, rounds in ((0.1, 3), (0.3, 1), (0.05, 8))
    ]


def test_mean_of_models_scores_by_their_mean(training, boosters) -> None:
    matrix = _matrix(training)
    expected = np.mean([each.predict(matrix) for each in boosters], axis=0)
    found = mean_of(boosters)
    assert found.predict(matrix) == pytest.approx(expected, abs=1e-12)
    assert found.num_trees() == 12
    # Shares of the features add up to the score, as for a single model.
    assert found.predict(matrix, pred_contrib=True).sum(axis=1) == pytest.approx(expected, abs=1e-9)


def test_mean_of_models_survives_its_file_and_leaves_them_as_they_were(training, boosters, tmp_path) -> None:
    matrix = _matrix(training)
    before = [each.predict(matrix).tolist() for each in boosters]
    found = mean_of(boosters)
    found.save_model(tmp_path / "ranker.txt")
    read = lightgbm.Booster(model_file=tmp_path / "ranker.txt")
    assert read.predict(matrix).tolist() == found.predict(matrix).tolist()
    assert [each.predict(matrix).tolist() for each in boosters] == before


def test_mean_of_one_model_is_that_model(training, boosters) -> None:
    matrix = _matrix(training)
    assert mean_of(boosters[:1]).predict(matrix).tolist() == boosters[0].predict(matrix).tolist()


def test_ranker_is_the_mean_of_the_models_without_a_fold_each(training) -> None:
    found, matrix = _fit(training), _matrix(training)
    assert list(found.without) == [0, 1]
    scores = [each.predict(matrix) for each in found.without.values()]
    assert not np.allclose(scores[0], scores[1])
    assert found.booster.predict(matrix) == pytest.approx(np.mean(scores, axis=0), abs=1e-12)


def test_curve_is_of_scores_by_the_model_that_has_not_seen_the_question(training) -> None:
    found, matrix = _fit(training), _matrix(training)
    fold = training["fold"].to_numpy()
    scores = np.where(fold == 0, found.without[0].predict(matrix), found.without[1].predict(matrix))
    assert found.calibration == platt(scores, training["relevance"].to_numpy().astype(np.int64))


def test_single_model_of_every_fold_has_more_trees_in_proportion(training) -> None:
    trained = _fit(training)
    choice = Choice(ranker=SETTINGS, groups=GROUPS)
    alone = fit_alone(training, trained, FEATURES, choice, 7, 1)
    assert alone.num_trees() == 2 * trained.without[0].num_trees()


def test_relevant_passages_of_one_fold_alone_are_an_error(training) -> None:
    found = pl.when(pl.col("fold") == 0).then("relevance").otherwise(0)
    with pytest.raises(InputError, match=r"two folds or more among the first 100 .* Raise ranker\.depth"):
        _fit(training.with_columns(relevance=found))
