from __future__ import annotations

import lightgbm
import numpy as np
import polars as pl
import pytest

from rulerank.features.registry import GROUPS, registered
from rulerank.learn.ranker.choice import Choice
from rulerank.learn.ranker.committee import mean_of
from rulerank.learn.ranker.lambdamart import to_groups, train_ranker
from rulerank.learn.ranker.recipe import Trained, fit
from rulerank.settings import Ranker

FEATURES = registered().named(["unigram_hits", "bm25_rank"])
SETTINGS = Ranker(
    num_leaves=4, min_data_in_leaf=1, feature_fraction=0.5, num_iterations=10, early_stopping_rounds=3
)


@pytest.fixture(scope="module")
def training() -> pl.DataFrame:
    """40 questions of 6 candidates in two folds; `unigram_hits` half says which is relevant."""
    generator = np.random.default_rng(7)
    relevance = np.zeros((40, 6), np.int8)
    relevance[np.arange(40), generator.integers(6, size=40)] = 1
    return pl.DataFrame(
        {
            "query_id": np.repeat([f"q{number:02}" for number in range(40)], 6),
            "passage_id": [f"p{number}" for number in range(6)] * 40,
            "relevance": relevance.ravel(),
            "fold": np.repeat(np.arange(40) % 2, 6),
            "unigram_hits": relevance.ravel() + generator.normal(0, 0.8, 240).astype(np.float32),
            "bm25_rank": generator.integers(1, 9, 240).astype(np.float32),
        }
    )


def _fit(training: pl.DataFrame, *, models: int, seed: int) -> Trained:
    choice = Choice(ranker=SETTINGS.model_copy(update={"models": models}), groups=GROUPS)
    return fit(training, FEATURES, choice, seed, threads=1)


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


def test_ranker_is_the_mean_of_models_by_the_seeds_that_follow(training) -> None:
    found = _fit(training, models=3, seed=7)
    # Both folds have as many rows, so that all rows take twice the rounds of the trial, which seed 7 decides.
    rounds = 2 * found.trial.num_trees()
    groups = to_groups(training, FEATURES.names)
    alone = [
        train_ranker(groups, FEATURES.names, [0, 0], SETTINGS, seed=seed, threads=1, rounds=rounds)
        for seed in (7, 8, 9)
    ]
    scores = [each.predict(groups.matrix) for each in alone]
    assert not np.allclose(scores[0], scores[1])
    assert found.booster.num_trees() == 3 * rounds
    assert found.booster.predict(groups.matrix) == pytest.approx(np.mean(scores, axis=0), abs=1e-12)
