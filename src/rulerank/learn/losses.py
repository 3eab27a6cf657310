"""The losses an encoder is fine-tuned with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from scipy import sparse
from sentence_transformers import SentenceTransformer

from rulerank.arrays import FloatArray


def softmax_loss(logits: torch.Tensor, relevant: sparse.csr_array) -> torch.Tensor:
    """Return the mean negative log softmax of what is relevant.

    Parameters
    ----------
    logits : tensor of shape (queries, passages)
        Scaled similarities.
    relevant : csr_array of shape (queries, passages)
        Relevance; a question's relevant passages share its weight of 1 in proportion to it.

    """
    likelihood = torch.log_softmax(logits, dim=1)
    rows = np.repeat(np.arange(relevant.shape[0]), np.diff(relevant.indptr))
    totals = np.maximum(np.asarray(relevant.sum(axis=1)).ravel(), np.finfo(np.float32).tiny)
    weights = torch.from_numpy((relevant.data / totals[rows]).astype(np.float32))
    columns = torch.from_numpy(relevant.indices.astype(np.int64))
    return -(likelihood[torch.from_numpy(rows), columns] * weights).sum() / relevant.shape[0]


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
