"""Everything the features know about the passages, built once from the tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import cast

import polars as pl

from rulerank.arrays import FloatArray
from rulerank.authority.shown import in_force_above
from rulerank.errors import SettingsError
from rulerank.features.judgement_index import JudgementIndex
from rulerank.features.surroundings import Surroundings
from rulerank.retrieve.bm25 import Bm25
from rulerank.retrieve.dense import Dense
from rulerank.retrieve.generator import BUILT_IN, Generator, Material, generator_class
from rulerank.retrieve.late import Late
from rulerank.retrieve.search import HYBRID, RRF
from rulerank.retrieve.translation import Shares, Translation
from rulerank.retrieve.translation_table import TranslationTable
from rulerank.settings import Candidates, Extract

DESCRIBED = ("bm25", "bm25_context", "dense")
"""The generators from whose scores features are made, whichever generators find candidates."""

TRAINED = ("dense", "late")
"""The generators that learn from judgements. There is one of each per fold."""

RESERVED = frozenset({*BUILT_IN, RRF, HYBRID})
"""Names of runs that no generator from outside the package may use."""


@dataclass(frozen=True, eq=False)
class RankingIndex:
    """N passages under every generator and feature, in the order of the passages table.

    Parameters
    ----------
    passage_ids : polars.Series
        Their ids.
    generators : mapping of str to Generator
        By name: those of `DESCRIBED`, those that find candidates, and `late` if it is used.
    around : Surroundings
        The places of the passages.
    judgements : JudgementIndex
        The judgements of training questions.
    centroid_lengths : array of shape (N,)
        Length of the mean of each passage's graph neighbours under the pretrained encoder, 1 for none.
    translation : Translation or None
        The passages in the words of questions, if a table was learned.
    settings : Extract
        The section `extract` of params.yaml.

    """

    passage_ids: pl.Series
    generators: Mapping[str, Generator]
    around: Surroundings
    judgements: JudgementIndex
    centroid_lengths: FloatArray
    translation: Translation | None
    settings: Extract

    def __len__(self) -> int:
        return len(self.around.has_text)

    @property
    def bm25(self) -> Bm25:
        """BM25 over the passages' own text."""
        return cast("Bm25", self.generators["bm25"])

    @property
    def bm25_context(self) -> Bm25:
        """BM25 over the passages with the headings above them."""
        return cast("Bm25", self.generators["bm25_context"])

    @property
    def dense(self) -> Dense:
        """The generator over the passages' embeddings."""
        return cast("Dense", self.generators["dense"])

    @property
    def late(self) -> Late | None:
        """The late-interaction generator, which compares token by token, if it is used."""
        return cast("Late | None", self.generators.get("late"))

    @property
    def translation_table(self) -> TranslationTable | None:
        """The table from words of passages to those of questions, if one was learned."""
        return None if self.translation is None else self.translation.table

    @cached_property
    def plugged_in(self) -> tuple[str, ...]:
        """Names of the generators from outside the package."""
        return tuple(name for name in self.generators if name not in (*DESCRIBED, "late", "closure"))

    def finding(self, settings: Candidates) -> list[Generator]:
        """Return the generators that find candidates, in the order of `settings.runs`."""
        return [self.generators[generator_class(run).name] for run in settings.runs]

    def voided_by(self, passage: int) -> tuple[str, ...]:
        """Return the ids of the passages in force among those that void a passage, identified by its row."""
        above = in_force_above(self.around.authority, passage)
        return tuple(self.passage_ids[above]) if above else ()


def ranking_index(
    passage_ids: pl.Series,
    generators: Mapping[str, Generator],
    around: Surroundings,
    judgements: JudgementIndex,
    table: TranslationTable | None,
    settings: Extract,
) -> RankingIndex:
    """Combine the parts, and compute what follows from several of them.

    Parameters
    ----------
    passage_ids, generators, around, judgements, settings
        As in `RankingIndex`.
    table : TranslationTable or None
        The table from words of passages to those of questions, if one was learned.

    """
    dense = cast("Dense", generators["dense"])
    lengths = dense.mean_lengths(around.neighbours)
    translation = translated(table, generators, around)
    return RankingIndex(passage_ids, generators, around, judgements, lengths, translation, settings)


def translated(
    table: TranslationTable | None, generators: Mapping[str, Generator], around: Surroundings
) -> Translation | None:
    """Return the passages under a table, if there is one."""
    if table is None:
        return None
    return Translation(table, Shares(cast("Bm25", generators["bm25"]), around.masses))


def build_generators(material: Material, runs: Iterable[str], settings: Candidates) -> dict[str, Generator]:
    """Build each generator once, named as in `candidates.runs`, all from the same material.

    Raises
    ------
    SettingsError
        A generator from outside the package has the name of another run.

    """
    classes: dict[str, type[Generator]] = {}
    for run in dict.fromkeys(runs):
        each = generator_class(run)
        if (run not in BUILT_IN and each.name in RESERVED) or each.name in classes:
            raise SettingsError(
                f"candidates.runs: expected a generator with a name of its own, found {run} with the name "
                f"{each.name!r} of another run. Rename it."
            )
        classes[each.name] = each
    return {name: each.build(material, settings) for name, each in classes.items()}
