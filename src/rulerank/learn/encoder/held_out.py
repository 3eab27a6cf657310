"""How well an encoder in training ranks for questions that it does not learn from."""

from __future__ import annotations

import numpy as np
from scipy import sparse
from sentence_transformers import SentenceTransformer
from sentence_transformers.base.evaluation import BaseEvaluator

from rulerank.arrays import FloatArray, best_columns
from rulerank.learn.encoder.judged import JudgedQuestions
from rulerank.learn.encoder.losses import EncoderLoss

DEPTH = 10

POOL = 1000
"""How many passages are drawn besides the relevant ones if the encoder in training embeds the passages."""

CELLS = 4_194_304
"""The most (question, passage) scores in memory at once."""


class HeldOutRanking(BaseEvaluator):
    """nDCG@10 and Recall@10 on a validation set, for the log of the trainer.

    If both sides learn, the passages are the relevant ones and `POOL` others. Embedding the whole corpus
    after every epoch would take minutes, and the figures only show how the training is going.

    Parameters
    ----------
    validation_set : JudgedQuestions
        At least one question.
    loss : EncoderLoss
        Determines the vectors by which questions and passages are compared.
    seed : int
        Draws the other passages.

    """

    def __init__(self, validation_set: JudgedQuestions, loss: EncoderLoss, seed: int) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.primary_metric = "nDCG@10"
        self._questions = list(validation_set.questions)
        self._relevant = validation_set.relevant
        self._loss = loss
        if loss.both_sides:
            others = np.random.default_rng(seed).permutation(len(validation_set.passages))[:POOL]
            pool = np.union1d(validation_set.relevant.indices, others)
            self._relevant = sparse.csr_array(validation_set.relevant[:, pool])
            self._passages = [validation_set.passages[column] for column in pool.tolist()]

    def __call__(  # type: ignore[override]
        self, model: SentenceTransformer, output_path: str | None = None, epoch: int = -1, steps: int = -1
    ) -> dict[str, float]:
        """Measure the model in its present state."""
        del output_path, epoch, steps  # the trainer passes where and when it calls
        questions = self._loss.map_questions(model.encode(self._questions, normalize_embeddings=True))
        if self._loss.both_sides:
            passages = model.encode(self._passages, normalize_embeddings=True)
        else:
            passages = self._loss.fixed_passages()
        return measure(questions, passages, self._relevant)


def measure(questions: FloatArray, passages: FloatArray, relevant: sparse.csr_array) -> dict[str, float]:
    """Return mean nDCG@10 (binary gains, ideal from all relevant passages) and Recall@10.

    Parameters
    ----------
    questions, passages : arrays of shape (questions, dimension) and (N, dimension)
        Compared by dot product; no more than `CELLS` products are held at a time.
    relevant : csr_array of shape (questions, N)
        Relevance.

    """
    counts = np.maximum(np.diff(relevant.indptr), 1)
    discounts = 1 / np.log2(np.arange(2, min(DEPTH, len(passages)) + 2))
    ideals = np.cumsum(discounts)[np.minimum(counts, len(discounts)) - 1]
    gains, found = np.empty(len(questions)), np.empty(len(questions))
    size = max(1, CELLS // len(passages))
    for start in range(0, len(questions), size):
        block = slice(start, start + size)
        best = best_columns(questions[block] @ passages.T, DEPTH)
        rows = np.arange(start, start + len(best))
        hits = sparse.csr_array(relevant[rows[:, None], best]).toarray() > 0
        gains[block], found[block] = (hits * discounts).sum(axis=1), hits.sum(axis=1)
    return {"nDCG@10": float((gains / ideals).mean()), "Recall@10": float((found / counts).mean())}
