"""Late interaction: how well each token of a question is met by some token of a passage.

score(q, p) = mean over the tokens i of q of max over the tokens j of p of cos(q_i A, p_j B), the MaxSim of
ColBERT (Khattab and Zaharia, SIGIR 2020) over a frozen encoder; A and B are learned from judgements.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rulerank.arrays import FloatArray, IntArray
from rulerank.retrieve.tokens import Tokens


@dataclass(frozen=True, eq=False)
class LateMaps:
    """The two learned maps.

    Parameters
    ----------
    query, passage : arrays of shape (width, dimension)
        A and B.

    """

    query: FloatArray
    passage: FloatArray


@dataclass(frozen=True, eq=False)
class LateIndex:
    """N passages token by token, as the map leaves them.

    Parameters
    ----------
    passages : Tokens
        Mapped tokens of the passages, N texts.
    query_map : array of shape (width, dimension)
        Maps the reduced tokens of a question.
    axes : array of shape (dimension of the encoder, width)
        Reduces the encoder's tokens of a question.

    """

    passages: Tokens
    query_map: FloatArray
    axes: FloatArray

    @cached_property
    def _tokens(self) -> Tokens:
        """The passages' tokens in float32: turning them at every question takes as long as matching."""
        return Tokens(self.passages.vectors.astype(np.float32), self.passages.starts)

    def match(self, questions: Tokens, rows: IntArray, columns: IntArray) -> tuple[FloatArray, FloatArray]:
        """Match questions with some passages each.

        Parameters
        ----------
        questions : Tokens
            Reduced tokens of the questions.
        rows, columns : arrays of shape (pairs,)
            Question and passage of each pair, question by question.

        Returns
        -------
        mean, least : arrays of shape (pairs,)
            Over the tokens of the question, of the highest cosine with a token of the passage. `least` is
            the mean of the lowest quarter: what of the question the passage leaves unsaid.

        """
        mapped = questions.mapped(self.query_map)
        mean, least = np.empty(len(rows), np.float32), np.empty(len(rows), np.float32)
        bounds = np.searchsorted(rows, np.arange(len(questions) + 1))
        for question in range(len(questions)):
            pairs = slice(bounds[question], bounds[question + 1])
            if pairs.start == pairs.stop:
                continue
            asked = mapped.slice(question, question + 1).vectors.astype(np.float32)
            found = self._tokens.take(columns[pairs])
            cosines = asked @ found.vectors.T
            met = np.maximum.reduceat(cosines, found.starts[:-1], axis=1)
            mean[pairs] = met.mean(axis=0)
            quarter = max(1, len(asked) // 4)
            least[pairs] = np.partition(met, quarter - 1, axis=0)[:quarter].mean(axis=0)
        return mean, least


def build_late(passages: Tokens, maps: LateMaps, axes: FloatArray) -> LateIndex:
    """Index reduced tokens of N passages."""
    return LateIndex(passages.mapped(maps.passage), maps.query, axes)
