from __future__ import annotations

import statistics
from dataclasses import replace

import numpy as np
import optuna
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulerank.errors import InputError
from rulerank.features.feature_set import FeatureSet
from rulerank.features.registry import registered
from rulerank.learn.ranker.choice import Choice
from rulerank.learn.tuning.objective import Objective, make_objective, split_folds
from rulerank.learn.tuning.search import repeat
from rulerank.settings import Ranker

NAMES = ["bm25_rank", "bm25_context_rank", "dense_rank", "dense_score", "pr", "deg", "document_share"]


def _table(queries: int, size: int = 12, seed: int = 0) -> pl.DataFrame:
    """One or two relevant rows per query, with the greatest signal; the queries are in three folds."""
    random = np.random.default_rng(seed)
    signal = np.concatenate([random.permutation(size) for _ in range(queries)]).astype(np.float32)
    noise = {name: random.random(queries * size).astype(np.float32) for name in NAMES}
    ranks = {name: np.tile(np.arange(1, size + 1, dtype=np.float32), queries) for name in NAMES[:3]}
    return pl.DataFrame(
        {
            "query_id": np.repeat([f"q{query:03}" for query in range(queries)], size),
            "passage_id": [f"p{row}" for row in range(queries * size)],
            "relevance": np.where(signal == size - 1, 2, signal == size - 2).astype(np.int8),
            **noise,
            **ranks,
            "dense_score": signal + random.normal(0, 2, queries * size).astype(np.float32),
        }
    )


def _objective(queries: int = 60) -> Objective:
    table = _table(queries)
    judgements = table.filter(pl.col("relevance") > 0).select("query_id", "passage_id", "relevance")
    unfound = pl.DataFrame({"query_id": ["q000"], "passage_id": ["unfound"], "relevance": [1]})
    judgements = pl.concat([judgements, unfound.cast({"relevance": pl.Int8})])
    folds = table.select("query_id").unique(maintain_order=True).with_row_index("fold")
    folds = folds.select("query_id", fold=(pl.col("fold") % 3).cast(pl.Int8))
    return make_objective(table, judgements, folds, _features(), threads=1)


def _features() -> FeatureSet:
    return registered().named(NAMES)


CHOICE = Choice(
    ranker=Ranker(num_leaves=4, min_data_in_leaf=5, num_iterations=20, early_stopping_rounds=5),
    groups=_features().groups,
)


def test_measure_learns_and_is_the_same_beside_other_trainings() -> None:
    objective = _objective()
    alone = {fold: objective.measure(CHOICE, fold, 7) for fold in objective.folds}
    assert list(alone) == [0, 1, 2]
    assert all(0.5 < value < 1 for value in alone.values())
    study = optuna.create_study()
    together = repeat(
        study,
        lambda choice, fold, seed: objective.measure(CHOICE, fold, seed),
        choices=["", " "],
        folds=objective.folds,
        seeds=[7],
        workers=3,
    )
    assert set(together[""]) == set(together[" "]) == {statistics.fmean(alone.values())}


def test_measure_counts_judged_questions_without_a_relevant_candidate_as_zero() -> None:
    objective = _objective()
    lost = pl.DataFrame({"query_id": ["z"], "fold": [0], "ideal": [1.0]})
    lost = lost.cast({"fold": objective.ideals.schema["fold"]}).select(objective.ideals.columns)
    judged = objective.ideals.filter(pl.col("fold") == 0).height
    more = Objective(
        objective.learned, objective.measured, pl.concat([objective.ideals, lost]), objective.features, 1
    )
    assert more.measure(CHOICE, 0, 7) == pytest.approx(
        objective.measure(CHOICE, 0, 7) * judged / (judged + 1)
    )


def test_measure_where_nothing_is_left_to_learn_from_is_zero() -> None:
    objective = _objective(6)
    table = objective.learned.with_columns(fused_rank=pl.lit(101.0, pl.Float32))
    deep = Objective(table, table, objective.ideals, objective.features, 1)
    assert deep.measure(CHOICE, 0, 7) == 0.0


