"""Made-up words, and passages of them: with frequencies by Zipf's law, and slightly clustered by topic."""

from __future__ import annotations

from itertools import islice, product

import numpy as np
import polars as pl
from numpy.typing import NDArray

from rulerank.arrays import BoolArray, IntArray

VOCABULARY = 50_000
EXPONENT, SHIFT = 1.0, 5.0
"""Zipf's law in Mandelbrot's form, p(rank) ~ (rank + shift)^-exponent; the first word is 2 % of a text."""

MEDIAN, SPREAD, LONGEST = 22.0, 0.95, 400
"""Words of a passage: log-normal, with a mean of 35, as in ObliQA."""

ON_TOPIC = 0.3
"""Share of a passage's words that its topic makes frequent."""

STRIDE = 37
"""Ranks from the frequent words of one topic to those of the next."""

Words = NDArray[np.int32]


def vocabulary(size: int = VOCABULARY) -> list[str]:
    """Return words by rank, each of three syllables that no stemmer shortens: bakokak, bakokam, ..."""
    syllables = [first + second for first in "bdfgklmprtvz" for second in "aou"]
    return [
        "".join(parts) + last
        for *parts, last in islice(product(syllables, syllables, syllables, "kmp"), size)
    ]


def lengths(generator: np.random.Generator, has_text: BoolArray) -> IntArray:
    """Draw the number of words of each passage, 0 if it has no text."""
    drawn = generator.lognormal(np.log(MEDIAN), SPREAD, len(has_text)).astype(np.int64)
    return np.where(has_text, np.clip(drawn, 1, LONGEST), 0)


def words(generator: np.random.Generator, topics: IntArray) -> Words:
    """Draw one word for each given topic: its rank in the vocabulary, shape (words,)."""
    weights = (np.arange(VOCABULARY) + 1 + SHIFT) ** -EXPONENT
    ranks = np.searchsorted(np.cumsum(weights / weights.sum()), generator.random(len(topics)))
    on_topic = generator.random(len(topics)) < ON_TOPIC
    shifted = np.where(on_topic, ranks + STRIDE * topics, ranks) % VOCABULARY
    return shifted.astype(np.int32)


def texts(drawn: Words, counts: IntArray, known: pl.Series) -> pl.Series:
    """Join drawn words into passages.

    Parameters
    ----------
    drawn : array of shape (words,)
        Ranks, passage by passage.
    counts : array of shape (passages,)
        Words of each passage.
    known : polars.Series
        The vocabulary.

    """
    rows = pl.DataFrame({"row": np.repeat(np.arange(len(counts)), counts), "word": known.gather(drawn)})
    joined = rows.group_by("row", maintain_order=True).agg(pl.col("word").str.join(" "))
    every = pl.DataFrame({"row": np.arange(len(counts))})
    return every.join(joined, on="row", how="left", maintain_order="left")["word"].fill_null("")
