"""The corpus-softmax adapter: a linear map on each side of a frozen encoder.

For a question q and a passage p, logit(q, p) = scale · cos(q + q W, p + p V). The loss is the mean negative
log softmax of the passages relevant to q. The softmax is over the whole corpus or, beyond `SOFTMAX_PASSAGES`
passages, over the relevant passages of the batch and that many drawn anew for it, weighted so that the
denominator is unbiased. The learning rate falls linearly to 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import torch
from scipy import sparse

from rulerank.arrays import BoolArray, FloatArray, IntArray
from rulerank.learn.adapters.softmax import Targets, softmax_loss, to_targets
from rulerank.learn.out_of_fold import Fold, Folds, OutOfFold, fit_out_of_fold
from rulerank.retrieve.embedded import Adapter
from rulerank.settings import Adapter as AdapterSettings

SOFTMAX_PASSAGES = 1024
"""The softmax covers the whole corpus up to this size, and beyond it this number of passages.

Time and memory of a step therefore do not grow with the corpus.
"""


@dataclass(frozen=True, eq=False)
class Embedded:
    """The embeddings of a corpus by one encoder.

    Parameters
    ----------
    queries : array of shape (queries, dimension)
        Embeddings of the questions.
    passages : array of shape (passages, dimension)
        Embeddings of the passages.

    """

    queries: FloatArray
    passages: FloatArray


@dataclass(frozen=True, eq=False)
class _Softmax:
    """The C passages in the softmax of one batch, and the targets among them.

    Parameters
    ----------
    passages : tensor of shape (C, dimension)
        Their embeddings.
    log_weights : tensor of shape (C,)
        Logarithm of the number of passages that each one represents.
    targets : Targets
        Targets, as columns of `passages`.

    """

    passages: torch.Tensor
    log_weights: torch.Tensor
    targets: Targets


def train_adapter(
    queries: FloatArray,
    passages: FloatArray,
    relevant: sparse.csr_array,
    settings: AdapterSettings,
    seed: int,
) -> Adapter:
    """Train one adapter.

    Parameters
    ----------
    queries : array of shape (queries, dimension)
        Frozen embeddings of the training questions.
    passages : array of shape (passages, dimension)
        Frozen embeddings of the passages that can be candidates.
    relevant : csr_array of shape (queries, passages)
        Above 0 where a passage is relevant; every question has at least one.
    settings : Adapter
        The section `adapter` of params.yaml.
    seed : int
        Determines the order of the batches.

    """
    torch.manual_seed(seed)
    size = queries.shape[1]
    query_map, passage_map = (torch.zeros(size, size, requires_grad=True) for _ in range(2))
    optimiser = torch.optim.AdamW([query_map, passage_map], lr=settings.learning_rate)
    steps = settings.epochs * math.ceil(len(queries) / settings.batch_size)
    decay = torch.optim.lr_scheduler.PolynomialLR(optimiser, total_iters=steps)
    inputs = torch.from_numpy(queries)
    for rows, softmax in _batches(passages, relevant, settings, seed):
        loss = _loss(inputs[rows], softmax, query_map, passage_map, settings.scale)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        decay.step()
    return Adapter(query_map.detach().numpy().copy(), passage_map.detach().numpy().copy())


def train_adapters(
    embedded: Callable[[Fold], Embedded],
    relevant: sparse.csr_array,
    folds: Folds,
    settings: AdapterSettings,
    seed: int,
) -> OutOfFold[Adapter]:
    """Train one adapter without each fold, and one on everything.

    Parameters
    ----------
    embedded : callable
        Returns, for a fold, the training questions and passages embedded by an encoder that has not seen it.
    relevant, settings, seed
        As for `train_adapter`.
    folds : Folds
        The folds of the training questions.

    """

    def fit(fold: Fold, kept: BoolArray) -> Adapter:
        vectors = embedded(fold)
        return train_adapter(vectors.queries[kept], vectors.passages, relevant[kept], settings, seed)

    return fit_out_of_fold(folds, fit, "training adapters")


def _batches(
    passages: FloatArray, relevant: sparse.csr_array, settings: AdapterSettings, seed: int
) -> Iterator[tuple[IntArray, _Softmax]]:
    """Yield the questions of every batch of every epoch, and the passages of its softmax."""
    generator = np.random.default_rng(seed)
    whole = len(passages) <= SOFTMAX_PASSAGES
    corpus, same = torch.from_numpy(passages) if whole else None, torch.zeros(len(passages))
    for _ in range(settings.epochs):
        order = torch.randperm(relevant.shape[0]).numpy()
        for start in range(0, len(order), settings.batch_size):
            rows = order[start : start + settings.batch_size]
            if corpus is not None:
                yield rows, _Softmax(corpus, same, to_targets(relevant[rows]))
            else:
                yield rows, _sampled(passages, relevant[rows], generator)


def _sampled(passages: FloatArray, relevant: sparse.csr_array, generator: np.random.Generator) -> _Softmax:
    """Draw random passages besides the relevant ones, so that the softmax's denominator is unbiased."""
    certain = np.unique(relevant.indices)
    drawn = generator.choice(len(passages), SOFTMAX_PASSAGES, replace=False)
    columns = np.union1d(certain, drawn)
    others = ~np.isin(columns, certain)
    # Each drawn passage represents its share of the passages relevant to no question of the batch.
    stands_for = (len(passages) - len(certain)) / max(1, others.sum())
    return _Softmax(
        torch.from_numpy(passages[columns]),
        torch.from_numpy(np.where(others, math.log(max(1, stands_for)), 0).astype(np.float32)),
        to_targets(sparse.csr_array(relevant[:, columns])),
    )


def _loss(
    queries: torch.Tensor,
    softmax: _Softmax,
    query_map: torch.Tensor,
    passage_map: torch.Tensor,
    scale: float,
) -> torch.Tensor:
    adapted = torch.nn.functional.normalize(queries + queries @ query_map, dim=1)
    corpus = softmax.passages + softmax.passages @ passage_map
    # Dividing by the lengths afterwards touches fewer numbers than scaling every passage first.
    logits = (scale * adapted) @ corpus.T / corpus.norm(dim=1)
    logits += softmax.log_weights
    return softmax_loss(logits, softmax.targets)
