"""The corpus-softmax adapter: a linear map on each side of a frozen encoder, trained in seconds.

For a question q and every passage p of the corpus, logit(q, p) = scale · cos(q + q W, p + p V). The loss is
the mean negative log softmax, over the whole corpus, of the passages relevant to q: no negatives are
sampled, so none can be false by the luck of the draw. The learning rate falls to 0 in a straight line.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import torch
from rich.progress import track
from scipy import sparse

from rulerank.arrays import FloatArray, IntArray
from rulerank.learn.adapters.softmax import softmax_loss
from rulerank.learn.folds import left_out
from rulerank.retrieve.dense import Adapter
from rulerank.settings import Adapter as AdapterSettings


@dataclass(frozen=True, eq=False)
class Embedded:
    """What one encoder makes of a corpus.

    Parameters
    ----------
    queries : array of shape (queries, dimension)
        Its embeddings of questions.
    passages : array of shape (passages, dimension)
        Its embeddings of passages.

    """

    queries: FloatArray
    passages: FloatArray


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
        Orders the batches.

    """
    torch.manual_seed(seed)
    size = queries.shape[1]
    query_map, passage_map = (torch.zeros(size, size, requires_grad=True) for _ in range(2))
    optimiser = torch.optim.AdamW([query_map, passage_map], lr=settings.learning_rate)
    steps = settings.epochs * math.ceil(len(queries) / settings.batch_size)
    decay = torch.optim.lr_scheduler.PolynomialLR(optimiser, total_iters=steps)
    asked, answers = torch.from_numpy(queries), torch.from_numpy(passages)
    for _ in range(settings.epochs):
        for rows in _batches(len(queries), settings.batch_size):
            loss = _loss(asked[rows], answers, query_map, passage_map, relevant[rows], settings.scale)
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
            decay.step()
    return Adapter(query_map.detach().numpy().copy(), passage_map.detach().numpy().copy())


def train_adapters(
    embedded: Mapping[str, Embedded],
    relevant: sparse.csr_array,
    folds: IntArray,
    settings: AdapterSettings,
    seed: int,
) -> dict[str, Adapter]:
    """Train one adapter without each fold, and one on everything.

    Parameters
    ----------
    embedded : mapping of str to Embedded
        For each adapter to train, what its encoder makes of the training questions and passages:
        `without_fold(k)` for every fold, whose encoder has not seen fold k either, and `FULL`.
    relevant, settings, seed
        As for `train_adapter`.
    folds : array of shape (queries,)
        The fold of each training question.

    Returns
    -------
    dict of str to Adapter
        `without_fold(k)` has not seen fold k and serves its questions; `FULL` serves everyone else.

    """
    plan = left_out(folds)
    return {
        name: train_adapter(
            embedded[name].queries[kept], embedded[name].passages, relevant[kept], settings, seed
        )
        for name, kept in track(plan.items(), "training adapters", disable=not sys.stderr.isatty())
    }


def _batches(size: int, batch_size: int) -> Iterator[IntArray]:
    order = torch.randperm(size).numpy()
    for start in range(0, size, batch_size):
        yield order[start : start + batch_size]


def _loss(
    queries: torch.Tensor,
    passages: torch.Tensor,
    query_map: torch.Tensor,
    passage_map: torch.Tensor,
    relevant: sparse.csr_array,
    scale: float,
) -> torch.Tensor:
    adapted = torch.nn.functional.normalize(queries + queries @ query_map, dim=1)
    corpus = passages + passages @ passage_map
    # Dividing by the lengths afterwards touches fewer numbers than scaling every passage first.
    return softmax_loss((scale * adapted) @ corpus.T / corpus.norm(dim=1), relevant)
