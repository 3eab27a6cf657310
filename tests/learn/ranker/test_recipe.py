from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from rulerank.errors import InputError
from rulerank.features.registry import GROUPS, registered
from rulerank.learn.ranker.calibration import platt
from rulerank.learn.ranker.choice import Choice
from rulerank.learn.ranker.groups import to_groups
from rulerank.learn.ranker.lambdamart import train_ranker
from rulerank.learn.ranker.recipe import Trained, fit, training_rows
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


def test_ranker_learns_from_all_folds_for_as_many_rounds_as_the_models_without_one(training) -> None:
    models = _fit(training).models
    assert list(models.without) == [0, 1]
    every = to_groups(training, FEATURES.names)
    rounds = models.without[0].rounds
    assert [each.rounds for each in (models.full, models.without[1])] == [rounds] * 2
    alone = train_ranker(every, FEATURES.names, SETTINGS, seed=7, threads=1, rounds=rounds)
    assert models.full.scores(every.matrix).tolist() == alone.scores(every.matrix).tolist()


def test_curve_is_of_scores_by_the_model_that_has_not_seen_the_question(training) -> None:
    found, matrix = _fit(training), _matrix(training)
    fold = training["fold"].to_numpy()
    first, second = (found.models.without[each].scores(matrix) for each in (0, 1))
    scores = np.where(fold == 0, first, second)
    assert found.calibration == platt(scores, training["relevance"].to_numpy().astype(np.int64))


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


def test_training_rows_of_one_fold_are_an_error(table_of) -> None:
    folds = pl.DataFrame({"query_id": ["q0", "q1"], "fold": [1, 1]})
    with pytest.raises(InputError, match="two folds or more, found all in one"):
        training_rows(table_of([2, 3]), folds)


def test_table_on_disk_gives_the_same_ranker(training, tmp_path) -> None:
    training.write_parquet(tmp_path / "training.parquet")
    lazy = pl.scan_parquet(tmp_path / "training.parquet")
    choice = Choice(ranker=SETTINGS, groups=GROUPS)
    found = fit(lazy, FEATURES, choice, seed=7, threads=1)
    assert found.models.full.text == _fit(training).models.full.text
