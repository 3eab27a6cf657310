from __future__ import annotations

from itertools import pairwise

import lightgbm
import numpy as np
import polars as pl
import pytest

from rulerank.errors import InputError
from rulerank.learn.ranker.lambdamart import LONGEST_GROUP, Groups, to_groups, train_ranker, with_relevant
from rulerank.settings import Ranker
from rulerank.tables import FEATURES

SETTINGS = Ranker(num_leaves=4, min_data_in_leaf=1, learning_rate=0.1, early_stopping_rounds=5)
NAMES = ["signal", "noise"]


def _table(sizes: list[int], seed: int = 0, *, noisy: bool = False) -> pl.DataFrame:
    """One relevant row a query, the one with the greatest signal; `noisy` takes the signal away."""
    random = np.random.default_rng(seed)
    queries = np.repeat([f"q{query}" for query in range(len(sizes))], sizes)
    signal = np.concatenate([random.permutation(size) for size in sizes]).astype(np.float32)
    relevance = signal == np.repeat(np.array(sizes) - 1, sizes)
    return pl.DataFrame(
        {
            "query_id": queries,
            "passage_id": [f"p{row}" for row in range(len(queries))],
            "relevance": relevance.astype(np.int8),
            "signal": random.permutation(signal) if noisy else signal,
            "noise": random.random(len(queries)).astype(np.float32),
        }
    )


def _train(training: Groups, rounds: int = 20, settings: Ranker = SETTINGS, **more) -> lightgbm.Booster:
    options = {"seed": 7, "threads": 1, "rounds": rounds, "monotone": [0, 0], **more}
    return train_ranker(training, NAMES, options.pop("monotone"), settings, **options)


def test_to_groups_counts_the_rows_of_each_query() -> None:
    groups = to_groups(_table([3, 1, 4]), NAMES)
    assert groups.sizes.tolist() == [3, 1, 4]
    assert groups.matrix.shape == (8, 2)
    assert groups.matrix.dtype == np.float32
    assert groups.labels.tolist().count(1) == 3


def test_to_groups_matches_columns_by_name() -> None:
    table = _table([3, 2])
    shuffled = table.select("noise", "relevance", "signal", "passage_id", "query_id")
    for names in (NAMES, NAMES[::-1]):
        assert np.array_equal(to_groups(shuffled, names).matrix, table.select(names).to_numpy())
    with pytest.raises(pl.exceptions.ColumnNotFoundError, match="absent"):
        to_groups(table, ["signal", "absent"])


def test_to_groups_refuses_scattered_rows() -> None:
    table = _table([2, 2])
    with pytest.raises(InputError, match="rows of query 'q0' must stand together"):
        to_groups(table[[0, 2, 1, 3]], NAMES)


def test_to_groups_refuses_more_rows_than_lambdarank_takes() -> None:
    table = pl.DataFrame({"query_id": ["q"]}).select(
        pl.col("query_id").repeat_by(LONGEST_GROUP + 1).explode()
    )
    table = table.with_columns(relevance=pl.lit(0, pl.Int8), signal=pl.lit(0.0, pl.Float32))
    with pytest.raises(InputError, match=r"query 'q' has 10001 candidates.*candidates\.depth"):
        to_groups(table, ["signal"])
    assert to_groups(table[1:], ["signal"]).sizes.tolist() == [LONGEST_GROUP]


def test_to_groups_keeps_missing_values_missing() -> None:
    table = _table([2]).with_columns(noise=pl.Series([np.nan, 1.0], dtype=pl.Float32))
    assert np.isnan(to_groups(table, NAMES).matrix[0, 1])


def test_groups_align_with_their_rows() -> None:
    # The feature holds the number of rows of its own query: any shift of the groups would show.
    sizes = [5, 1, 3, 2, 7, 1]
    table = _table(sizes).with_columns(noise=pl.len().over("query_id").cast(pl.Float32))
    groups = to_groups(table, NAMES)
    stored = groups.dataset(NAMES).construct()
    for start, stop in pairwise(np.cumsum([0, *stored.get_group()])):
        assert set(groups.matrix[start:stop, 1].tolist()) == {float(stop - start)}
        assert groups.labels[start:stop].sum() == 1
    assert stored.get_feature_name() == NAMES


def test_features_table_of_the_tests_keeps_the_contract() -> None:
    FEATURES.check(_table([3, 1, 4]), "test")


def test_with_relevant_drops_the_queries_that_order_nothing() -> None:
    table = _table([2, 3, 2]).with_columns(
        relevance=pl.when(pl.col("query_id") == "q1").then(0).otherwise("relevance").cast(pl.Int8)
    )
    kept = with_relevant(table)
    assert kept["query_id"].to_list() == ["q0", "q0", "q2", "q2"]
    assert kept.equals(table.filter(pl.col("query_id") != "q1"))


