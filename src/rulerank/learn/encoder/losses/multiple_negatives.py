"""The multiple-negatives ranking loss of sentence-transformers, from which both sides learn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.losses import (
    CachedMultipleNegativesRankingLoss,
    MultipleNegativesRankingLoss,
)

from rulerank.learn.encoder.judged import JudgedQuestions
from rulerank.learn.encoder.losses.base import EncoderLoss
from rulerank.settings import Finetune, Settings


class MultipleNegatives(EncoderLoss):
    """Softmax over the passages of the batch: the question's, those of other questions, mined negatives.

    Parameters
    ----------
    model, training_set, settings
        As for `EncoderLoss`.

    """

    both_sides = True
    mines_negatives = True

    def __init__(self, model: SentenceTransformer, training_set: JudgedQuestions, settings: Settings) -> None:
        super().__init__(model, training_set, settings)
        self.ranking_loss = self._ranking_loss(model, settings.finetune)

    def rows(self) -> Mapping[str, Sequence[Any]]:
        """Return one row per pair of a question and a relevant passage, with mined negatives."""
        return self.training_set.pairs(self.settings.finetune.negatives, self.settings.seed)

    def forward(self, sentence_features: Sequence[dict[str, torch.Tensor]], labels: Any) -> torch.Tensor:
        """Return the loss of a batch."""
        loss: torch.Tensor = self.ranking_loss(sentence_features, labels)
        return loss

    def _ranking_loss(self, model: SentenceTransformer, settings: Finetune) -> torch.nn.Module:
        return MultipleNegativesRankingLoss(model, scale=settings.scale)


class CachedMultipleNegatives(MultipleNegatives):
    """The same with `finetune.mini_batch_size` texts in memory at once."""

    def _ranking_loss(self, model: SentenceTransformer, settings: Finetune) -> torch.nn.Module:
        return CachedMultipleNegativesRankingLoss(
            model, scale=settings.scale, mini_batch_size=settings.mini_batch_size
        )
