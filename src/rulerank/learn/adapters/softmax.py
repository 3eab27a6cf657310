"""The loss that adapters and encoders share: a softmax over passages, some of which are relevant."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from scipy import sparse


class Targets(NamedTuple):
    """Which passages should score high for each question, and how the question's weight is divided.

    Parameters
    ----------
    columns : tensor of shape (questions, most), int64
        Relevant passages of each question, padded with 0.
    weights : tensor of shape (questions, most), float32
        Rows sum to 1, or to 0 for a question without relevant passages; the padding is 0.

    """

    columns: torch.Tensor
    weights: torch.Tensor


def to_targets(relevant: sparse.csr_array) -> Targets:
    """Return the relevant passages of each question, weighted in proportion to their relevance.

    Parameters
    ----------
    relevant : csr_array of shape (questions, passages)
        Above 0 where a passage is relevant.

    """
    sizes = np.diff(relevant.indptr)
    rows = np.repeat(np.arange(len(sizes)), sizes)
    places = np.arange(len(rows)) - np.repeat(relevant.indptr[:-1], sizes)
    shape = len(sizes), max(1, sizes.max(initial=0))
    columns, weights = np.zeros(shape, np.int64), np.zeros(shape, np.float32)
    totals = np.maximum(np.asarray(relevant.sum(axis=1)).ravel(), np.finfo(np.float32).tiny)
    columns[rows, places] = relevant.indices
    weights[rows, places] = relevant.data / totals[rows]
    return Targets(torch.from_numpy(columns), torch.from_numpy(weights))


def softmax_loss(logits: torch.Tensor, targets: Targets) -> torch.Tensor:
    """Return the mean negative log softmax of the relevant passages.

    Parameters
    ----------
    logits : tensor of shape (questions, passages)
        Scaled similarities.
    targets : Targets
        Targets of the same questions, on the same device.

    """
    likelihood = torch.log_softmax(logits, dim=1).gather(1, targets.columns)
    return -(likelihood * targets.weights).sum() / len(logits)
