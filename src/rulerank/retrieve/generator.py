"""The one place where candidate generators plug in.

A generator finds passages for questions and scores given pairs exactly. To add one, write a class with the
methods of `Generator` and name it in `candidates.runs` of params.yaml by its dotted name in quotes,
"package.module:Class". (DVC cannot read it without quotes.) It then finds candidates, has the features that
every run has, and is stored in the exported ranker. Once `NAMED` in `tests/retrieve/material.py` has its
dotted name, the suite in `tests/retrieve/test_generators.py` tests it, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Protocol, Self

import numpy as np
import polars as pl

from rulerank.arrays import BoolArray, FloatArray, IntArray
from rulerank.errors import SettingsError
from rulerank.graph.adjacency import parents
from rulerank.retrieve.context import headings
from rulerank.retrieve.hits import Found, Hits
from rulerank.retrieve.queries import Queries
from rulerank.settings import BUILT_IN_RUNS, Candidates
from rulerank.tables import has_text
from rulerank.text import Analyser, analyse, duties

if TYPE_CHECKING:
    from rulerank.retrieve.embedded import EmbeddedPassages
    from rulerank.retrieve.matched import Matched


@dataclass(frozen=True, eq=False)
class Material:
    """What a generator is built from: N passages and their surroundings.

    Parameters
    ----------
    passages, documents, edges : polars.DataFrame
        The tables of these names.
    embedded : EmbeddedPassages, optional
        The input of `dense`, trained for the questions that it will serve.
    matched : Matched, optional
        The same for `late`.
    analyser : Analyser, optional
        Turns texts into terms; the questions use the same one.

    """

    passages: pl.DataFrame
    documents: pl.DataFrame
    edges: pl.DataFrame
    embedded: EmbeddedPassages | None = None
    matched: Matched | None = None
    analyser: Analyser = analyse

    @cached_property
    def has_text(self) -> BoolArray:
        """Whether each passage can be a candidate, shape (N,); a heading without text cannot."""
        return has_text(self.passages).to_numpy()

    @cached_property
    def parents(self) -> IntArray:
        """Row of each passage's parent, -1 for none, shape (N,)."""
        return parents(self.edges, self.passages["passage_id"]).astype(np.int64)

    @cached_property
    def terms(self) -> list[list[str]]:
        """Analysed terms of each passage."""
        return self.analyser(self.passages["text"].to_list())

    @cached_property
    def duties(self) -> Mapping[str, FloatArray]:
        """How many sentences of each passage state each duty, arrays of shape (N,)."""
        counts = duties(self.passages["text"].to_list())
        return {name: np.array(found, np.float32) for name, found in counts.items()}

    @cached_property
    def context_terms(self) -> list[list[str]]:
        """Analysed terms of each passage and of the headings above it."""
        paths = headings(self.passages, self.documents, self.parents)
        return [above + own for above, own in zip(self.analyser(paths), self.terms, strict=True)]


class Generator(Protocol):
    """A way to find the passages that may answer a question."""

    name: ClassVar[str]
    """The name of its run in tables, reports and features."""
    floor: ClassVar[float]
    """The score of a passage that the generator does not score."""

    @classmethod
    def build(cls, material: Material, settings: Candidates) -> Self:
        """Index the passages."""

    def search(self, queries: Queries, depth: int, found: Found) -> Hits:
        """Return the first `depth` passages of each question, without those at the floor.

        Parameters
        ----------
        queries : Queries
            The questions.
        depth : int
            Maximum number of hits per question. Ties are in the order of the passages.
        found : mapping of str to Hits
            The hits of the runs before it, for a generator that continues from there.

        """

    def score(self, queries: Queries, rows: IntArray, columns: IntArray, found: Found) -> FloatArray:
        """Return the exact scores of given pairs, shape (pairs,); the floor or NaN for what cannot be found.

        Parameters
        ----------
        queries, found
            As for `search`.
        rows, columns : int arrays of shape (pairs,)
            Question and passage of each pair, question by question. A pair's score depends on no other pair,
            and equal passages score the same.

        """

    def save(self, folder: Path) -> None:
        """Write the generator into a new folder."""

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote; arrays are mapped into memory, not read."""

    def __len__(self) -> int:
        """Return the number of passages that it indexes, N, including headings."""


BUILT_IN = {
    "bm25": "rulerank.retrieve.bm25:Bm25",
    "bm25_context": "rulerank.retrieve.bm25:ContextBm25",
    "dense": "rulerank.retrieve.dense:Dense",
    "late": "rulerank.retrieve.late:Late",
    "closure": "rulerank.retrieve.citing:Citing",
}
"""The package's own generators by name; any other is named by its dotted name."""


def generator_class(run: str) -> type[Generator]:
    """Return the class of a generator that `candidates.runs` names.

    Raises
    ------
    SettingsError
        No class has that name, or it lacks a method of `Generator`.

    """
    module, _, name = BUILT_IN.get(run, run).partition(":")
    try:
        found = getattr(import_module(module), name)
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        raise SettingsError(
            f"candidates.runs: expected one of {', '.join(BUILT_IN_RUNS)} or a dotted name such as "
            f"package.module:Class, found {run!r} ({error}). Correct the name, or install its package."
        ) from error
    lacking = [
        part
        for part in ("name", "floor", "build", "search", "score", "save", "load", "__len__")
        if not hasattr(found, part)
    ]
    if lacking:
        raise SettingsError(
            f"candidates.runs: expected {run} to be a generator, found no {', '.join(lacking)} in it. "
            "See rulerank.retrieve.generator.Generator."
        )
    generator: type[Generator] = found
    return generator
