"""What the stages of the pipeline leave for one another under `outputs/`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import polars as pl
from safetensors.numpy import load_file
from scipy import sparse

from rulerank.arrays import FloatArray, IntArray
from rulerank.features.evidence import JudgementIndex, build_judgement_index
from rulerank.features.extract import UNSEEN
from rulerank.features.index import RankingIndex, build_index, citing_walk
from rulerank.graph.closure import Closure
from rulerank.graph.matrix import parents
from rulerank.learn.adapters.storage import load_adapters, load_late_maps
from rulerank.learn.encoder.plan import EncoderPlan
from rulerank.learn.folds import FULL, without_fold
from rulerank.retrieve.bm25 import build_bm25
from rulerank.retrieve.context import headings
from rulerank.retrieve.dense import Adapter, DenseIndex
from rulerank.retrieve.late import LateIndex, LateMaps, build_late
from rulerank.retrieve.latent import LatentSpace, load_latent
from rulerank.retrieve.search import Queries, SearchIndex, prepare_queries
from rulerank.retrieve.tokens import Tokens
from rulerank.settings import Settings
from rulerank.tables import DOCUMENTS, EDGES, FOLDS, JUDGEMENTS, PASSAGES, QUERIES
from rulerank.text import analyse

OUTPUTS = Path("outputs")
TABLES, GRAPH, DENSE = OUTPUTS / "tables", OUTPUTS / "graph", OUTPUTS / "dense"
ENCODERS, FIRST_PASSES = OUTPUTS / "encoder", OUTPUTS / "first_pass"
EMBEDDINGS, ADAPTERS = DENSE / "embeddings.safetensors", DENSE / "adapters.safetensors"
LATENT = DENSE / "latent.safetensors"
TOKENS, LATE_MAPS = OUTPUTS / "late/tokens.safetensors", OUTPUTS / "late/maps.safetensors"


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


class Workspace:
    """The tables and arrays of a pipeline run, read when they are first needed.

    The test split is not here: only the evaluation of an exported ranker reads it.
    """

    @cached_property
    def documents(self) -> pl.DataFrame:
        """The documents table."""
        return DOCUMENTS.read(TABLES / "documents.parquet")

    @cached_property
    def passages(self) -> pl.DataFrame:
        """The passages table, N rows."""
        return PASSAGES.read(TABLES / "passages.parquet")

    @cached_property
    def edges(self) -> pl.DataFrame:
        """The edges table."""
        return EDGES.read(GRAPH / "edges.parquet")

    @cached_property
    def queries(self) -> pl.DataFrame:
        """The training and validation questions, with cluster and fold."""
        queries = QUERIES.read(TABLES / "queries.parquet").filter(pl.col("split") != "test")
        folds = FOLDS.read(TABLES / "folds.parquet")
        return queries.join(folds, on="query_id", how="left", maintain_order="left", validate="1:1")

    @cached_property
    def judgements(self) -> pl.DataFrame:
        """The judgements of these questions."""
        judgements = JUDGEMENTS.read(TABLES / "judgements.parquet")
        return judgements.filter(pl.col("query_id").is_in(self.queries["query_id"].implode()))

    @cached_property
    def has_text(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Whether each passage can be a candidate, shape (N,)."""
        return (self.passages["text"].str.strip_chars() != "").to_numpy()

    @cached_property
    def parents(self) -> IntArray:
        """Row of each passage's parent, -1 for none, shape (N,)."""
        return parents(self.edges, self.passages["passage_id"]).astype(np.int64)

    @cached_property
    def encoders(self) -> EncoderPlan:
        """Which encoder serves which adapter."""
        return EncoderPlan.read(ENCODERS)

    @cached_property
    def embeddings(self) -> dict[str, FloatArray]:
        """Embeddings of every encoder: `passages.<encoder>`, and `queries.<encoder>` of those with a text."""
        return load_file(EMBEDDINGS)

    def queries_by(self, adapter: str) -> FloatArray:
        """Return the embeddings of the questions with a text that go with an adapter."""
        return self.embeddings[f"queries.{self.encoders.of_queries(adapter)}"]

    def passages_by(self, adapter: str) -> FloatArray:
        """Return the embeddings of the passages that go with an adapter."""
        return self.embeddings[f"passages.{self.encoders.of_passages(adapter)}"]

    def dense_index(self, adapter: str) -> DenseIndex:
        """Return the passages under an adapter and the encoder that goes with it."""
        return DenseIndex(self.passages_by(adapter), self.adapters[adapter], self.latent)

    @cached_property
    def latent(self) -> LatentSpace | None:
        """The latent space of the passages' terms, if the embeddings have one."""
        return load_latent(LATENT)

    @cached_property
    def adapters(self) -> dict[str, Adapter]:
        """The adapters, by name."""
        return load_adapters(ADAPTERS)

    @cached_property
    def late_maps(self) -> dict[str, LateMaps]:
        """The late-interaction maps, by name; none before they are trained, or without late interaction."""
        return load_late_maps(LATE_MAPS) if LATE_MAPS.is_file() else {}

    @cached_property
    def token_arrays(self) -> dict[str, np.ndarray]:
        """Reduced tokens of the `passages` and of the `queries` that have a text, and their `axes`."""
        return load_file(TOKENS)

    def tokens_of(self, kind: str) -> Tokens:
        """Return the reduced tokens of the `passages` or of the `queries` that have a text."""
        return Tokens(self.token_arrays[kind], self.token_arrays[f"{kind}.starts"])

    def late_index(self, name: str) -> LateIndex | None:
        """Return the passages token by token by maps of the name of an adapter."""
        if not self.late_maps:
            return None
        return build_late(self.tokens_of("passages"), self.late_maps[name], self.token_arrays["axes"])

    def asked(self, split: str) -> pl.DataFrame:
        """Return the questions of a split that have a text, with `row`, their place among the embeddings."""
        with_text = self.queries.filter(pl.col("text").is_not_null()).with_row_index("row")
        return with_text.filter(pl.col("split") == split)

    def relevant(self, queries: pl.DataFrame) -> sparse.csr_array:
        """Return 1 where a passage is relevant to a question, shape (queries, N)."""
        rows = pl.DataFrame({"query_id": queries["query_id"], "row": np.arange(queries.height)})
        columns = self.passages.select("passage_id").with_row_index("column")
        kept = self.judgements.filter(pl.col("relevance") > 0).join(rows, on="query_id")
        kept = kept.join(columns, on="passage_id")
        places = kept["row"].to_numpy(), kept["column"].to_numpy()
        shape = queries.height, columns.height
        return sparse.csr_array((np.ones(kept.height, np.float32), places), shape=shape)

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
