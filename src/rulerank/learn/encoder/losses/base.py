"""What a loss of the encoder declares about itself, so that no other code needs its name."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.base.sampler import BatchSamplers, DefaultBatchSampler

from rulerank.arrays import FloatArray
from rulerank.learn.encoder.judged import JudgedQuestions
from rulerank.settings import Settings


class EncoderLoss(torch.nn.Module, ABC):
    """A loss for fine-tuning an encoder.

    To add one, write a subclass in its own module and name it in `rulerank.settings.encoder.LOSSES`. A
    subclass in another package is named in params.yaml: `finetune.loss: package.module:Class`. Tensors that
    it needs besides the model are buffers, so they follow the model to its device.

    Parameters
    ----------
    model : SentenceTransformer
        Trained in place.
    training_set : JudgedQuestions
        What is learned from.
    settings : Settings
        All of params.yaml.

    """

    both_sides: ClassVar[bool]
    """Whether the fine-tuned encoder also embeds passages. Otherwise the pretrained one still does."""

    mines_negatives: ClassVar[bool] = False
    """Whether `training_set.ranked` is read if `finetune.negatives` asks for negatives."""

    batch_sampler: ClassVar[BatchSamplers | type[DefaultBatchSampler]] = BatchSamplers.NO_DUPLICATES
    """How rows are put into batches; a duplicate in a batch would be its own negative."""

    sections: ClassVar[tuple[str, ...]] = ()
    """Sections of params.yaml that the trained weights depend on, besides `finetune`."""

    version: ClassVar[int] = 1
    """Increased when the same settings lead to other weights, so that kept encoders are trained again."""

    def __init__(self, model: SentenceTransformer, training_set: JudgedQuestions, settings: Settings) -> None:
        super().__init__()
        self.model = model
        self.training_set = training_set
        self.settings = settings

    @abstractmethod
    def rows(self) -> Mapping[str, Sequence[Any]]:
        """Return the columns of the data set: texts in the order of `sentence_features`, maybe `label`."""

    @abstractmethod
    def forward(self, sentence_features: Sequence[dict[str, torch.Tensor]], labels: Any) -> torch.Tensor:
        """Return the loss of a batch.

        Parameters
        ----------
        sentence_features : sequence of dict of str to tensor
            The model's input for each column of texts.
        labels : tensor of shape (batch,) or None
            The column `label`.

        """

    def map_questions(self, vectors: FloatArray) -> FloatArray:
        """Map the model's embeddings of questions to those that are compared with passages."""
        return vectors

    def fixed_passages(self) -> FloatArray:
        """Return the passages that questions are compared with, shape (N, dimension).

        It is only for a loss that leaves the passages alone.
        """
        raise NotImplementedError

    def get_config_dict(self) -> dict[str, Any]:
        """Return what the trainer's model card says about the loss."""
        return {}
