from __future__ import annotations

import numpy as np
import pytest
import torch
from scipy import sparse

from rulerank.learn.adapters.softmax import softmax_loss, to_targets

RELEVANT = sparse.csr_array(np.array([[1, 0, 0, 0], [0, 2, 0, 1], [0, 0, 1, 0]], np.float32))
RANDOM = np.random.default_rng(5)


def _expected(logits: np.ndarray, relevant: np.ndarray) -> float:
    likelihood = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    return float(-(likelihood * relevant / relevant.sum(axis=1, keepdims=True)).sum(axis=1).mean())


def test_softmax_loss_is_the_mean_log_likelihood_of_the_relevant_passages() -> None:
    logits = RANDOM.normal(size=(3, 4))
    loss = softmax_loss(torch.from_numpy(logits), to_targets(RELEVANT))
    assert float(loss) == pytest.approx(_expected(logits, RELEVANT.toarray()))


def test_softmax_loss_shares_a_question_out_by_relevance() -> None:
    likelihood = torch.log(torch.tensor([[0.5, 0.25, 0.25]]))
    relevant = sparse.csr_array(np.array([[2, 1, 0]], np.float32))
    expected = -(2 * np.log(0.5) + np.log(0.25)) / 3
    assert float(softmax_loss(likelihood, to_targets(relevant))) == pytest.approx(expected)


def test_softmax_loss_of_a_question_without_relevant_passages_adds_nothing() -> None:
    logits = torch.zeros(2, 4)
    relevant = sparse.csr_array(np.array([[1, 0, 0, 0], [0, 0, 0, 0]], np.float32))
    assert float(softmax_loss(logits, to_targets(relevant))) == pytest.approx(np.log(4) / 2)


def test_targets_are_padded_and_weigh_each_question_once() -> None:
    columns, weights = to_targets(RELEVANT)
    assert columns.tolist() == [[0, 0], [1, 3], [2, 0]]
    assert weights.tolist() == [[1, 0], [pytest.approx(2 / 3), pytest.approx(1 / 3)], [1, 0]]
    nobody = to_targets(sparse.csr_array((2, 5), dtype=np.float32))
    assert nobody.weights.tolist() == [[0], [0]]
