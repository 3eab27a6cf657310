"""Documents, their sections, and citations between passages."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from rulerank.arrays import BoolArray, IntArray
from rulerank.tables import DOCUMENT_NODE, EDGES

SMALLEST, GREATEST = 100, 500
"""Passages per document, drawn uniformly."""

CHAPTER, SECTION = 50, 7
"""Passages per chapter, starting with its heading, and per section, starting with its own heading."""

CITING, WITHIN, NEAR = 0.055, 0.8, 100
"""Share of passages that cite, share of citations that are near, and the greatest distance of a near one."""

SUPERSEDING = 0.0005
"""Share of the passages that supersede an earlier one."""


@dataclass(frozen=True)
class Structure:
    """The positions of N passages.

    Parameters
    ----------
    document, place : arrays of shape (N,)
        Number of the document, and place in it, from 0.
    parent : array of shape (N,)
        Row of the section above, -1 for a chapter.
    has_text : array of shape (N,)
        Chapters and every third section of one are headings without text.

    """

    document: IntArray
    place: IntArray
    parent: IntArray
    has_text: BoolArray

    def __len__(self) -> int:
        return len(self.document)


def structure(generator: np.random.Generator, passages: int) -> Structure:
    """Draw documents until they hold `passages` passages; the last document is truncated."""
    sizes = generator.integers(SMALLEST, GREATEST + 1, passages // SMALLEST + 1)
    document = np.repeat(np.arange(len(sizes)), sizes)[:passages]
    row = np.arange(passages)
    place = row - np.searchsorted(document, document)
    _, section, item = numbers(place)
    above = np.where(item > 0, row - item, row - place % CHAPTER)
    return Structure(document, place, np.where(section > 0, above, -1), (section % 3 > 0) | (item > 0))


def numbers(place: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Return chapter, section and item of places in a document; section and item 0 for a heading."""
    inside = place % CHAPTER
    section = (inside - 1) // SECTION + 1
    return place // CHAPTER + 1, section, np.where(inside > 0, (inside - 1) % SECTION, 0)


def section_ids(place: IntArray) -> pl.Series:
    """Return the dotted section numbers of places in a document: 1, 1.1, 1.1.1, 1.1.2, ..."""
    names = ("chapter", "section", "item")
    parts = pl.DataFrame(dict(zip(names, numbers(place), strict=True)))
    stated = [pl.when(pl.col(name) > 0).then(pl.col(name).cast(pl.String)) for name in names]
    return parts.select(pl.concat_str(stated, separator=".", ignore_nulls=True).alias("section"))["section"]


def edges(
    generator: np.random.Generator, made: Structure, ids: pl.Series, documents: pl.Series
) -> pl.DataFrame:
    """Return the edges table: what contains what, citations near and far, what supersedes what."""
    row, size = np.arange(len(made)), len(made)
    below = row[made.parent >= 0]
    cites = row[generator.random(size) < CITING]
    near = cites + generator.integers(-NEAR, NEAR + 1, len(cites))
    far = generator.integers(0, size, len(cites))
    cited = np.where(generator.random(len(cites)) < WITHIN, np.clip(near, 0, size - 1), far)
    later = row[1:][generator.random(max(size - 1, 0)) < SUPERSEDING]
    parts = [
        _edges(DOCUMENT_NODE + documents, ids, "CONTAINS"),
        _edges(ids.gather(made.parent[below]), ids.gather(below), "PARENT_OF"),
        _edges(ids.gather(cites[cites != cited]), ids.gather(cited[cites != cited]), "REFERENCES"),
        # Later passages supersede earlier ones, so there is no cycle.
        _edges(ids.gather(later), ids.gather(generator.integers(0, later)), "SUPERSEDES"),
    ]
    return EDGES.check(pl.concat(parts), "generated edges")


def _edges(sources: pl.Series, targets: pl.Series, kind: str) -> pl.DataFrame:
    return pl.DataFrame({"source_id": sources, "target_id": targets}).with_columns(
        type=pl.lit(kind), evidence=pl.lit("")
    )
