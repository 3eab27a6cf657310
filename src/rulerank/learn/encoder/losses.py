"""The loss of an encoder whose question side alone learns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from scipy import sparse
from sentence_transformers import SentenceTransformer

from rulerank.arrays import FloatArray
from rulerank.learn.adapters.softmax import softmax_loss


class CorpusSoftmax(torch.nn.Module):
    """Softmax over the whole corpus, the passages fixed: only the question side of the encoder learns.

    The passages stand as the adapter leaves them, so their embeddings are made once, and a step costs one
    pass of short questions instead of questions and passages. No negatives are sampled.

    Parameters
    ----------
    model : SentenceTransformer
        The encoder; one row of the data set is a question and, as its label, its row in `relevant`.
    query_map : array of shape (dimension, dimension)
        The adapter's map of the questions, trained on the frozen encoder; stays as it is.
    passages : array of shape (passages, dimension)
        The passages as the same adapter leaves them.
    relevant : csr_array of shape (queries, passages)
        Relevance of the passages to the training questions.
    scale : float
        Factor of the cosine.

    """

    def __init__(
        self,
        model: SentenceTransformer,
        query_map: FloatArray,
        passages: FloatArray,
        relevant: sparse.csr_array,
        scale: float,
    ) -> None:
        super().__init__()
        self.model = model
        self.scale = scale
        self.relevant = relevant
        self.passages = torch.from_numpy(passages)
        self.map = torch.from_numpy(query_map)

    def forward(
        self, sentence_features: Sequence[dict[str, torch.Tensor]], labels: torch.Tensor
    ) -> torch.Tensor:
        """Return the loss of a batch; `labels` are rows of `relevant`."""
        (features,) = sentence_features
        queries = torch.nn.functional.normalize(self.model(features)["sentence_embedding"], dim=1)
        adapted = torch.nn.functional.normalize(queries + queries @ self.map, dim=1)
        return softmax_loss(self.scale * adapted @ self.passages.T, self.relevant[labels.numpy()])

    def get_config_dict(self) -> dict[str, Any]:
        """Return what the model card says of the loss."""
        return {"scale": self.scale}