def _spoilt(objective: Objective, fold: int) -> Objective:
    """Return the same data with other labels in a fold."""
    other = pl.when(pl.col("fold") == fold).then(2 - pl.col("relevance")).otherwise("relevance").cast(pl.Int8)
    tables = {
        name: getattr(objective, name).with_columns(relevance=other) for name in ("learned", "measured")
    }
    return replace(objective, **tables)


@pytest.mark.parametrize("fold", [0, 1, 2])
def test_fold_that_is_measured_takes_no_part_in_the_training_or_its_end(fold: int) -> None:
    objective = _objective()
    model = objective.train(CHOICE, fold, 7).text
    assert _spoilt(objective, fold).train(CHOICE, fold, 7).text == model
    # The other two folds do: one is learned from, the other ends the training.
    for other in {0, 1, 2} - {fold}:
        assert _spoilt(objective, other).train(CHOICE, fold, 7).text != model


def test_training_ends_by_the_next_fold_and_learns_from_the_rest() -> None:
    objective = _objective()
    assert [objective.stopping_fold(fold) for fold in objective.folds] == [1, 2, 0]
    without = replace(objective, learned=objective.learned.filter(pl.col("fold") == 2))
    assert without.measure(CHOICE, 0, 7) == objective.measure(CHOICE, 0, 7)
    stopped = objective.train(CHOICE, 0, 7).rounds
    assert 1 <= stopped < CHOICE.ranker.num_iterations


def test_training_with_two_folds_lasts_all_rounds() -> None:
    objective = _objective()
    two = {name: getattr(objective, name).filter(pl.col("fold") < 2) for name in ("learned", "measured")}
    few = replace(objective, **two)
    assert [few.stopping_fold(fold) for fold in few.folds] == [None, None]
    assert few.train(CHOICE, 0, 7).rounds == CHOICE.ranker.num_iterations
    assert 0.5 < few.measure(CHOICE, 0, 7) < 1


@given(st.integers(2, 20), st.integers(1, 20))
def test_folds_that_confirm_are_not_those_searched(folds: int, searched: int) -> None:
    search, confirm = split_folds(range(folds), searched)
    assert search
    assert confirm
    assert [*search, *confirm] == list(range(folds))
    assert len(search) == min(searched, folds - 1)


def test_sampled_takes_whole_questions_by_the_seed() -> None:
    objective = _objective()
    few, again, other = (objective.sampled(240, seed).learned for seed in (1, 1, 2))
    assert few.height == 240
    assert few["query_id"].value_counts()["count"].to_list() == [12] * 20
    assert few.equals(again)
    assert not few.equals(other)
    assert objective.sampled(10_000, 1) is objective
    assert objective.sampled(240, 1).measured is objective.measured


def test_digest_is_of_features_and_judgements() -> None:
    objective, same = _objective(), _objective()
    changed = [
        replace(objective, learned=objective.learned.with_columns(pr=pl.col("pr") + 1)),
        replace(objective, measured=objective.measured.with_columns(pr=pl.col("pr") + 1)),
        replace(objective, measured=objective.measured.with_columns(relevance=1 - pl.col("relevance"))),
        replace(objective, ideals=objective.ideals.with_columns(ideal=pl.col("ideal") + 1)),
    ]
    assert objective.digest == same.digest
    assert len({each.digest for each in (objective, *changed)}) == 5


def test_training_questions_in_one_fold_are_an_error() -> None:
    table = _table(4)
    folds = table.select("query_id").unique().with_columns(fold=pl.lit(0, pl.Int8))
    judged = table.select("query_id", "passage_id", "relevance")
    with pytest.raises(InputError, match="found all in one"):
        make_objective(table, judged, folds, _features(), threads=1)
    with pytest.raises(InputError, match="found none"):
        make_objective(table, judged, folds[:0], _features(), threads=1)
