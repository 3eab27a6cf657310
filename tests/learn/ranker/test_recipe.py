from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from rulerank.errors import InputError
from rulerank.features.registry import GROUPS, registered
from rulerank.learn.ranker.calibration import platt
from rulerank.learn.ranker.choice import Choice
from rulerank.learn.ranker.recipe import Trained, fit, fit_alone, training_rows
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


def test_ranker_is_the_mean_of_the_models_without_a_fold_each(training) -> None:
    found, matrix = _fit(training), _matrix(training)
    models = found.models
    assert list(models.without) == [0, 1]
    scores = [each.scores(matrix) for each in models.without.values()]
    assert not np.allclose(scores[0], scores[1])
    assert models.full.scores(matrix) == pytest.approx(np.mean(scores, axis=0), abs=1e-12)


def test_curve_is_of_scores_by_the_model_that_has_not_seen_the_question(training) -> None:
    found, matrix = _fit(training), _matrix(training)
    fold = training["fold"].to_numpy()
    first, second = (found.models.without[each].scores(matrix) for each in (0, 1))
    scores = np.where(fold == 0, first, second)
    assert found.calibration == platt(scores, training["relevance"].to_numpy().astype(np.int64))


def test_single_model_of_every_fold_has_more_trees_in_proportion(training) -> None:
    trained = _fit(training)
    choice = Choice(ranker=SETTINGS, groups=GROUPS)
    alone = fit_alone(training, trained, FEATURES, choice, 7, 1)
    assert alone.rounds == 2 * trained.models.without[0].rounds


def test_relevant_passages_of_one_fold_alone_are_an_error(training) -> None:
    found = pl.when(pl.col("fold") == 0).then("relevance").otherwise(0)
    with pytest.raises(InputError, match=r"two folds or more among the first 100 .* Raise ranker\.depth"):
        _fit(training.with_columns(relevance=found))


def test_training_rows_are_those_of_questions_with_a_relevant_candidate(table_of) -> None:
    table = table_of([2, 3, 2, 1])
    table = table.with_columns(relevance=pl.when(query_id="q1").then(0).otherwise("relevance").cast(pl.Int8))
    folds = pl.DataFrame({"query_id": ["q2", "q1", "q0"], "fold": [1, 0, 0]})
    training = training_rows(table, folds).collect()
    assert training["query_id"].to_list() == ["q0", "q0", "q2", "q2"]
    assert training["fold"].to_list() == [0, 0, 1, 1]
    assert training.select("weight", "own").unique().rows() == [(1.0, True)]
    assert training.drop("fold", "weight", "own").equals(table.filter(pl.col("query_id").is_in(["q0", "q2"])))


def test_table_on_disk_gives_the_same_ranker(training, tmp_path) -> None:
    training.write_parquet(tmp_path / "training.parquet")
    lazy = pl.scan_parquet(tmp_path / "training.parquet")
    choice = Choice(ranker=SETTINGS, groups=GROUPS)
    found = fit(lazy, FEATURES, choice, seed=7, threads=1)
    assert found.models.full.text == _fit(training).models.full.text
    alone = [fit_alone(each, found, FEATURES, choice, 7, 1).text for each in (lazy, training)]
    assert alone[0] == alone[1]
