"""Cosines of TF-IDF vectors, as a plugged-in generator: `rulerank.retrieve.tfidf:TfIdf` in `candidates.runs`.

w(t, x) = (1 + ln tf(t, x)) (ln((1 + N) / (1 + df(t))) + 1), score(q, p) = cos(w(., q), w(., p))

(Salton and Buckley 1988, sublinear and with a smooth idf, which is never 0.) Terms that no passage contains
are left out of the question's vector.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

import numpy as np

from rulerank.arrays import BoolArray, FloatArray
from rulerank.ragged import Ragged, transposed
from rulerank.retrieve.bm25 import Bm25
from rulerank.retrieve.generator import Material
from rulerank.retrieve.term_weights import Terms, count_terms
from rulerank.settings import Candidates


class TfIdf(Bm25):
    """The passages' own text; as with BM25, a score is a sum over the terms of question and passage."""

    name: ClassVar[str] = "tfidf"

    @classmethod
    def build(cls, material: Material, settings: Candidates) -> Self:  # noqa: ARG003
        """Index the passages."""
        return cls.of_passages(material.terms, material.has_text)

    @classmethod
    def of_passages(cls, passages: Terms, has_text: BoolArray) -> Self:
        """Index analysed passages; a heading without text is never found."""
        words = sorted({term for terms in passages for term in terms})
        vocabulary = {word: row for row, word in enumerate(words)}
        counts = count_terms(passages, vocabulary)
        frequency = np.bincount(counts.items, minlength=len(words))
        idf = (np.log((1 + len(passages)) / (1 + frequency)) + 1).astype(np.float32)
        weighed = _unit(counts, idf)
        kept = weighed.where(has_text[weighed.owners])
        return cls(vocabulary, transposed(kept, len(words)), kept, idf)

    def counts(self, terms: Sequence[Sequence[str]]) -> Ragged:
        """Return the distinct known terms of each text, ascending, with their weights in its unit vector."""
        return _unit(super().counts(terms), self.idf)


def _unit(counted: Ragged, idf: FloatArray) -> Ragged:
    """Return counts of terms as TF-IDF weights of unit length."""
    weights = (1 + np.log(counted.weights)) * idf[counted.items]
    owner = counted.owners
    lengths = np.sqrt(np.bincount(owner, weights.astype(np.float64) ** 2, len(counted)))
    return Ragged(counted.starts, counted.items, (weights / lengths[owner]).astype(np.float32))
