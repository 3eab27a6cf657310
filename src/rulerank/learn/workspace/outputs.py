"""What the stages of the pipeline leave for one another under `outputs/`."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

import numpy as np
import polars as pl
from safetensors.numpy import load_file

from rulerank.arrays import FloatArray, IntArray
from rulerank.graph.matrix import parents
from rulerank.learn.adapters.storage import load_adapters, load_late_maps
from rulerank.learn.encoder.plan import EncoderPlan
from rulerank.retrieve.dense import Adapter
from rulerank.retrieve.late import LateMaps
from rulerank.retrieve.latent import LatentSpace, load_latent
from rulerank.retrieve.tokens import Tokens
from rulerank.tables import DOCUMENTS, EDGES, FOLDS, JUDGEMENTS, PASSAGES, QUERIES

OUTPUTS = Path("outputs")
TABLES, GRAPH, DENSE = OUTPUTS / "tables", OUTPUTS / "graph", OUTPUTS / "dense"
ENCODERS, FIRST_PASSES = OUTPUTS / "encoder", OUTPUTS / "first_pass"
EMBEDDINGS, ADAPTERS = DENSE / "embeddings.safetensors", DENSE / "adapters.safetensors"
LATENT = DENSE / "latent.safetensors"
TOKENS, LATE_MAPS = OUTPUTS / "late/tokens.safetensors", OUTPUTS / "late/maps.safetensors"


class Outputs:
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

    @property
    def training_folds(self) -> pl.DataFrame:
        """`query_id` and `fold` of the training questions that have a text."""
        return self.asked("train").select("query_id", "fold")

    def asked(self, split: str) -> pl.DataFrame:
        """Return the questions of a split that have a text, with `row`, their place among the embeddings."""
        with_text = self.queries.filter(pl.col("text").is_not_null()).with_row_index("row")
        return with_text.filter(pl.col("split") == split)
