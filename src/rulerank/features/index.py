"""Everything the features know of the passages, built once from the tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import polars as pl
from scipy import sparse

from rulerank.arrays import FloatArray, IntArray, normalise_rows
from rulerank.authority.shown import authority_facts, in_force_above, order_of_passages
from rulerank.authority.supersession import Supersession
from rulerank.features.evidence import JudgementIndex
from rulerank.features.static import static_facts
from rulerank.features.terms import TermIndex, build_terms, indexed_terms
from rulerank.graph.closure import Closure
from rulerank.graph.matrix import adjacency, adjacent, neighbours, parents
from rulerank.retrieve.dense import DenseIndex
from rulerank.retrieve.late import LateIndex
from rulerank.retrieve.search import SearchIndex
from rulerank.settings import Extract
from rulerank.text import analyse, bigrams


@dataclass(frozen=True, eq=False)
class RankingIndex:
    """N passages under every feature, in the order of the passages table.

    Parameters
    ----------
    passage_ids : polars.Series
        Their ids.
    search : SearchIndex
        The passages under the candidate generators.
    bigrams : TermIndex
        Adjacent term pairs of the passages.
    parents : array of shape (N,)
        Row of the parent, -1 for none.
    adjacent : array of shape (2, N)
        Row of the passage before and after in its document, -1 for none.
    neighbours : csr_array of shape (N, N)
        Graph neighbours, rows sum to 1.
    closure : Closure
        The walk along citation-bearing edges, both ways.
    authority : Supersession
        Which passage voids which.
    static : mapping of str to array of shape (N,)
        Facts that do not depend on a question.
    judgements : JudgementIndex
        What training questions were judged.
    late : LateIndex, optional
        The passages token by token.
    settings : Extract
        The section `extract` of params.yaml.

    """

    passage_ids: pl.Series
    search: SearchIndex
    bigrams: TermIndex
    parents: IntArray
    adjacent: IntArray
    neighbours: sparse.csr_array
    closure: Closure
    authority: Supersession
    static: Mapping[str, FloatArray]
    judgements: JudgementIndex
    late: LateIndex | None
    settings: Extract

    def __len__(self) -> int:
        return len(self.passage_ids)

    def voided_by(self, passage: int) -> tuple[str, ...]:
        """Return the ids of what is in force of those that void a passage, given by its row."""
        return tuple(self.passage_ids[in_force_above(self.authority, passage)])

    @cached_property
    def unigrams(self) -> TermIndex:
        """Terms of the passages."""
        return indexed_terms(self.search.bm25)

    @cached_property
    def context(self) -> TermIndex:
        """Terms of the passages and of the headings above them."""
        return indexed_terms(self.search.bm25_context)

    @cached_property
    def neighbour_means(self) -> FloatArray:
        """Mean of the neighbours' frozen embeddings, zeros for none, shape (N, dimension)."""
        return np.asarray(self.neighbours @ self.search.dense.encoded, np.float32)

    @cached_property
    def neighbour_centroids(self) -> FloatArray:
        """The same scaled to unit length."""
        return normalise_rows(self.neighbour_means)

    @cached_property
    def known(self) -> FloatArray:
        """Adapted embeddings of the training questions, shape (A, dimension)."""
        return self.search.dense.adapter.queries(self.judgements.embeddings)

    @cached_property
    def family(self) -> IntArray:
        """Number of the section each passage stands in: passages with one parent share it, shape (N,)."""
        alone = -2 - np.arange(len(self))
        return np.unique(np.where(self.parents >= 0, self.parents, alone), return_inverse=True)[1]

    def seen_through(self, dense: DenseIndex, known: FloatArray, late: LateIndex | None) -> RankingIndex:
        """Return the index as another encoder and adapter see it.

        Parameters
        ----------
        dense : DenseIndex
            The passages, for questions on which neither encoder nor adapter was trained.
        known : array of shape (A, dimension)
            That encoder's embeddings of the training questions with a text.
        late : LateIndex, optional
            The passages token by token, for the same questions.

        """
        return replace(
            self,
            search=replace(self.search, dense=dense),
            judgements=replace(self.judgements, embeddings=known),
            late=late,
        )


def build_index(
    passages: pl.DataFrame,
    edges: pl.DataFrame,
    centrality: pl.DataFrame,
    search: SearchIndex,
    judgements: JudgementIndex,
    late: LateIndex | None,
    settings: Extract,
) -> RankingIndex:
    """Build the index from the tables.

    Parameters
    ----------
    passages, edges : polars.DataFrame
        The two tables.
    centrality : polars.DataFrame
        passage_id, pagerank, hits_authority, degree.
    search : SearchIndex
        The same passages under the generators.
    judgements : JudgementIndex
        Training judgements.
    late : LateIndex, optional
        The same passages token by token.
    settings : Extract
        The section `extract` of params.yaml.

    """
    ids = passages["passage_id"]
    terms = analyse(passages["text"].to_list())
    above = parents(edges, ids).astype(np.int64)
    near = neighbours(edges, passages, settings.neighbours)
    authority = order_of_passages(edges, ids)
    lengths = np.array([len(each) for each in terms])
    static = static_facts(passages, centrality, above, lengths)
    return RankingIndex(
        passage_ids=ids,
        search=search,
        bigrams=build_terms([bigrams(each) for each in terms]),
        parents=above,
        adjacent=adjacent(passages),
        neighbours=near,
        closure=citing_walk(edges, ids, settings),
        authority=authority,
        static={
            **static,
            **authority_facts(authority),
            "neighbours": np.diff(near.indptr).astype(np.float32),
        },
        judgements=judgements,
        late=late,
        settings=settings,
    )


def citing_walk(edges: pl.DataFrame, passage_ids: pl.Series, settings: Extract) -> Closure:
    """Return the walk along the citation-bearing edges, both ways."""
    return Closure(adjacency(edges, passage_ids, settings.closure.edge_types, "both"))
