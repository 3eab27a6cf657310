from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from rulerank.arrays import normalise_rows
from rulerank.learn.adapters.late import train_late, train_late_maps
from rulerank.learn.adapters.storage import read_late_maps, write_maps
from rulerank.learn.out_of_fold import OutOfFold
from rulerank.retrieve.matched import LateMaps
from rulerank.retrieve.tokens import Tokens
from rulerank.settings import Late
from tests.learn.apart import apart

SETTINGS = Late(epochs=3, width=6, dimension=4, learning_rate=0.01, batch_size=4, negatives=3, others=2)
FOLDS = np.array([0, 1, 2, 0, 1, 2, 0, 1, 2, 0])
PASSAGE_COUNT = 8
TARGETS = [row % PASSAGE_COUNT for row in range(len(FOLDS))]


def _tokens(texts: int, seed: int) -> Tokens:
    generator = np.random.default_rng(seed)
    starts = np.cumsum([0, *generator.integers(2, 6, size=texts)])
    vectors = generator.normal(size=(starts[-1], SETTINGS.width)).astype(np.float32)
    return Tokens(normalise_rows(vectors).astype(np.float16), starts)


QUESTIONS, PASSAGES = _tokens(len(FOLDS), 1), _tokens(PASSAGE_COUNT, 2)
POOL = sparse.csr_array(np.ones((len(FOLDS), PASSAGE_COUNT), np.float32))


def _judged(targets: list[int]) -> sparse.csr_array:
    rows = np.arange(len(targets))
    shape = len(targets), PASSAGE_COUNT
    return sparse.csr_array((np.ones(len(rows), np.float32), (rows, targets)), shape=shape)


def _train(settings: Late = SETTINGS, seed: int = 1, pool: sparse.csr_array = POOL) -> LateMaps:
    return train_late(QUESTIONS, PASSAGES, _judged(TARGETS), pool, settings, seed)


def _all(
    questions: Tokens = QUESTIONS, targets: list[int] = TARGETS, pool: sparse.csr_array = POOL
) -> OutOfFold[LateMaps]:
    return train_late_maps(questions, PASSAGES, _judged(targets), pool, apart(FOLDS), SETTINGS, seed=1)


def _bytes(maps: LateMaps) -> bytes:
    return maps.query.tobytes() + maps.passage.tobytes()


def _loss(maps: LateMaps) -> float:
    """Return the loss over all passages."""
    questions, passages = QUESTIONS.mapped(maps.query), PASSAGES.mapped(maps.passage)
    cosines = questions.vectors.astype(np.float64) @ passages.vectors.astype(np.float64).T
    met = np.maximum.reduceat(cosines, passages.starts[:-1], axis=1)
    sums = np.add.reduceat(met, questions.starts[:-1], axis=0)
    logits = SETTINGS.scale * sums / np.diff(questions.starts)[:, None]
    likelihood = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    return float(-likelihood[np.arange(len(FOLDS)), TARGETS].mean())


@pytest.mark.parametrize("fold", [0, 1, 2])
def test_leak_maps_without_a_fold_do_not_see_its_judgements(fold: int) -> None:
    altered = [
        (target + 3) % PASSAGE_COUNT if FOLDS[row] == fold else target for row, target in enumerate(TARGETS)
    ]
    before, after = _all(), _all(targets=altered)
    # The other maps and the full ones learn from them, so the test can fail.
    for each, maps in before.items():
        assert (_bytes(maps) == _bytes(after.for_fold(each))) == (each == fold)


def test_leak_maps_without_a_fold_do_not_see_its_questions() -> None:
    order = np.arange(len(FOLDS))
    order[FOLDS == 1] = order[FOLDS == 1][::-1]
    before, after = _all(), _all(questions=QUESTIONS.take(order))
    assert _bytes(before.without[1]) == _bytes(after.without[1])
    assert _bytes(before.full) != _bytes(after.full)


def test_leak_maps_without_a_fold_do_not_see_its_candidates() -> None:
    few = POOL.toarray()
    few[FOLDS == 1, :6] = 0
    before, after = _all(), _all(pool=sparse.csr_array(few))
    assert _bytes(before.without[1]) == _bytes(after.without[1])
    assert _bytes(before.full) != _bytes(after.full)


def test_train_late_maps_trains_one_without_each_fold_and_one_on_all() -> None:
    trained = _all()
    assert set(trained.without) == {0, 1, 2}
    assert _bytes(trained.full) == _bytes(_train())


def test_train_late_lowers_its_loss() -> None:
    before = _loss(_train(SETTINGS.model_copy(update={"epochs": 0})))
    after = _loss(_train(SETTINGS.model_copy(update={"epochs": 20, "learning_rate": 0.03})))
    assert after < before / 2


def test_train_late_is_the_same_twice_and_obeys_its_seed() -> None:
    assert _bytes(_train()) == _bytes(_train())
    assert _bytes(_train()) != _bytes(_train(seed=2))


def test_train_late_of_no_epochs_keeps_the_first_axes() -> None:
    maps = _train(SETTINGS.model_copy(update={"epochs": 0}))
    assert np.array_equal(maps.query, np.eye(6, 4, dtype=np.float32))
    assert np.array_equal(maps.passage, maps.query)


def test_train_late_of_a_question_without_candidates_shows_it_passages_of_the_corpus() -> None:
    maps = _train(pool=sparse.csr_array(POOL.shape, dtype=np.float32))
    assert np.isfinite(maps.query).all()
    assert not np.array_equal(maps.query, np.eye(6, 4, dtype=np.float32))


def test_train_late_with_nothing_to_tell_apart_learns_nothing() -> None:
    settings = SETTINGS.model_copy(update={"others": 0})
    maps = _train(settings, pool=sparse.csr_array(POOL.shape, dtype=np.float32))
    assert np.array_equal(maps.query, np.eye(6, 4, dtype=np.float32))


def test_train_late_takes_no_relevant_passage_for_a_negative() -> None:
    # Every passage in a question's pool is relevant to it, whatever its grade.
    everything = sparse.csr_array(np.full(POOL.shape, 2, np.float32))
    maps = train_late(QUESTIONS, PASSAGES, everything, POOL, SETTINGS, 1)
    uniform = train_late(
        QUESTIONS, PASSAGES, everything, sparse.csr_array(POOL.shape, dtype=np.float32), SETTINGS, 1
    )
    assert _bytes(maps) == _bytes(uniform)


def test_train_late_does_not_change_its_inputs() -> None:
    questions, passages = (replace(each, vectors=each.vectors.copy()) for each in (QUESTIONS, PASSAGES))
    relevant, pool = _judged(TARGETS), POOL.copy()
    train_late(questions, passages, relevant, pool, SETTINGS, 1)
    assert np.array_equal(questions.vectors, QUESTIONS.vectors)
    assert np.array_equal(passages.vectors, PASSAGES.vectors)
    assert np.array_equal(pool.toarray(), POOL.toarray())
    assert np.array_equal(relevant.toarray(), _judged(TARGETS).toarray())


def test_saved_maps_come_back_to_the_last_bit(tmp_path: Path) -> None:
    maps = _all()
    maps.save(tmp_path / "maps", write_maps)
    loaded = OutOfFold.load(tmp_path / "maps", read_late_maps)
    assert dict(loaded.map(_bytes).items()) == dict(maps.map(_bytes).items())
