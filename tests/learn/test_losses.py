from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from scipy import sparse

from rulerank.arrays import normalise_rows
from rulerank.learn.encoder import load_model
from rulerank.learn.losses import CorpusSoftmax, softmax_loss

TEXTS = ["Who keeps the register?", "What does the pilot need?", "When is the fee due?"]
RELEVANT = sparse.csr_array(np.array([[1, 0, 0, 0], [0, 2, 0, 1], [0, 0, 1, 0]], np.float32))
RANDOM = np.random.default_rng(5)
MAP = RANDOM.normal(scale=0.1, size=(32, 32)).astype(np.float32)
PASSAGES = normalise_rows(RANDOM.normal(size=(4, 32)).astype(np.float32))
SCALE = 12.0


def _expected(logits: np.ndarray, relevant: np.ndarray) -> float:
    likelihood = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    return float(-(likelihood * relevant / relevant.sum(axis=1, keepdims=True)).sum(axis=1).mean())


def test_softmax_loss_is_the_mean_log_likelihood_of_what_is_relevant() -> None:
    logits = RANDOM.normal(size=(3, 4))
    found = softmax_loss(torch.from_numpy(logits), RELEVANT)
    assert float(found) == pytest.approx(_expected(logits, RELEVANT.toarray()))


def test_softmax_loss_shares_a_question_out_by_relevance() -> None:
    likelihood = torch.log(torch.tensor([[0.5, 0.25, 0.25]]))
    relevant = sparse.csr_array(np.array([[2, 1, 0]], np.float32))
    expected = -(2 * np.log(0.5) + np.log(0.25)) / 3
    assert float(softmax_loss(likelihood, relevant)) == pytest.approx(expected)


def test_softmax_loss_of_a_question_without_relevant_passages_adds_nothing() -> None:
    logits = torch.zeros(2, 4)
    relevant = sparse.csr_array(np.array([[1, 0, 0, 0], [0, 0, 0, 0]], np.float32))
    assert float(softmax_loss(logits, relevant)) == pytest.approx(np.log(4) / 2)


def test_corpus_softmax_is_that_of_the_adapted_questions(tiny_encoder: Path) -> None:
    model = load_model(str(tiny_encoder)).eval()
    loss = CorpusSoftmax(model, MAP, PASSAGES, RELEVANT, SCALE)
    rows = [2, 1]
    found = loss([model.preprocess([TEXTS[row] for row in rows])], torch.tensor(rows))
    queries = model.encode([TEXTS[row] for row in rows], normalize_embeddings=True)
    adapted = normalise_rows(queries + queries @ MAP)
    expected = _expected(SCALE * adapted @ PASSAGES.T, RELEVANT.toarray()[rows])
    assert found.item() == pytest.approx(expected, rel=1e-4)


def test_corpus_softmax_moves_the_encoder_alone(tiny_encoder: Path) -> None:
    model = load_model(str(tiny_encoder))
    loss = CorpusSoftmax(model, MAP, PASSAGES, RELEVANT, SCALE)
    loss([model.preprocess(TEXTS)], torch.arange(3)).backward()
    assert {name.partition(".")[0] for name, _ in loss.named_parameters()} == {"model"}
    moved = [each for each in model.parameters() if each.grad is not None and each.grad.abs().sum() > 0]
    assert moved
    assert not loss.map.requires_grad
    assert not loss.passages.requires_grad
