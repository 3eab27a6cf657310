from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from rulerank.arrays import FloatArray, normalise_rows
from rulerank.learn.adapters import dense
from rulerank.learn.adapters.dense import Embedded, _sampled, train_adapter, train_adapters
from rulerank.learn.adapters.storage import read_adapter, write_maps
from rulerank.learn.out_of_fold import Fold, OutOfFold
from rulerank.retrieve.embedded import Adapter
from rulerank.settings import Adapter as AdapterSettings
from tests.learn.apart import apart

SETTINGS = AdapterSettings(epochs=3, learning_rate=0.01, batch_size=4)
FOLDS = np.array([0, 1, 2, 0, 1, 2, 0, 1, 2, 0])
RANDOM = np.random.default_rng(3)
QUERIES, PASSAGES = (
    normalise_rows(RANDOM.normal(size=(rows, 5)).astype(np.float32)) for rows in (len(FOLDS), 8)
)


def _judged(targets: list[int]) -> sparse.csr_array:
    """Make one passage relevant to each question."""
    rows = np.arange(len(targets))
    return sparse.csr_array((np.ones(len(rows), np.float32), (rows, targets)), shape=(len(rows), 8))


TARGETS = [row % 8 for row in range(len(FOLDS))]


def _all(queries: FloatArray, targets: list[int]) -> OutOfFold[Adapter]:
    embedded = Embedded(queries, PASSAGES)
    return train_adapters(lambda _: embedded, _judged(targets), apart(FOLDS), SETTINGS, seed=1)


def _bytes(adapter: Adapter) -> bytes:
    return adapter.query.tobytes() + adapter.passage.tobytes()


def _loss(adapter: Adapter, queries: FloatArray, relevant: sparse.csr_array, scale: float) -> float:
    logits = scale * (adapter.queries(queries) @ adapter.passages(PASSAGES).T).astype(np.float64)
    likelihood = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    dense = relevant.toarray()
    return float(-(likelihood * dense / dense.sum(axis=1, keepdims=True)).sum() / len(queries))


@pytest.mark.parametrize("fold", [0, 1, 2])
def test_leak_adapter_without_a_fold_does_not_see_its_judgements(fold: int) -> None:
    altered = [(target + 3) % 8 if FOLDS[row] == fold else target for row, target in enumerate(TARGETS)]
    before, after = (_all(QUERIES, targets) for targets in (TARGETS, altered))
    # The other adapters and the full one learn from them, so the test can fail.
    for each, adapter in before.items():
        assert (_bytes(adapter) == _bytes(after.for_fold(each))) == (each == fold)


def test_leak_adapter_without_a_fold_does_not_see_its_questions() -> None:
    altered = QUERIES.copy()
    altered[FOLDS == 1] = altered[FOLDS == 1][::-1]
    before, after = (_all(queries, TARGETS) for queries in (QUERIES, altered))
    assert _bytes(before.without[1]) == _bytes(after.without[1])
    assert _bytes(before.full) != _bytes(after.full)


def test_train_adapters_trains_one_without_each_fold_and_one_on_all() -> None:
    trained = _all(QUERIES, TARGETS)
    assert set(trained.without) == {0, 1, 2}
    assert _bytes(trained.full) == _bytes(train_adapter(QUERIES, PASSAGES, _judged(TARGETS), SETTINGS, 1))


def test_adapter_without_a_fold_is_trained_on_the_embeddings_that_serve_the_fold() -> None:
    other = Embedded(QUERIES[::-1].copy(), PASSAGES)

    def embedded(fold: Fold) -> Embedded:
        return other if fold == 2 else Embedded(QUERIES, PASSAGES)

    trained = train_adapters(embedded, _judged(TARGETS), apart(FOLDS), SETTINGS, seed=1)
    everywhere = _all(QUERIES, TARGETS)
    same = {fold: _bytes(each) == _bytes(everywhere.for_fold(fold)) for fold, each in trained.items()}
    assert same == {0: True, 1: True, 2: False, None: True}


def test_train_adapter_of_no_epochs_is_the_identity() -> None:
    adapter = train_adapter(QUERIES, PASSAGES, _judged(TARGETS), AdapterSettings(epochs=0), 1)
    assert not adapter.query.any()
    assert not adapter.passage.any()


