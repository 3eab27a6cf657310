"""Passages ordered by the single sentences that match a question's parts (after PIKE-RAG)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from rulerank.arrays import FloatArray, IntArray, starts_of
from rulerank.ragged import entries
from rulerank.text import Analyser, sentences

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix
    from sklearn.feature_extraction.text import TfidfVectorizer


@dataclass(frozen=True, eq=False)
class Atoms:
    """Every sentence of N passages as a vector of its terms.

    PIKE-RAG (Wang and others, arXiv 2501.11551, section 4.3) has a language model write the questions that a
    chunk answers, and searches its sub-questions among them. Here the sentences themselves are searched, by
    the cosine of TF-IDF, so no model is needed.

    Parameters
    ----------
    vectors : csr_matrix of shape (atoms, terms)
        Unit rows.
    starts : int array of shape (N + 1,)
        Where the atoms of each passage begin.
    vectoriser : TfidfVectorizer
        Vectorises what is searched.

    """

    vectors: csr_matrix
    starts: IntArray
    vectoriser: TfidfVectorizer

    @classmethod
    def build(cls, texts: pl.Series, analyser: Analyser) -> Atoms:
        """Split N passages into sentences; needs scikit-learn."""
        from sklearn.feature_extraction.text import TfidfVectorizer

        split = [sentences(text) for text in texts]
        owners = np.repeat(np.arange(len(split)), [len(each) for each in split])
        terms = analyser([sentence for each in split for sentence in each])
        vectoriser = TfidfVectorizer(analyzer=_as_it_is, sublinear_tf=True, dtype=np.float32)
        return cls(vectoriser.fit_transform(terms), starts_of(owners, len(split)), vectoriser)

    def rank(self, parts: Sequence[Sequence[str]], passages: IntArray) -> FloatArray:
        """Return the scores of some passages, highest for the passage chosen first.

        Passages are chosen one by one. Of all parts that are still open, the one with the nearest atom among
        the passages left takes the passage of that atom and is closed. Once all are closed, all open again.

        Parameters
        ----------
        parts : sequence of sequences of str
            The analysed terms of each part of a question.
        passages : int array of shape (pool,)
            Rows of the passages to order.

        """
        nearest = np.stack([self._nearest(terms, passages) for terms in parts])
        scores = np.zeros(len(passages), np.float32)
        open_parts, left = np.ones(len(parts), bool), np.ones(len(passages), bool)
        for score in range(len(passages), 0, -1):
            if not open_parts.any():
                open_parts[:] = True
            here = np.where(open_parts[:, None] & left[None, :], nearest, -np.inf)
            part, place = np.unravel_index(int(np.argmax(here)), here.shape)
            open_parts[part], left[place], scores[place] = False, False, score
        return scores

    def _nearest(self, terms: Sequence[str], passages: IntArray) -> FloatArray:
        """Return the greatest cosine of the atoms of each passage; 0 for one without atoms."""
        sought = self.vectoriser.transform([terms])
        owners, atoms = entries(self.starts, passages)
        cosines = np.asarray((self.vectors[atoms] @ sought.T).todense()).ravel()
        greatest = np.zeros(len(passages), np.float32)
        np.maximum.at(greatest, owners, cosines)
        return greatest


def _as_it_is(terms: Sequence[str]) -> Sequence[str]:
    return terms
