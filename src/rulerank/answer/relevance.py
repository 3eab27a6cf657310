"""How much of a question's content a statement covers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from rulerank.arrays import FloatArray
from rulerank.text import Analyser, analyse

_DEFINITION = re.compile(
    r"\b(?:define[ds]?|definitions?|mean(?:s|ing|t)?|count(?:s|ed)? as|regarded as|seen as|considered|"
    r"classified|qualif(?:y|ies)|what (?:is|are) (?:an? |the term)|who is)\b",
    re.I,
)
_PERMISSION = re.compile(
    r"\b(?:may|can|could|allow(?:s|ed)?|permit(?:s|ted)?|permission|exempt(?:ed|ions?)?|entitled|free to|"
    r"discretion|option)\b",
    re.I,
)


class Relevance:
    """Shares of a question's words, weighted by idf.

    Parameters
    ----------
    idf : mapping of str to float
        The weight of each term of the corpus.
    analyser : Analyser, optional
        Turns texts into terms; use that of the corpus.

    """

    def __init__(self, idf: Mapping[str, float], analyser: Analyser = analyse) -> None:
        self._idf = idf
        self._analyser = analyser
        self._unknown = max(idf.values(), default=1.0)

    def __call__(self, question: str, statements: Sequence[str]) -> FloatArray:
        """Return the share of the question's idf that each statement holds, in [0, 1]."""
        asked, *said = (frozenset(terms) for terms in self._analyser([question, *statements]))
        total = self._weight(asked)
        return np.array([self._weight(asked & terms) / total if total else 0.0 for terms in said])

    def nearest(self, question: str, statements: Sequence[str], count: int) -> list[str]:
        """Return the statements that hold most of the question's idf, at most `count`, best first."""
        order = np.argsort(-self(question, statements), kind="stable")
        return [statements[place] for place in order[:count]]

    def _weight(self, terms: frozenset[str]) -> float:
        return sum(self._idf.get(term, self._unknown) for term in sorted(terms))


def asked_for(question: str) -> frozenset[str]:
    """Return the modalities other than duties that a question asks for."""
    kinds = (("definition", _DEFINITION), ("permission", _PERMISSION))
    return frozenset(kind for kind, pattern in kinds if pattern.search(question))