def test_train_adapter_is_the_same_twice_and_obeys_its_seed() -> None:
    one, same, other = (
        train_adapter(QUERIES, PASSAGES, _judged(TARGETS), SETTINGS, seed) for seed in (1, 1, 2)
    )
    assert _bytes(one) == _bytes(same)
    assert _bytes(one) != _bytes(other)


def test_train_adapter_lowers_the_corpus_softmax_loss() -> None:
    relevant = _judged(TARGETS)
    zeros = np.zeros((5, 5), np.float32)
    settings = AdapterSettings(epochs=25, learning_rate=0.03, batch_size=4)
    trained = train_adapter(QUERIES, PASSAGES, relevant, settings, 1)
    before, after = (
        _loss(adapter, QUERIES, relevant, settings.scale) for adapter in (Adapter(zeros, zeros), trained)
    )
    assert after < before / 2


def test_train_adapter_shares_a_question_out_over_its_passages() -> None:
    # A question with 1 relevant passage and one with 4 have the same weight: repeating the
    # judgements of the second as a value above 1 changes nothing.
    several = sparse.csr_array(np.array([[1, 0, 0, 0, 0, 0, 0, 0], [0, 1, 1, 1, 1, 0, 0, 0]], np.float32))
    doubled = several.copy()
    doubled.data[:] = 2
    one, other = (train_adapter(QUERIES[:2], PASSAGES, each, SETTINGS, 1) for each in (several, doubled))
    assert _bytes(one) == _bytes(other)


def test_train_adapter_does_not_change_its_inputs() -> None:
    queries, passages = QUERIES.copy(), PASSAGES.copy()
    train_adapter(queries, passages, _judged(TARGETS), SETTINGS, 1)
    assert np.array_equal(queries, QUERIES)
    assert np.array_equal(passages, PASSAGES)


def test_saved_adapters_come_back_to_the_last_bit(tmp_path: Path) -> None:
    adapters = _all(QUERIES, TARGETS)
    adapters.save(tmp_path / "adapters", write_maps)
    loaded = OutOfFold.load(tmp_path / "adapters", read_adapter)
    assert dict(loaded.map(_bytes).items()) == dict(adapters.map(_bytes).items())


def test_corpus_of_the_bound_is_not_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = train_adapter(QUERIES, PASSAGES, _judged(TARGETS), SETTINGS, 1)
    monkeypatch.setattr(dense, "SOFTMAX_PASSAGES", len(PASSAGES))
    assert _bytes(train_adapter(QUERIES, PASSAGES, _judged(TARGETS), SETTINGS, 1)) == _bytes(whole)
    monkeypatch.setattr(dense, "SOFTMAX_PASSAGES", len(PASSAGES) - 1)
    assert _bytes(train_adapter(QUERIES, PASSAGES, _judged(TARGETS), SETTINGS, 1)) != _bytes(whole)


def test_sample_holds_the_relevant_passages_and_estimates_the_denominator(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(dense, "SOFTMAX_PASSAGES", 3)
    relevant, generator = _judged([6, 2]), np.random.default_rng(0)
    values = np.arange(8, dtype=np.float32)[:, None]
    sums = []
    for _ in range(2000):
        softmax = _sampled(values, relevant, generator)
        columns = softmax.passages[:, 0].numpy()
        assert len(columns) <= 3 + 2
        assert columns[softmax.targets.columns[:, 0]].tolist() == [6, 2]
        certain = np.isin(columns, [6, 2])
        assert (softmax.log_weights.numpy()[certain] == 0).all()
        sums.append(float((columns * np.exp(softmax.log_weights.numpy())).sum()))
    assert np.mean(sums) == pytest.approx(values.sum(), rel=0.03)


def test_sampled_training_lowers_the_loss_over_the_whole_corpus_and_is_the_same_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(dense, "SOFTMAX_PASSAGES", 4)
    relevant, zeros = _judged(TARGETS), np.zeros((5, 5), np.float32)
    settings = AdapterSettings(epochs=25, learning_rate=0.03, batch_size=4)
    trained, same = (train_adapter(QUERIES, PASSAGES, relevant, settings, 1) for _ in range(2))
    assert _bytes(trained) == _bytes(same)
    before, after = (
        _loss(adapter, QUERIES, relevant, settings.scale) for adapter in (Adapter(zeros, zeros), trained)
    )
    assert after < before / 2
