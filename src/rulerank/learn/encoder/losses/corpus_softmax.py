"""A softmax over the whole corpus, from which only the question side learns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from sentence_transformers import SentenceTransformer

from rulerank.arrays import FloatArray
from rulerank.learn.adapters.dense import train_adapter
from rulerank.learn.adapters.softmax import Targets, softmax_loss, to_targets
from rulerank.learn.encoder.batches import LengthSampler
from rulerank.learn.encoder.judged import JudgedQuestions
from rulerank.learn.encoder.losses.base import EncoderLoss
from rulerank.settings import Settings


class CorpusSoftmax(EncoderLoss):
    """Softmax over the whole corpus with fixed passages: only the question side of the encoder learns.

    An adapter is first trained on the pretrained encoder. Its map of the passages is applied once. Its map of
    the questions follows the encoder in training. Neither changes. So a step costs one pass over short
    questions instead of questions and passages, and no negatives are sampled.

    Parameters
    ----------
    model, training_set, settings
        As for `EncoderLoss`.

    """

    both_sides = False
    batch_sampler = LengthSampler
    sections = ("adapter",)

    passages: torch.Tensor
    query_map: torch.Tensor
    columns: torch.Tensor
    weights: torch.Tensor

    def __init__(self, model: SentenceTransformer, training_set: JudgedQuestions, settings: Settings) -> None:
        super().__init__(model, training_set, settings)
        frozen = training_set.frozen
        self._adapter = train_adapter(
            frozen.queries, frozen.passages, training_set.relevant, settings.adapter, settings.seed
        )
        self._passages = self._adapter.passages(frozen.passages)
        targets = to_targets(training_set.relevant)
        self.register_buffer("passages", torch.from_numpy(self._passages), persistent=False)
        self.register_buffer("query_map", torch.from_numpy(self._adapter.query), persistent=False)
        self.register_buffer("columns", targets.columns, persistent=False)
        self.register_buffer("weights", targets.weights, persistent=False)

    def rows(self) -> Mapping[str, Sequence[Any]]:
        """Return one row per question; its label is its row in the training set."""
        questions = self.training_set.questions
        return {"question": questions, "label": range(len(questions))}

    def forward(
        self, sentence_features: Sequence[dict[str, torch.Tensor]], labels: torch.Tensor
    ) -> torch.Tensor:
        """Return the loss of a batch; `labels` are rows of the training set."""
        (features,) = sentence_features
        queries = torch.nn.functional.normalize(self.model(features)["sentence_embedding"], dim=1)
        adapted = torch.nn.functional.normalize(queries + queries @ self.query_map, dim=1)
        logits = self.settings.finetune.scale * adapted @ self.passages.T
        return softmax_loss(logits, Targets(self.columns[labels], self.weights[labels]))

    def map_questions(self, vectors: FloatArray) -> FloatArray:
        """Map embeddings of questions as the adapter does."""
        return self._adapter.queries(vectors)

    def fixed_passages(self) -> FloatArray:
        """Return the adapted passages."""
        return self._passages
