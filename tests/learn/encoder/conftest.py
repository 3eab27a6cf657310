"""A few judged questions with embeddings of the tiny encoder."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from scipy import sparse
from transformers import BertModel

from rulerank.learn.adapters.dense import Embedded
from rulerank.learn.encoder.export import load_model
from rulerank.learn.encoder.judged import JudgedQuestions

QUESTIONS = ["What must the baker keep?", "Who pays the fee?", "When does the pilot sleep?"]
PASSAGES = ["The baker keeps a ledger.", "The pilot pays a fee.", "A pilot sleeps by day.", "It is.", "Tea."]
RELEVANT = np.array([[1, 1, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 1, 0, 0]], np.float32)
RANKED = np.array([[0, 1, 3, 4], [0, 1, 4, 4], [0, 1, 4, 3]])


@pytest.fixture
def judged(tiny_encoder: Path) -> JudgedQuestions:
    """Three questions over five passages; the first has two relevant ones."""
    model = load_model(str(tiny_encoder), "cpu")
    queries, passages = (model.encode(each, normalize_embeddings=True) for each in (QUESTIONS, PASSAGES))
    return JudgedQuestions(
        QUESTIONS, PASSAGES, sparse.csr_array(RELEVANT), Embedded(queries, passages), RANKED
    )


@pytest.fixture
def autocast(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether autocast was on, for each forward pass of a trainable model."""
    seen: list[bool] = []
    forward = BertModel.forward

    def watched(self: BertModel, *arguments: object, **options: object) -> object:
        if self.training:
            seen.append(torch.is_autocast_enabled("cpu"))
        return forward(self, *arguments, **options)

    monkeypatch.setattr(BertModel, "forward", watched)
    return seen
