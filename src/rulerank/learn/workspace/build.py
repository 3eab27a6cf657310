"""What is built from the outputs of the stages: indices, and questions with what serves them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import polars as pl
from scipy import sparse

from rulerank.arrays import FloatArray, IntArray
from rulerank.features.evidence import JudgementIndex, build_judgement_index
from rulerank.features.extract import UNSEEN
from rulerank.features.index import RankingIndex, build_index, citing_walk
from rulerank.graph.closure import Closure
from rulerank.learn.folds import FULL, without_fold
from rulerank.learn.workspace.outputs import GRAPH, Outputs
from rulerank.retrieve.bm25 import build_bm25
from rulerank.retrieve.context import headings
from rulerank.retrieve.dense import DenseIndex
from rulerank.retrieve.late import LateIndex, build_late
from rulerank.retrieve.queries import Queries, prepare_queries
from rulerank.retrieve.search import SearchIndex
from rulerank.settings import Settings
from rulerank.text import analyse


@dataclass(frozen=True, eq=False)
class Asked:
    """Questions that one encoder and adapter serve.

    Parameters
    ----------
    dense : DenseIndex
        The passages under an encoder and an adapter trained without the judgements of these questions.
    known : array of shape (A, dimension)
        That encoder's embeddings of the training questions with a text.
    adapter : str
        The adapter's name; the late-interaction maps of that name have not seen those judgements either.
    queries : Queries
        The questions.
    held_out : array of shape (queries,)
        Their clusters, whose judgements stay out of their features.

    """

    dense: DenseIndex
    known: FloatArray
    adapter: str
    queries: Queries
    held_out: IntArray


class Workspace(Outputs):
    """The outputs of a pipeline run, and what later stages build from them."""

    def relevant(self, queries: pl.DataFrame) -> sparse.csr_array:
        """Return 1 where a passage is relevant to a question, shape (queries, N)."""
        return self.marked(self.judgements.filter(pl.col("relevance") > 0), queries)

    def marked(self, pairs: pl.DataFrame, queries: pl.DataFrame) -> sparse.csr_array:
        """Return 1 where question and passage are a pair of the frame, shape (queries, N)."""
        rows = pl.DataFrame({"query_id": queries["query_id"], "row": np.arange(queries.height)})
        columns = self.passages.select("passage_id").with_row_index("column")
        kept = pairs.join(rows, on="query_id").join(columns, on="passage_id")
        places = kept["row"].to_numpy(), kept["column"].to_numpy()
        shape = queries.height, columns.height
        return sparse.csr_array((np.ones(kept.height, np.float32), places), shape=shape)

    def dense_index(self, adapter: str) -> DenseIndex:
        """Return the passages under an adapter and the encoder that goes with it."""
        return DenseIndex(self.passages_by(adapter), self.adapters[adapter], self.latent)

    def late_index(self, name: str) -> LateIndex | None:
        """Return the passages token by token by maps of the name of an adapter."""
        if not self.late_maps:
            return None
        return build_late(self.tokens_of("passages"), self.late_maps[name], self.token_arrays["axes"])

    def search_index(self, settings: Settings, dense: DenseIndex) -> SearchIndex:
        """Build the passages' index under every generator, the dense one as given."""
        texts = self.passages["text"].to_list()
        paths = headings(self.passages, self.documents, self.parents)
        contexts = [f"{path}\n{text}" for path, text in zip(paths, texts, strict=True)]
        return SearchIndex(
            self.has_text,
            build_bm25(analyse(texts), settings.candidates.bm25),
            build_bm25(analyse(contexts), settings.candidates.bm25),
            dense,
        )

    def closure(self, settings: Settings) -> Closure:
        """Return the walk through the passages' citations."""
        return citing_walk(self.edges, self.passages["passage_id"], settings.extract)

    def ranking_index(self, settings: Settings) -> RankingIndex:
        """Build everything the features look at."""
        centrality = pl.read_parquet(GRAPH / "centrality.parquet")
        search = self.search_index(settings, self.dense_index(FULL))
        return build_index(
            self.passages,
            self.edges,
            centrality,
            search,
            self._judgement_index(),
            self.late_index(FULL),
            settings.extract,
        )

    def served(self) -> Iterator[Asked]:
        """Yield the training questions by fold and then the validation questions, each with its encoder."""
        training = self.asked("train")
        for (fold,), part in training.group_by("fold", maintain_order=True):
            clusters = part["cluster"].to_numpy().astype(np.int64)
            yield self._served(part, without_fold(int(str(fold))), clusters)
        validation = self.asked("validation")
        yield self._served(validation, FULL, np.full(validation.height, UNSEEN))

    def _served(self, queries: pl.DataFrame, adapter: str, held_out: IntArray) -> Asked:
        vectors = self.queries_by(adapter)
        rows = queries["row"].to_numpy()
        tokens = self.tokens_of("queries").take(rows.astype(np.int64)) if self.late_maps else None
        prepared = prepare_queries(
            queries["query_id"].to_list(), queries["text"].to_list(), vectors[rows], tokens
        )
        known = vectors[self.asked("train")["row"].to_numpy()]
        return Asked(self.dense_index(adapter), known, adapter, prepared, held_out)

    def _judgement_index(self) -> JudgementIndex:
        training = self.queries.filter(pl.col("split") == "train")
        known = training["text"].is_not_null().to_numpy()
        return build_judgement_index(
            self.judgements,
            self.passages["passage_id"],
            training["query_id"].to_list(),
            training["cluster"].to_numpy().astype(np.int64),
            np.flatnonzero(known),
            self.queries_by(FULL)[self.asked("train")["row"].to_numpy()],
        )
