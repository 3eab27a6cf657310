"""Everything the features know about the passages, built once from the tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import cast

import numpy as np
import polars as pl

from rulerank.arrays import BoolArray, FloatArray, IntArray
from rulerank.authority.shown import authority_facts, in_force_above, order_of_passages, superseders
from rulerank.authority.supersession import Supersession
from rulerank.errors import SettingsError
from rulerank.features.definitions import Definitions, build_definitions
from rulerank.features.judgement_index import JudgementIndex
from rulerank.features.static import static_facts
from rulerank.features.terms import Bigrams, build_bigrams
from rulerank.graph.closure import Closure
from rulerank.graph.matrix import (
    adjacency,
    adjacent,
    ancestors,
    document_numbers,
    neighbours,
    section_numbers,
)
from rulerank.ragged import Ragged, ragged
from rulerank.retrieve.bm25 import Bm25
from rulerank.retrieve.dense import Dense
from rulerank.retrieve.generator import BUILT_IN, Generator, Material, generator_class
from rulerank.retrieve.late import Late
from rulerank.retrieve.search import HYBRID, RRF
from rulerank.retrieve.translation import Shares, Translation, masses
from rulerank.retrieve.translation_table import TranslationTable
from rulerank.settings import Candidates, Extract

DESCRIBED = ("bm25", "bm25_context", "dense")
"""The generators from whose scores features are made, whichever generators find candidates."""

TRAINED = ("dense", "late")
"""The generators that learn from judgements. There is one of each per fold."""

RESERVED = frozenset({*BUILT_IN, RRF, HYBRID})
"""Names of runs that no generator from outside the package may use."""


@dataclass(frozen=True, eq=False)
class Surroundings:
    """The place of each of N passages, and what is known about it before any question.

    Parameters
    ----------
    has_text : boolean array of shape (N,)
        Whether each passage can be a candidate.
    documents, sections : int arrays of shape (N,)
        Number of the document of each passage, and of its section. A section is the passages of one parent.
    parents : int array of shape (N,)
        Row of the parent, -1 for none.
    ancestors : Ragged
        The rows above each passage, from its parent up.
    adjacent : int array of shape (2, N)
        Rows of the passages before and after it in its document, -1 for none.
    neighbours : Ragged
        Graph neighbours, whose weights sum to 1.
    closure : Closure
        The walk along citation-bearing edges, in both directions.
    authority : Supersession
        Which passage voids which.
    superseders : Ragged
        For each passage, all passages that supersede it.
    bigrams : Bigrams
        Adjacent term pairs of the passages.
    definitions : Definitions
        The corpus's defined terms.
    lengths : array of shape (N,)
        Length of each passage's vector of idf weights.
    masses : array of shape (N,)
        Sum of the saturated frequencies of each passage's terms, as in `rulerank.retrieve.translation`.
    static : mapping of str to array of shape (N,)
        Facts that do not depend on a question.

    """

    has_text: BoolArray
    documents: IntArray
    sections: IntArray
    parents: IntArray
    ancestors: Ragged
    adjacent: IntArray
    neighbours: Ragged
    closure: Closure
    authority: Supersession
    superseders: Ragged
    bigrams: Bigrams
    definitions: Definitions
    lengths: FloatArray
    masses: FloatArray
    static: Mapping[str, FloatArray]

    @cached_property
    def section_sizes(self) -> FloatArray:
        """How many passages each section has."""
        return np.bincount(self.sections).astype(np.float32)


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
    """Combine the parts, and compute what follows from several of them."""
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


def build_surroundings(
    material: Material, centrality: pl.DataFrame, bm25: Bm25, settings: Extract
) -> Surroundings:
    """Build what is known about the passages.

    Parameters
    ----------
    material : Material
        The passages and what surrounds them.
    centrality : polars.DataFrame
        passage_id, pagerank, hits_authority, degree.
    bm25 : Bm25
        The passages' own terms.
    settings : Extract
        The section `extract` of params.yaml.

    """
    passages, edges, above = material.passages, material.edges, material.parents
    ids = passages["passage_id"]
    near = ragged(neighbours(edges, passages, settings.neighbours))
    over = ancestors(above)
    authority = order_of_passages(edges, ids)
    lengths = np.array([len(terms) for terms in material.terms])
    static = static_facts(passages, centrality, lengths, material.duties)
    owner, terms, _ = bm25.holdings.take(np.arange(len(ids)))
    squares = np.bincount(owner, bm25.idf[terms].astype(np.float64) ** 2, len(ids))
    return Surroundings(
        has_text=material.has_text,
        documents=document_numbers(passages),
        sections=section_numbers(above),
        parents=above,
        ancestors=over,
        adjacent=adjacent(passages),
        neighbours=near,
        closure=Closure(adjacency(edges, ids, settings.closure.edge_types, "both")),
        authority=authority,
        superseders=superseders(authority),
        bigrams=build_bigrams(material.terms, bm25.vocabulary),
        definitions=build_definitions(edges, ids, material.analyser),
        lengths=np.sqrt(squares).astype(np.float32),
        masses=masses(bm25.holdings, bm25.postings.sizes),
        static={
            **static,
            "section_depth": over.sizes.astype(np.float32),
            **authority_facts(authority),
            "neighbours": near.sizes.astype(np.float32),
        },
    )
