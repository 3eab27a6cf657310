"""Which document of the corpus the texts mean by a name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rulerank.arrays import DoubleArray
from rulerank.corpora.naming.cited import Cited
from rulerank.corpora.naming.own import Own
from rulerank.corpora.naming.words import NUMBER, Key, akin, is_code, key_of, kind_of_instrument

STATED, HINTED = 20.0, 4.0
"""The evidence when a document states a name as its own, or may mean itself by it."""
RULED_OUT = -1e6
LEAST, MARGIN = 5.0, 2.0
"""The least evidence for a name, and how much more of it than for any other document."""

_RIGHT = 0.95
"""The share of the sections cited from a document that it has: the rest are misprints and later changes."""
_SPREAD, _SMOOTHING = 4.0, 1000
"""The most that a word counts for, and how many words of the average text each document gets on top."""
_LABELLED = re.compile(r"(?i)\b(?:part|chapter|app(?:endix)?|schedule)\s*\w+\.?")
_NUMBER = re.compile(NUMBER)
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True)
class Document:
    """One document as it is matched.

    Parameters
    ----------
    own : Own
        What it says about itself.
    sections : sequence of str
        Its section ids.
    texts : sequence of str
        Its visible texts.

    """

    own: Own
    sections: Sequence[str]
    texts: Sequence[str]

    @property
    def stated(self) -> set[Key]:
        """The keys of the names it states as its own."""
        return {key for key in map(key_of, self.own.titles) if key.words}

    @property
    def kind(self) -> str:
        """The kind of instrument it says it is, empty if it does not say."""
        kinds = [key.kind for key in map(key_of, self.own.titles) if key.kind]
        return next(iter(kinds), kind_of_instrument(self.own.kind or ""))


def match(documents: Sequence[Document], cited: Sequence[Cited]) -> dict[int, Cited]:
    """Return what texts call each document, by place; a name goes to one document, an unclear one to none.

    The evidence is a sum of log-likelihood ratios. The section numbers cited with a name, which the document
    has or lacks, are compared with how many documents have them. The words of the name count by how much more
    often they occur in the document than elsewhere. What documents say about themselves adds to it, and an
    instrument of another kind is ruled out.
    """
    if not documents or not cited:
        return {}
    # Only this function needs SciPy, which ranking does not load.
    from scipy.optimize import linear_sum_assignment

    evidence = _numbers(documents, cited) + _words(documents, cited) + _own(documents, cited)
    rows, columns = linear_sum_assignment(evidence, maximize=True)
    found = {}
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        others = np.delete(evidence[:, column], row).max(initial=-np.inf)
        if evidence[row, column] >= max(LEAST, others + MARGIN):
            found[row] = cited[column]
    return found


def _numbers(documents: Sequence[Document], cited: Sequence[Cited]) -> DoubleArray:
    """Return the evidence of the section numbers cited, shape (documents, cited)."""
    has = [_numbered(document.sections) for document in documents]
    spread = Counter(number for numbers in has for number in numbers)
    evidence = np.zeros((len(documents), len(cited)))
    for column, one in enumerate(cited):
        for number in sorted(one.numbers):
            share = (spread[number] + 0.5) / (len(documents) + 1)
            present = np.array([number in numbers for numbers in has])
            evidence[:, column] += np.where(
                present, np.log(_RIGHT / share), np.log((1 - _RIGHT) / (1 - share))
            )
    return evidence


def _words(documents: Sequence[Document], cited: Sequence[Cited]) -> DoubleArray:
    """Return the evidence of the words of the names, shape (documents, cited)."""
    counts = [Counter(_stems(" ".join(document.texts))) for document in documents]
    lengths = np.array([count.total() for count in counts])
    evidence = np.zeros((len(documents), len(cited)))
    for column, one in enumerate(cited):
        titles = [key.words for name in one.names if not is_code(name) and (key := key_of(name)).kind]
        ratios = []
        for word in sorted({word for title in titles for word in title}):
            held = np.array([count[word] for count in counts])
            expected = (held.sum() + 1) / (lengths.sum() + 1)
            rate = (held + _SMOOTHING * expected) / (lengths + _SMOOTHING)
            ratios.append(np.clip(np.log(rate / expected), -_SPREAD, _SPREAD))
        if ratios:
            evidence[:, column] = np.mean(ratios, axis=0)
    return evidence


def _own(documents: Sequence[Document], cited: Sequence[Cited]) -> DoubleArray:
    """Return the evidence of what the documents say about themselves, shape (documents, cited)."""
    evidence = np.zeros((len(documents), len(cited)))
    called = [(one.kind, one.keys) for one in cited]
    kinds = [document.kind for document in documents]
    for row, (document, kind) in enumerate(zip(documents, kinds, strict=True)):
        stated = document.stated
        titled = any(key.kind for key in stated)
        hinted = {key_of(name) for name in document.own.hints}
        for column, (other, keys) in enumerate(called):
            if stated & keys:
                evidence[row, column] = STATED
            elif titled or (kind and other and not akin(kind, other)):
                evidence[row, column] = RULED_OUT
            elif hinted & keys:
                evidence[row, column] = HINTED
            elif kind and other:
                evidence[row, column] = np.log(len(kinds) / sum(akin(each, other) for each in kinds))
    return evidence


def _numbered(sections: Sequence[str]) -> set[str]:
    """Return the numbers of all sections and of the divisions above them, without parts and chapters."""
    numbers: set[str] = set()
    for section in sections:
        found = _NUMBER.match(_LABELLED.sub("", section).lstrip(". "))
        parts = found[0].split(".") if found else []
        numbers.update(".".join(parts[: count + 1]) for count in range(len(parts)))
    return numbers


def _stems(text: str) -> list[str]:
    return [word.lower().removesuffix("s") for word in _WORD.findall(text)]
