from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from scipy import sparse

from rulerank.arrays import normalise_rows
from rulerank.learn.encoder.export import load_model
from rulerank.learn.encoder.losses import CorpusSoftmax

TEXTS = ["Who keeps the register?", "What does the pilot need?", "When is the fee due?"]
RELEVANT = sparse.csr_array(np.array([[1, 0, 0, 0], [0, 2, 0, 1], [0, 0, 1, 0]], np.float32))
RANDOM = np.random.default_rng(5)
MAP = RANDOM.normal(scale=0.1, size=(32, 32)).astype(np.float32)
PASSAGES = normalise_rows(RANDOM.normal(size=(4, 32)).astype(np.float32))
SCALE = 12.0


def _expected(logits: np.ndarray, relevant: np.ndarray) -> float:
    likelihood = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    return float(-(likelihood * relevant / relevant.sum(axis=1, keepdims=True)).sum(axis=1).mean())


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
