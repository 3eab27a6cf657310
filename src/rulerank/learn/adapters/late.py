"""Training of the late-interaction maps on a frozen encoder's tokens, in minutes on two cores."""

from __future__ import annotations

import numpy as np
import torch
from scipy import sparse

from rulerank.arrays import BoolArray, IntArray
from rulerank.learn.out_of_fold import Fold, Folds, OutOfFold, fit_out_of_fold
from rulerank.retrieve.matched import LateMaps
from rulerank.retrieve.tokens import Tokens
from rulerank.settings import Late


def train_late(
    questions: Tokens,
    passages: Tokens,
    relevant: sparse.csr_array,
    candidates: sparse.csr_array,
    settings: Late,
    seed: int,
) -> LateMaps:
    """Train one pair of maps.

    The loss is the mean negative log softmax of a question's relevant passages. The softmax covers these,
    hard negatives drawn from the question's candidates, and passages drawn from the whole corpus.

    Parameters
    ----------
    questions, passages : Tokens
        Reduced tokens of the training questions and of the N passages.
    relevant : csr_array of shape (questions, N)
        Above 0 where a passage is relevant; every question has at least one.
    candidates : csr_array of shape (questions, N)
        Above 0 for the first passages of the runs; those that are not relevant serve as hard negatives.
    settings : Late
        The section `late` of params.yaml.
    seed : int
        Seed of the draws.

    """
    generator = np.random.default_rng(seed)
    width = questions.vectors.shape[1]
    start = torch.eye(width, settings.dimension)
    query_map, passage_map = (start.clone().requires_grad_() for _ in range(2))
    optimiser = torch.optim.Adam([query_map, passage_map], lr=settings.learning_rate)
    hard = _without(candidates, relevant)
    for _ in range(settings.epochs):
        order = generator.permutation(len(questions))
        for place in range(0, len(order), settings.batch_size):
            batch = order[place : place + settings.batch_size]
            drawn = [_draw(relevant, hard, row, settings, generator) for row in batch]
            loss = _loss(questions, passages, batch, drawn, (query_map, passage_map), settings.scale)
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
    return LateMaps(query_map.detach().numpy().copy(), passage_map.detach().numpy().copy())


def train_late_maps(
    questions: Tokens,
    passages: Tokens,
    relevant: sparse.csr_array,
    candidates: sparse.csr_array,
    folds: Folds,
    settings: Late,
    seed: int,
) -> OutOfFold[LateMaps]:
    """Train maps without each fold, and on everything; see `train_late` and `dense.train_adapters`."""

    def fit(_: Fold, kept: BoolArray) -> LateMaps:
        shown = questions.take(np.flatnonzero(kept))
        return train_late(shown, passages, relevant[kept], candidates[kept], settings, seed)

    return fit_out_of_fold(folds, fit, "training late interaction")


def _without(candidates: sparse.csr_array, relevant: sparse.csr_array) -> sparse.csr_array:
    left = sparse.csr_array(candidates - candidates.multiply(relevant > 0))
    left.eliminate_zeros()
    return left


def _draw(
    relevant: sparse.csr_array,
    hard: sparse.csr_array,
    row: int,
    settings: Late,
    generator: np.random.Generator,
) -> tuple[IntArray, int]:
    """Return the passages drawn for a question's softmax, relevant ones first, and how many are relevant."""
    positives, near = (
        matrix.indices[matrix.indptr[row] : matrix.indptr[row + 1]] for matrix in (relevant, hard)
    )
    negatives = generator.choice(near, min(settings.negatives, len(near)), replace=False)
    others = generator.integers(relevant.shape[1], size=settings.others)
    others = others[~np.isin(others, positives)]
    return np.concatenate([positives, negatives, others]).astype(np.int64), len(positives)


def _loss(
    questions: Tokens,
    passages: Tokens,
    batch: IntArray,
    drawn: list[tuple[IntArray, int]],
    maps: tuple[torch.Tensor, torch.Tensor],
    scale: float,
) -> torch.Tensor:
    asked, shown = questions.take(batch), passages.take(np.concatenate([columns for columns, _ in drawn]))
    queries, tokens = (torch.from_numpy(each.vectors.astype(np.float32)) for each in (asked, shown))
    mapped = _mapped(queries, maps[0])
    with torch.no_grad():
        met = _best_tokens(mapped, _mapped(tokens, maps[1]), asked.starts, shown.starts, drawn)
    losses = []
    for row, (best, (_, positives)) in enumerate(zip(met, drawn, strict=True)):
        query = mapped[asked.starts[row] : asked.starts[row + 1]]
        # Only the tokens that best match a question's token carry a gradient.
        cosines = torch.einsum("qd,qpd->qp", query, _mapped(tokens[best], maps[1]))
        losses.append(-torch.log_softmax(scale * cosines.mean(dim=0), dim=0)[:positives].mean())
    return torch.stack(losses).mean()


def _mapped(vectors: torch.Tensor, matrix: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.normalize(vectors @ matrix, dim=-1)


def _best_tokens(
    queries: torch.Tensor,
    tokens: torch.Tensor,
    asked: IntArray,
    shown: IntArray,
    drawn: list[tuple[IntArray, int]],
) -> list[torch.Tensor]:
    """Return, per question and passage, the passage's best-matching token for each question token."""
    best, first = [], 0
    for row, (columns, _) in enumerate(drawn):
        starts = torch.from_numpy(shown[first : first + len(columns)])
        sizes = torch.from_numpy(np.diff(shown[first : first + len(columns) + 1]))
        # Shorter passages repeat their last token, which changes no maximum.
        places = starts[:, None] + torch.minimum(torch.arange(int(sizes.max())), sizes[:, None] - 1)
        low, high = int(starts[0]), int(starts[-1] + sizes[-1])
        cosines = queries[asked[row] : asked[row + 1]] @ tokens[low:high].T
        winners = cosines[:, places - low].argmax(dim=2)
        best.append(places[torch.arange(len(columns)), winners])
        first += len(columns)
    return best
