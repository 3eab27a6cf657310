from __future__ import annotations

import lightgbm
import numpy as np
import polars as pl
import pytest

from rulerank.errors import SettingsError
from rulerank.learn.ranker.groups import Groups, to_groups
from rulerank.learn.ranker.lambdamart import train_on_folds, train_ranker
from rulerank.settings import Ranker
from rulerank.trees import Trees

SETTINGS = Ranker(num_leaves=4, min_data_in_leaf=1, learning_rate=0.1, early_stopping_rounds=5)
NAMES = ["signal", "noise"]


def _train(training: Groups, rounds: int = 20, settings: Ranker = SETTINGS, **more) -> Trees:
    options = {"seed": 7, "threads": 1, "rounds": rounds, **more}
    return train_ranker(training, NAMES, settings, **options)


def test_train_ranker_learns_an_obvious_order(table_of) -> None:
    trees = _train(to_groups(table_of([6] * 40), NAMES))
    unseen = to_groups(table_of([6] * 20, seed=1), NAMES)
    best = trees.scores(unseen.matrix).reshape(20, 6).argmax(axis=1)
    assert np.array_equal(best, unseen.labels.reshape(20, 6).argmax(axis=1))
    assert trees.names == NAMES


def test_train_ranker_is_the_same_twice(table_of) -> None:
    first, second = (_train(to_groups(table_of([6] * 20), NAMES)).text for _ in range(2))
    assert first == second


@pytest.mark.parametrize(("seed", "rounds"), [(5, 2), (5, 60), (9, 60), (6, 60)])
def test_early_stopping_keeps_the_best_round_wherever_it_stands(table_of, seed: int, rounds: int) -> None:
    # With little data and much noise the best round is the last, in the middle, the first, or after a fall.
    training = to_groups(table_of([12] * 15, noisy=True), NAMES)
    held_out = to_groups(table_of([12] * 15, seed=seed, noisy=True), NAMES)
    history: list[float] = []
    for length in range(1, rounds + 1):
        scores = _train(training, length).scores(held_out.matrix)
        history.append(_ndcg_at_10(scores, held_out))
        if len(history) - 1 - int(np.argmax(history)) == SETTINGS.early_stopping_rounds:
            break
    best = int(np.argmax(history)) + 1
    stopped = _train(training, rounds, held_out=held_out)
    assert stopped.rounds == best
    assert np.array_equal(stopped.scores(held_out.matrix), _train(training, best).scores(held_out.matrix))


def test_train_ranker_weighs_queries_of_several_relevant_passages_more(table_of) -> None:
    # In half of the queries the last two rows by signal are relevant, in the others the first.
    backwards = pl.col("query_id").str.tail(1).is_in(["0", "2", "4", "6", "8"])
    relevance = pl.when(backwards).then((pl.col("signal") < 2).cast(pl.Int8)).otherwise("relevance")
    groups = to_groups(table_of([6] * 40).with_columns(relevance=relevance), NAMES)
    one, other = (
        _train(groups, settings=SETTINGS.model_copy(update={"several_weight": weight})).scores(groups.matrix)
        for weight in (1.0, 5.0)
    )
    assert not np.allclose(one, other)


def test_bagging_draws_queries_by_the_seed(table_of) -> None:
    groups = to_groups(table_of([6] * 40, noisy=True), NAMES)
    bagged = SETTINGS.model_copy(update={"bagging_fraction": 0.5})
    whole, drawn, same = (
        _train(groups, settings=settings).scores(groups.matrix) for settings in (SETTINGS, bagged, bagged)
    )
    other = _train(groups, settings=bagged, seed=8).scores(groups.matrix)
    assert np.array_equal(drawn, same)
    assert not np.allclose(drawn, whole)
    assert not np.allclose(drawn, other)


def test_bagging_that_draws_nothing_is_refused(table_of) -> None:
    groups = to_groups(table_of([6] * 40), NAMES)
    rows = np.arange(240)
    folds = [(rows[:100], rows[100:]), (rows[100:], rows[:100])]
    bagged = SETTINGS.model_copy(update={"bagging_fraction": 0.004})
    with pytest.raises(SettingsError, match=r"bagging_fraction: .* one of 240 training pairs, found 0\.004"):
        _train(groups, settings=bagged)
    bagged = SETTINGS.model_copy(update={"bagging_fraction": 0.005})
    with pytest.raises(SettingsError, match=r"bagging_fraction: .* one of 100 training pairs, found 0\.005"):
        train_on_folds(groups, rows, folds, NAMES, bagged, seed=7, threads=1)


def test_early_stopping_watches_the_held_out_groups_alone(table_of) -> None:
    training = to_groups(table_of([6] * 40), NAMES)
    easy, hard = (to_groups(table_of([6] * 20, seed=2, noisy=noisy), NAMES) for noisy in (False, True))
    rounds = {_train(training, 60, held_out=groups).rounds for groups in (easy, hard)}
    assert len(rounds) == 2
    assert max(rounds) < 60


def test_early_stopping_weighs_queries_as_the_training_does(table_of) -> None:
    held_out = _with_second_relevant(table_of([12] * 15, seed=4, noisy=True))
    training = to_groups(table_of([12] * 15, noisy=True), NAMES)
    settings = SETTINGS.model_copy(update={"several_weight": 9.0})
    scores = [_train(training, length).scores(held_out.matrix) for length in range(1, 30)]
    plain, weighted = (
        int(np.argmax([_ndcg_at_10(each, held_out, several) for each in scores])) + 1 for several in (1, 9)
    )
    assert plain != weighted
    assert _train(training, 29, settings, held_out=held_out).rounds == weighted


