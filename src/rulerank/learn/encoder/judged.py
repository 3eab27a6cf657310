"""Judged questions: a training set or a validation set of the encoder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from rulerank.arrays import IntArray
from rulerank.learn.adapters.dense import Embedded
from rulerank.learn.encoder.negatives import mine_negatives


@dataclass(frozen=True, eq=False)
class JudgedQuestions:
    """Judged questions over the N passages that can be candidates.

    Parameters
    ----------
    questions, passages : sequence of str
        Their texts, with the encoder's prefixes.
    relevant : csr_array of shape (questions, N)
        Relevance.
    frozen : Embedded
        Embeddings of both by the pretrained encoder.
    ranked : array of shape (questions, depth)
        The first passages by BM25 and the pretrained encoder together, best first. Negatives come from here.
        Empty if no negatives are mined.

    """

    questions: Sequence[str]
    passages: Sequence[str]
    relevant: sparse.csr_array
    frozen: Embedded
    ranked: IntArray

    def only(self, kept: np.ndarray) -> JudgedQuestions:
        """Return the questions where `kept` is true."""
        return JudgedQuestions(
            [self.questions[row] for row in np.flatnonzero(kept).tolist()],
            self.passages,
            self.relevant[kept],
            Embedded(self.frozen.queries[kept], self.frozen.passages),
            self.ranked[kept],
        )

    def pairs(self, negatives: int, seed: int) -> dict[str, list[str]]:
        """Return one row per relevant passage: question, passage and mined negatives.

        A question without negatives to mine is left out.

        Parameters
        ----------
        negatives : int
            Negatives per row, in columns `negative_0`, `negative_1` and so on.
        seed : int
            Draws the negatives.

        """
        drawn = mine_negatives(self.ranked, self.relevant, self.frozen.passages, negatives, seed)
        rows = np.repeat(np.arange(len(self.questions)), np.diff(self.relevant.indptr))
        kept = (drawn[rows] >= 0).all(axis=1)
        rows, relevant = rows[kept], self.relevant.indices[kept]
        columns = {
            "question": [self.questions[row] for row in rows.tolist()],
            "relevant": [self.passages[column] for column in relevant.tolist()],
        }
        for place in range(negatives):
            columns[f"negative_{place}"] = [self.passages[column] for column in drawn[rows, place].tolist()]
        return columns
