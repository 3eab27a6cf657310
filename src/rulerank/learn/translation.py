"""Learns the table that translates the words of passages into those of questions.

IBM Model 1 (Brown et al. 1993, section 4.1) by expectation maximisation, over the distinct terms of each
question and the terms of each passage that is relevant to it. `prior` pseudo-counts of every word as its own
translation keep rare words from standing for others (Xue et al. 2008 mix it into the scores instead). The
null word, which is in no passage, explains what fits all questions, such as "what".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from rulerank.arrays import BoolArray, DoubleArray, IntArray
from rulerank.learn.out_of_fold import Fold, Folds, OutOfFold, fit_out_of_fold
from rulerank.ragged import collected, entries
from rulerank.retrieve.term_weights import count_terms
from rulerank.retrieve.translation import Shares
from rulerank.retrieve.translation_table import TranslationTable
from rulerank.settings import Translation as TranslationSettings
from rulerank.sparse import as_matrix

EMPTY = 0.1
"""How often the null word occurs, as a share of a passage's terms (Brown et al., e_0)."""

LEAST = 1e-3
"""The least probability that is kept, apart from a word's as its own translation."""

ADDED = 0.5
"""Pseudo-count of every question word, so that none has the frequency 0."""


@dataclass(frozen=True, eq=False)
class JudgedTexts:
    """Questions and the passages that are relevant to them, word by word.

    Parameters
    ----------
    words : list of str
        The W words of all questions and of the relevant passages.
    questions : csr_array of shape (questions, W)
        1 for the words of each question.
    passages : csr_array of shape (N, W)
        P(s | p) for the passages that are relevant to a question, nothing for the others.
    relevant : csr_array of shape (questions, N)
        Above 0 where a passage is relevant.

    """

    words: list[str]
    questions: sparse.csr_array
    passages: sparse.csr_array
    relevant: sparse.csr_array

    @classmethod
    def of(
        cls, questions: Sequence[Sequence[str]], relevant: sparse.csr_array, shares: Shares
    ) -> JudgedTexts:
        """Return analysed questions and the passages that are relevant to them, their words numbered."""
        judged = np.unique(relevant.indices).astype(np.int64)
        owner, terms, weights = shares.of(judged)
        held, own = np.unique(terms, return_inverse=True)
        spelled = list(shares.bm25.vocabulary)
        said = [spelled[term] for term in held]
        words = sorted({*said, *(word for question in questions for word in question)})
        place = {word: row for row, word in enumerate(words)}
        asked = as_matrix(count_terms([sorted(set(each)) for each in questions], place), len(words))
        columns = np.array([place[word] for word in said], np.int64)[own]
        shape = relevant.shape[1], len(words)
        return cls(words, asked, sparse.csr_array((weights, (judged[owner], columns)), shape=shape), relevant)

    def among(self, kept: BoolArray) -> JudgedTexts:
        """Return the same with the questions that are kept."""
        return JudgedTexts(self.words, self.questions[kept], self.passages, self.relevant[kept])


def train_tables(
    judged: JudgedTexts, folds: Folds, settings: TranslationSettings
) -> OutOfFold[TranslationTable]:
    """Train one table without each fold, and one on everything."""

    def fit(_: Fold, kept: BoolArray) -> TranslationTable:
        return train_table(judged.among(kept), settings)

    return fit_out_of_fold(folds, fit, "training translation")


def train_table(judged: JudgedTexts, settings: TranslationSettings) -> TranslationTable:
    """Train one table; it takes memory in proportion to the pairs of words in all judged pairs of texts."""
    size = len(judged.words)
    pairs = _Pairs.of(judged)
    chances = np.full(len(pairs.keys), 1 / max(size, 1))
    chances[pairs.itself] += 1
    for _ in range(settings.rounds):
        chances = pairs.improved(chances, settings.prior)
    kept = chances >= LEAST
    kept[pairs.itself] = True
    source, word = np.divmod(pairs.keys[kept], size)
    asked = np.asarray(judged.questions.sum(axis=0), np.float64).ravel() + ADDED
    return TranslationTable(
        {word: row for row, word in enumerate(judged.words)},
        collected(word, source, size, chances[kept]),
        (asked / asked.sum()).astype(np.float32),
        settings.smoothing,
    )


@dataclass(frozen=True, eq=False)
class _Pairs:
    """Every word of a passage beside every word of a question that it is relevant to.

    Parameters
    ----------
    keys : int array of shape (K,)
        The distinct pairs of words, s W + t, ascending.
    itself : int array of shape (W,)
        The pair of each word and itself.
    pair : int32 array of shape (E,)
        The pair of words of each entry.
    asked : int32 array of shape (E,)
        The occurrence of a question's word beside a passage to which each entry belongs.
    weights : array of shape (E,)
        P(s | p).
    empty : array of shape (occurrences,)
        The weight of the null word at each occurrence.

    """

    keys: IntArray
    itself: IntArray
    pair: NDArray[np.int32]
    asked: NDArray[np.int32]
    weights: DoubleArray
    empty: DoubleArray

    @classmethod
    def of(cls, judged: JudgedTexts) -> _Pairs:
        size = len(judged.words)
        rows, columns = judged.relevant.nonzero()
        questions, passages = judged.questions, judged.passages
        beside, asked = entries(questions.indptr, rows)
        occurrence, said = entries(passages.indptr, columns[beside])
        target = questions.indices[asked].astype(np.int64)
        own = np.arange(size, dtype=np.int64) * (size + 1)
        found = passages.indices[said].astype(np.int64) * size + target[occurrence]
        keys, places = np.unique(np.concatenate([found, own]), return_inverse=True)
        often = np.asarray(questions.sum(axis=0), np.float64).ravel()
        empty = EMPTY * often[target] / max(often.sum(), 1)
        return cls(
            keys,
            places[len(found) :],
            # In 4 bytes each, since there are very many entries.
            places[: len(found)].astype(np.int32),
            occurrence.astype(np.int32),
            passages.data[said].astype(np.float64),
            empty,
        )

    def improved(self, chances: DoubleArray, prior: float) -> DoubleArray:
        """Return the probabilities after one round of expectation maximisation, shape (K,)."""
        likely = chances[self.pair] * self.weights
        explained = np.bincount(self.asked, likely, len(self.empty)) + self.empty
        # Without any pair, NumPy counts in integers.
        counts = np.bincount(self.pair, likely / explained[self.asked], len(self.keys)).astype(np.float64)
        counts[self.itself] += prior
        source = self.keys // max(len(self.itself), 1)
        improved: DoubleArray = counts / np.bincount(source, counts)[source]
        return improved