def test_train_ranker_learns_an_obvious_order() -> None:
    booster = _train(to_groups(_table([6] * 40), NAMES), monotone=[1, 0])
    unseen = to_groups(_table([6] * 20, seed=1), NAMES)
    best = booster.predict(unseen.matrix).reshape(20, 6).argmax(axis=1)
    assert np.array_equal(best, unseen.labels.reshape(20, 6).argmax(axis=1))
    assert booster.feature_name() == NAMES


def test_train_ranker_is_the_same_twice() -> None:
    first, second = (_train(to_groups(_table([6] * 20), NAMES)).model_to_string() for _ in range(2))
    assert first == second


def test_train_ranker_obeys_the_monotone_signs() -> None:
    booster = _train(to_groups(_table([6] * 40), NAMES), monotone=[-1, 0])  # against the data
    rows = np.column_stack([np.arange(6), np.full(6, 0.5)])
    assert (np.diff(booster.predict(rows)) <= 0).all()


@pytest.mark.parametrize(("seed", "rounds"), [(5, 2), (5, 60), (9, 60), (6, 60)])
def test_early_stopping_keeps_the_best_round_wherever_it_stands(seed: int, rounds: int) -> None:
    # Little data and much noise: the best round is the last, in the middle, the first, and after a fall.
    training = to_groups(_table([12] * 15, noisy=True), NAMES)
    held_out = to_groups(_table([12] * 15, seed=seed, noisy=True), NAMES)
    history: list[float] = []
    for length in range(1, rounds + 1):
        scores = _train(training, length).predict(held_out.matrix)
        history.append(_ndcg_at_10(scores, held_out))
        if len(history) - 1 - int(np.argmax(history)) == SETTINGS.early_stopping_rounds:
            break
    best = int(np.argmax(history)) + 1
    stopped = _train(training, rounds, held_out=held_out)
    assert stopped.current_iteration() == best
    assert np.array_equal(stopped.predict(held_out.matrix), _train(training, best).predict(held_out.matrix))


def test_weighted_tells_queries_of_several_relevant_passages_from_the_others() -> None:
    labels = np.array([1, 0, 0, 2, 1, 0, 0, 0, 0, 3])
    groups = Groups(np.zeros((10, 1), np.float32), labels, np.array([3, 3, 3, 1]))
    weights = groups.weighted(2.5)
    assert weights.tolist() == [1, 1, 1, 2.5, 2.5, 2.5, 1, 1, 1, 1]
    assert weights.dtype == np.float32
    assert groups.weighted(1).tolist() == [1] * 10


def test_weighted_of_no_queries_is_empty() -> None:
    nothing = np.empty(0, np.int64)
    assert len(Groups(np.empty((0, 1), np.float32), nothing, nothing).weighted(3)) == 0


def test_train_ranker_weighs_queries_of_several_relevant_passages_more() -> None:
    # In half of the queries the last two by signal are relevant, in the others the first.
    backwards = pl.col("query_id").str.tail(1).is_in(["0", "2", "4", "6", "8"])
    relevance = pl.when(backwards).then((pl.col("signal") < 2).cast(pl.Int8)).otherwise("relevance")
    groups = to_groups(_table([6] * 40).with_columns(relevance=relevance), NAMES)
    one, other = (
        _train(groups, settings=SETTINGS.model_copy(update={"several_weight": weight})).predict(groups.matrix)
        for weight in (1.0, 5.0)
    )
    assert not np.allclose(one, other)


def test_bagging_draws_queries_by_the_seed() -> None:
    groups = to_groups(_table([6] * 40, noisy=True), NAMES)
    bagged = SETTINGS.model_copy(update={"bagging_fraction": 0.5})
    whole, drawn, same = (
        _train(groups, settings=settings).predict(groups.matrix) for settings in (SETTINGS, bagged, bagged)
    )
    other = _train(groups, settings=bagged, seed=8).predict(groups.matrix)
    assert np.array_equal(drawn, same)
    assert not np.allclose(drawn, whole)
    assert not np.allclose(drawn, other)


def test_early_stopping_watches_the_held_out_groups_alone() -> None:
    training = to_groups(_table([6] * 40), NAMES)
    easy, hard = (to_groups(_table([6] * 20, seed=2, noisy=noisy), NAMES) for noisy in (False, True))
    rounds = {_train(training, 60, held_out=groups).current_iteration() for groups in (easy, hard)}
    assert len(rounds) == 2
    assert max(rounds) < 60


def _ndcg_at_10(scores: np.ndarray, groups: Groups) -> float:
    """One relevant row a query: its nDCG is 1 / log2(1 + rank), 0 beyond rank 10; ties stand in row order."""
    values = []
    for start in range(0, len(scores), groups.sizes[0]):
        stop = start + groups.sizes[0]
        order = np.argsort(-scores[start:stop], kind="stable")
        rank = int(np.flatnonzero(groups.labels[start:stop][order])[0]) + 1
        values.append(1 / np.log2(1 + rank) if rank <= 10 else 0.0)
    return round(float(np.mean(values)), 12)
