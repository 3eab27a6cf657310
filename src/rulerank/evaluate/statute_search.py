"""SearchFireSafety's untrained retrieval: runs over prefixed texts, their fusion, and links."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from rulerank.arrays import BoolArray, FloatArray
from rulerank.graph.adjacency import adjacency
from rulerank.graph.build import curated
from rulerank.graph.citations import fitting_grammar, references_in
from rulerank.ragged import Ragged
from rulerank.retrieve.bm25 import Bm25
from rulerank.retrieve.dense import Dense
from rulerank.retrieve.embedded import Adapter, EmbeddedPassages
from rulerank.retrieve.fusion import reciprocal_ranks
from rulerank.retrieve.hits import NOTHING, Hits, best_hits, union
from rulerank.retrieve.links import StructureAware, with_links
from rulerank.retrieve.queries import Queries
from rulerank.retrieve.term_weights import Terms
from rulerank.retrieve.tfidf import TfIdf
from rulerank.settings import Bm25 as Bm25Settings

DEPTH = 100
SPARSE, DENSE = 0.1, 0.9
"""Weights of BM25 and the dense run in their fusion by rank."""
RRF_K = 5
K1, B = 1.5, 0.75


@dataclass(frozen=True, eq=False)
class StatuteSearch:
    """The runs over N passages.

    Parameters
    ----------
    tfidf, bm25, dense
        The generators.
    directed, undirected : Ragged
        What each passage links to, and what it links to or is linked from.

    """

    tfidf: TfIdf
    bm25: Bm25
    dense: Dense
    directed: Ragged
    undirected: Ragged

    @classmethod
    def build(
        cls, terms: Terms, vectors: FloatArray, has_text: BoolArray, links: pl.DataFrame, ids: pl.Series
    ) -> StatuteSearch:
        """Index passages.

        Parameters
        ----------
        terms : sequence of sequences of str
            The analysed texts, prefixed.
        vectors : array of shape (N, dimension)
            Their embeddings, with unit rows.
        has_text : boolean array of shape (N,)
            Which passages can be found.
        links : polars.DataFrame
            Edges of type REFERENCES.
        ids : polars.Series
            The ids of the passages.

        """
        untrained = np.zeros((vectors.shape[1], vectors.shape[1]), np.float32)
        embedded = EmbeddedPassages(vectors, Adapter(untrained, untrained), None)
        return cls(
            TfIdf.of_passages(terms, has_text),
            Bm25.of_terms(terms, has_text, Bm25Settings(k1=K1, b=B)),
            Dense.of(embedded, has_text),
            adjacency(links, ids, ["REFERENCES"]),
            adjacency(links, ids, ["REFERENCES"], "both"),
        )

    def runs(self, queries: Queries) -> dict[str, Hits]:
        """Return the first 100 passages of each run: three generators, two fusions, links, reranking."""
        found = {
            generator.name: generator.search(queries, DEPTH, NOTHING)
            for generator in (self.tfidf, self.bm25, self.dense)
        }
        bm25, dense = found["bm25"], found["dense"]
        found["rrf"] = self._fused(bm25, dense, (1, 1))
        found["wrrf"] = self._fused(bm25, dense, (SPARSE, DENSE))
        rerank = StructureAware(pool=DEPTH)
        return found | {
            "dense + links": with_links(dense, self.directed, DEPTH),
            "wrrf + links": with_links(found["wrrf"], self.directed, DEPTH),
            "structure-aware, directed": rerank(dense, self.directed),
            "structure-aware, undirected": rerank(dense, self.undirected),
        }

    def _fused(self, sparse: Hits, dense: Hits, weights: Sequence[float]) -> Hits:
        width = len(self.bm25)
        rows, columns = union([sparse, dense], width)
        ranks = [hits.ranks_of(rows, columns, width) for hits in (sparse, dense)]
        return best_hits(rows, columns, reciprocal_ranks(ranks, weights, RRF_K), DEPTH)


def links_of(
    passages: pl.DataFrame, documents: pl.DataFrame, references: pl.DataFrame | None
) -> pl.DataFrame:
    """Return the curated references, or those read from the text by the grammar of its language."""
    listed = curated(references, passages)
    if listed is not None:
        return listed
    grammar = fitting_grammar("auto", passages["text"].to_list())
    return references_in(passages, documents, grammar)
