"""The table from the words of passages to those of questions, and its files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rulerank.arrays import FloatArray, load_arrays, save_arrays
from rulerank.files import read_json, write_json
from rulerank.ragged import Ragged, ragged_from

WORDS = "words.json"


@dataclass(frozen=True, eq=False)
class TranslationTable:
    """How passages put the words of questions, independent of any corpus.

    Parameters
    ----------
    words : mapping of str to int
        Number of each of W words, of questions and of passages.
    sources : Ragged
        For each word of a question, t, the words s of passages that may stand for it, with T(t | s).
    frequencies : array of shape (W,)
        P(t), above 0. A word outside the table is as rare as the rarest in it.
    smoothing : float
        The weight l.

    """

    words: Mapping[str, int]
    sources: Ragged
    frequencies: FloatArray
    smoothing: float

    def save(self, folder: Path) -> None:
        """Write the table into a new folder."""
        of_words = {"frequencies": self.frequencies, "smoothing": np.array([self.smoothing], np.float32)}
        save_arrays(folder, {**self.sources.arrays("sources"), **of_words})
        write_json(folder / WORDS, list(self.words))


def load_table(folder: Path) -> TranslationTable:
    """Read what `TranslationTable.save` wrote."""
    arrays = load_arrays(folder)
    words = {word: row for row, word in enumerate(read_json(folder / WORDS))}
    frequencies, smoothing = arrays["frequencies"].astype(np.float32), float(arrays["smoothing"][0])
    return TranslationTable(words, ragged_from(arrays, "sources"), frequencies, smoothing)
