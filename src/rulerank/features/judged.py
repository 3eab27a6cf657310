"""The judgements of candidates, as far as their questions may see them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rulerank.arrays import BoolArray, DoubleArray, FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Judged:
    """The training questions, outside its own cluster, to which each pair's passage is relevant.

    Parameters
    ----------
    rows, columns : int arrays of shape (pairs,)
        Question and passage of each pair, question by question.
    pairs, questions : int arrays of shape (judged,)
        Pair and training question, pairs ascending.
    prior : array of shape (pairs,)
        The number of these questions for each pair.
    in_document, in_section : arrays of shape (pairs,)
        How many passages of the pair's document, and of its section, are judged relevant by such questions.
    visible : boolean array of shape (Q, M)
        As in `JudgementIndex.visible`.

    """

    rows: IntArray
    columns: IntArray
    pairs: IntArray
    questions: IntArray
    prior: FloatArray
    in_document: FloatArray
    in_section: FloatArray
    visible: BoolArray

    def of(self, kept: BoolArray) -> Judged:
        """Return the judgements of the pairs that a boolean array of shape (pairs,) selects."""
        number, stays = np.cumsum(kept) - 1, kept[self.pairs]
        return replace(
            self,
            rows=self.rows[kept],
            columns=self.columns[kept],
            pairs=number[self.pairs[stays]],
            questions=self.questions[stays],
            prior=self.prior[kept],
            in_document=self.in_document[kept],
            in_section=self.in_section[kept],
        )

    def total(self, values: NDArray[np.floating]) -> DoubleArray:
        """Sum a value of each judgement by pair, shape (pairs,)."""
        return np.bincount(self.pairs, values, len(self.rows)).astype(np.float64)

    def known(self, values: FloatArray) -> FloatArray:
        """Return evidence, shape (pairs,), with NaN for passages of documents that nobody has judged."""
        return np.where(self.in_document > 0, values, np.nan).astype(np.float32)
