"""The loss that adapters and encoders share: a softmax over the passages of which some are relevant."""

from __future__ import annotations

import numpy as np
import torch
from scipy import sparse


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
