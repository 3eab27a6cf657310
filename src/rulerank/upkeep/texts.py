"""Passages compared with those already indexed, to find the texts that must be read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from rulerank.arrays import FloatArray, IntArray
from rulerank.retrieve.generator import Material
from rulerank.tables import has_text
from rulerank.text import duties


@dataclass(frozen=True, eq=False)
class Compared:
    """Which texts of some passages are new, and where the text of each passage is found.

    Parameters
    ----------
    new : list of str
        The texts that no indexed passage has, each once, shortest first.
    rows : int array of shape (passages,)
        For each, an indexed passage with its text, or, numbered after those, the place of its text in `new`;
        -1 for a heading.
    indexed : int
        The number of passages that they were compared with.

    """

    new: list[str]
    rows: IntArray
    indexed: int


def compared(texts: Sequence[str], indexed: Sequence[str]) -> Compared:
    """Compare the texts of passages with those that are indexed."""
    places = {text: row for row, text in reversed(list(enumerate(indexed)))}
    stated = has_text(pl.DataFrame({"text": texts}, schema={"text": pl.String}))
    said = {text for text, kept in zip(texts, stated, strict=True) if kept}
    new = sorted(said - places.keys(), key=lambda text: (len(text), text))
    places |= {text: row for row, text in enumerate(new, start=len(indexed))}
    rows = [places[text] if kept else -1 for text, kept in zip(texts, stated, strict=True)]
    return Compared(new, np.array(rows, np.int64), len(indexed))


@dataclass(frozen=True, eq=False, kw_only=True)
class KnownMaterial(Material):
    """Material of which some texts have been read before.

    Parameters
    ----------
    texts : Compared
        The passages, compared with those that are indexed.
    known : mapping of str to array
        The static facts of the indexed passages, as in `rulerank.features.static.static_facts`.

    """

    texts: Compared
    known: Mapping[str, FloatArray]

    @cached_property
    def duties(self) -> Mapping[str, FloatArray]:
        """Counts of each duty; new texts are counted, the others looked up."""
        found = duties(self.texts.new)
        return {
            name: np.concatenate([self.known[name], counts, [0]])[self.texts.rows].astype(np.float32)
            for name, counts in found.items()
        }
