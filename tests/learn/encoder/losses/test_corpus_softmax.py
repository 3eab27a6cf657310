from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from rulerank.arrays import normalise_rows
from rulerank.learn.encoder.export import load_model
from rulerank.learn.encoder.judged import JudgedQuestions
from rulerank.learn.encoder.losses.corpus_softmax import CorpusSoftmax
from rulerank.settings import Adapter, Finetune, Settings

SETTINGS = Settings(
    finetune=Finetune(scale=12.0), adapter=Adapter(epochs=3, batch_size=2, learning_rate=3e-3)
)


def test_corpus_softmax_is_that_of_the_adapted_questions(tiny_encoder: Path, judged: JudgedQuestions) -> None:
    model = load_model(str(tiny_encoder), "cpu").eval()
    loss = CorpusSoftmax(model, judged, SETTINGS)
    query_map, passages = loss.query_map.numpy(), loss.fixed_passages()
    assert np.abs(query_map).max() > 0.01
    rows = [2, 0]
    texts = [judged.questions[row] for row in rows]
    value = loss([model.preprocess(texts)], torch.tensor(rows))
    queries = model.encode(texts, normalize_embeddings=True)
    adapted = normalise_rows(queries + queries @ query_map)
    np.testing.assert_allclose(loss.map_questions(queries), adapted, atol=1e-6)
    logits, relevant = 12.0 * adapted @ passages.T, judged.relevant.toarray()[rows]
    likelihood = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    expected = -(likelihood * relevant / relevant.sum(axis=1, keepdims=True)).sum(axis=1).mean()
    assert value.item() == pytest.approx(float(expected), rel=1e-4)


def test_corpus_softmax_moves_the_encoder_alone(tiny_encoder: Path, judged: JudgedQuestions) -> None:
    model = load_model(str(tiny_encoder), "cpu")
    loss = CorpusSoftmax(model, judged, SETTINGS)
    loss([model.preprocess(judged.questions)], torch.arange(3)).backward()
    assert {name.partition(".")[0] for name, _ in loss.named_parameters()} == {"model"}
    moved = [each for each in model.parameters() if each.grad is not None and each.grad.abs().sum() > 0]
    assert moved
    assert not any(buffer.requires_grad for buffer in loss.buffers())
