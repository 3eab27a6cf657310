"""How well an encoder in training ranks for questions that it does not learn from."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from scipy import sparse
from sentence_transformers import SentenceTransformer
from sentence_transformers.base.evaluation import BaseEvaluator

from rulerank.arrays import FloatArray, best_columns

DEPTH = 10


class HeldOutRanking(BaseEvaluator):
    """nDCG@10 and Recall@10 over fixed passages, for the log of the trainer.

    Parameters
    ----------
    questions : sequence of str
        The texts.
    relevant : csr_array of shape (questions, N)
        Relevance.
    score : function of model and array of shape (questions, dimension)
        From the model and its embeddings of the questions to scores, shape (questions, N).

    """

    def __init__(
        self,
        questions: Sequence[str],
        relevant: sparse.csr_array,
        score: Callable[[SentenceTransformer, FloatArray], FloatArray],
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.questions = list(questions)
        self.relevant = relevant
        self.score = score
        self.primary_metric = "nDCG@10"

    def __call__(  # type: ignore[override]
        self, model: SentenceTransformer, output_path: str | None = None, epoch: int = -1, steps: int = -1
    ) -> dict[str, float]:
        """Measure the model as it is now."""
        del output_path, epoch, steps  # the trainer says where and when it calls
        vectors = model.encode(self.questions, normalize_embeddings=True, show_progress_bar=False)
        return measure(self.score(model, vectors), self.relevant)


def measure(scores: FloatArray, relevant: sparse.csr_array) -> dict[str, float]:
    """Return mean nDCG@10 (binary gains, ideal from all that is relevant) and Recall@10.

    Parameters
    ----------
    scores, relevant : array and csr_array of shape (questions, N)
        Similarities and relevance.

    """
    best = best_columns(scores, DEPTH)
    hits = np.take_along_axis(relevant.toarray() > 0, best, axis=1)
    counts = np.maximum(np.diff(relevant.indptr), 1)
    discounts = 1 / np.log2(np.arange(2, best.shape[1] + 2))
    ideal = np.cumsum(discounts)[np.minimum(counts, best.shape[1]) - 1]
    return {
        "nDCG@10": float(((hits * discounts).sum(axis=1) / ideal).mean()),
        "Recall@10": float((hits.sum(axis=1) / counts).mean()),
    }
