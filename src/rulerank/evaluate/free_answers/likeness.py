"""BERTScore: how like the tokens of an answer are to those of the expected one."""

from __future__ import annotations

import numpy as np

from rulerank.arrays import FloatArray
from rulerank.retrieve.tokens import Tokens


def bert_score(answers: Tokens, expected: Tokens) -> FloatArray:
    """Return precision, recall and F1 of each answer, shape (n, 3).

    Precision is the mean, over the tokens of the answer, of the greatest cosine with a token of the expected
    answer; recall is the same the other way round (Zhang et al., ICLR 2020, equations of section 3). The two
    special tokens around a text do not count, and nothing is rescaled. A text without tokens scores 0.

    Parameters
    ----------
    answers, expected : Tokens
        n texts each, from `Encoder.tokens`.

    """
    scores = np.zeros((len(answers), 3), np.float32)
    for row in range(len(answers)):
        said, wanted = (
            side.vectors[side.starts[row] + 1 : side.starts[row + 1] - 1].astype(np.float32)
            for side in (answers, expected)
        )
        if len(said) and len(wanted):
            cosines = said @ wanted.T
            precision, recall = cosines.max(axis=1).mean(), cosines.max(axis=0).mean()
            total = precision + recall
            scores[row] = precision, recall, 2 * precision * recall / total if total > 0 else 0.0
    return scores
