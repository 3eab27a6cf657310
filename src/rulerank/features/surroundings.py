"""The places of the passages, and what is known about them before any question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from rulerank.arrays import BoolArray, FloatArray, IntArray
from rulerank.authority.shown import authority_facts, order_of_passages, superseders
from rulerank.authority.supersession import Supersession
from rulerank.features.definitions import Definitions, build_definitions
from rulerank.features.static import static_facts
from rulerank.features.terms import Bigrams, build_bigrams
from rulerank.graph.adjacency import (
    adjacency,
    adjacent,
    ancestors,
    document_numbers,
    neighbours,
    section_numbers,
)
from rulerank.graph.closure import Closure
from rulerank.ragged import Ragged
from rulerank.retrieve.bm25 import Bm25
from rulerank.retrieve.generator import Material
from rulerank.retrieve.translation import masses
from rulerank.settings import Extract


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
    near = neighbours(edges, passages, settings.neighbours)
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