def test_train_on_folds_ends_where_the_folds_are_served_best_on_average(table_of) -> None:
    groups = to_groups(table_of([12] * 30, noisy=True), NAMES)
    rows = np.arange(360)
    folds = [(rows[rows // 12 % 3 != fold], rows[rows // 12 % 3 == fold]) for fold in range(3)]
    full, models = train_on_folds(groups, rows, folds, NAMES, SETTINGS, seed=7, threads=1)
    rounds = full.rounds
    assert [each.rounds for each in models] == [rounds] * 3
    assert 1 < rounds < SETTINGS.num_iterations
    curve = [
        np.mean([_ndcg_of(each, length, groups, rows) for each, (_, rows) in zip(models, folds, strict=True)])
        for length in range(1, rounds + 1)
    ]
    assert int(np.argmax(curve)) + 1 == rounds


def test_every_leaf_holds_the_training_rows_whose_values_lead_to_it() -> None:
    # LightGBM bundles columns that are rarely set together, and has cut bundles into folds wrongly.
    random = np.random.default_rng(1)
    labels = np.zeros(300 * 12, np.int64)
    labels[np.arange(300) * 12 + random.integers(12, size=300)] = 1
    depth = 1 + (random.random(len(labels)) < 0.3) + (random.random(len(labels)) < 0.1)
    rare = [np.where((depth == 1) & (random.random(len(labels)) < 0.05), labels + 1, 0) for _ in range(4)]
    matrix = np.stack([random.normal(size=len(labels)) + labels / 2, depth, *rare], axis=1)
    groups = Groups(np.asfortranarray(matrix, np.float32), labels, np.full(300, 12))
    rows = np.arange(len(labels))
    # Not all rows of a question are learned from, as with `ranker.depth`.
    folds = [
        (rows[(rows // 12 % 3 != fold) & (rows % 12 < 10)], rows[rows // 12 % 3 == fold]) for fold in range(3)
    ]
    names = [f"column_{number}" for number in range(matrix.shape[1])]
    settings = SETTINGS.model_copy(update={"num_leaves": 8})
    shown = rows[rows % 12 < 10]
    full, without = train_on_folds(groups, shown, folds, names, settings, seed=7, threads=1)
    taught = [shown, *(learned for learned, _ in folds)]
    for trees, learned in zip([full, *without], taught, strict=True):
        reached = trees.leaves(groups.matrix[learned])
        said = [
            line.split("=")[1].split() for line in trees.text.splitlines() if line.startswith("leaf_count=")
        ]
        assert len(said) == trees.rounds
        for leaves, counts in zip(reached.T, said, strict=True):
            assert np.bincount(leaves, minlength=len(counts)).tolist() == [int(count) for count in counts]


def test_leak_model_without_a_fold_grows_the_same_trees_whatever_its_labels(table_of) -> None:
    groups = to_groups(table_of([6] * 30), NAMES)
    rows = np.arange(180)
    hidden = rows // 6 % 3 == 0
    turned = Groups(groups.matrix, np.where(hidden, 1 - groups.labels, groups.labels), groups.sizes)
    folds = [(rows[rows // 6 % 3 != fold], rows[rows // 6 % 3 == fold]) for fold in range(3)]
    one, other = (
        train_on_folds(each, rows, folds, NAMES, SETTINGS, seed=7, threads=1)[1] for each in (groups, turned)
    )
    # Only the number of trees is decided once for all folds.
    rounds = min(one[0].rounds, other[0].rounds)
    same = [
        np.array_equal(_first_trees(a, rounds, groups.matrix), _first_trees(b, rounds, groups.matrix))
        for a, b in zip(one, other, strict=True)
    ]
    assert same == [True, False, False]


def _with_second_relevant(table: pl.DataFrame) -> Groups:
    """Make a second row of every third query relevant."""
    row = pl.int_range(pl.len()).over("query_id")
    second = (pl.col("query_id").str.slice(1).cast(pl.Int32) % 3 == 0) & (row == 3)
    return to_groups(table.with_columns(relevance=pl.when(second).then(1).otherwise("relevance")), NAMES)


def _first_trees(trees: Trees, rounds: int, matrix: np.ndarray) -> np.ndarray:
    """Return the scores of a model's first trees."""
    return np.asarray(lightgbm.Booster(model_str=trees.text).predict(matrix, num_iteration=rounds))


def _ndcg_of(trees: Trees, rounds: int, groups: Groups, rows: np.ndarray) -> float:
    part = Groups(groups.matrix[rows], groups.labels[rows], np.full(len(rows) // 12, 12))
    return _ndcg_at_10(_first_trees(trees, rounds, part.matrix), part)


def _ndcg_at_10(scores: np.ndarray, groups: Groups, several: float = 1) -> float:
    """Mean nDCG@10 of the queries; those with several relevant rows are weighted, and ties keep row order."""
    values, weights = [], []
    for start in range(0, len(scores), groups.sizes[0]):
        labels = groups.labels[start : start + groups.sizes[0]]
        found = labels[np.argsort(-scores[start : start + groups.sizes[0]], kind="stable")][:10]
        best = np.sort(labels)[::-1][:10]
        discounts = np.log2(np.arange(2, 2 + len(best)))
        values.append((found / discounts).sum() / (best / discounts).sum())
        weights.append(several if labels.sum() > 1 else 1)
    return round(float(np.average(values, weights=weights)), 12)
