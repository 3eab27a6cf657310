"""What the stages of the pipeline leave for one another under `outputs/`, read on first use."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import polars as pl
from safetensors.numpy import load_file
from scipy import sparse

from rulerank.arrays import FloatArray, IntArray
from rulerank.errors import TRAINED_ELSEWHERE, InputError
from rulerank.features.storage import AROUND, load_surroundings
from rulerank.features.surroundings import Surroundings
from rulerank.learn.adapters.storage import read_adapter, read_late_maps
from rulerank.learn.encoder.plan import EncoderPlan
from rulerank.learn.out_of_fold import Fold, OutOfFold
from rulerank.pipeline.paths import (
    ADAPTERS,
    EDGE_TABLE,
    EMBEDDINGS,
    ENCODERS,
    INDEX,
    LATE_MAPS,
    LATENT,
    TABLES,
    TOKENS,
    TRANSLATION_TABLES,
)
from rulerank.retrieve.embedded import Adapter
from rulerank.retrieve.latent import LatentSpace, load_latent
from rulerank.retrieve.matched import LateMaps
from rulerank.retrieve.tokens import Tokens
from rulerank.retrieve.translation_table import TranslationTable, load_table
from rulerank.tables import DOCUMENTS, EDGES, FOLDS, JUDGEMENTS, PASSAGES, QUERIES, has_text


class Outputs:
    """The tables and arrays of a pipeline run, read on first use.

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
        return EDGES.read(EDGE_TABLE)

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

    def judgements_of(self, query_ids: pl.Series) -> pl.DataFrame:
        """Return the judgements of some of these questions."""
        return self.judgements.filter(pl.col("query_id").is_in(query_ids.implode()))

    @cached_property
    def has_text(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Whether each passage can be a candidate, shape (N,)."""
        return has_text(self.passages).to_numpy()

    def rows(self, passage_ids: pl.Series) -> IntArray:
        """Return the row of each of some passages in the passages table."""
        rows = self.passages.select("passage_id").with_row_index("row", 0)
        asked = passage_ids.to_frame("passage_id").join(rows, "passage_id", "left", maintain_order="left")
        return asked["row"].to_numpy().astype(np.int64)

    @cached_property
    def encoders(self) -> EncoderPlan:
        """Which encoder serves which adapter."""
        return EncoderPlan.read(ENCODERS)

    @cached_property
    def embeddings(self) -> dict[str, FloatArray]:
        """Embeddings of every encoder: `passages.<encoder>`, and `queries.<encoder>` of those with text."""
        return load_file(EMBEDDINGS)

    def queries_by(self, fold: Fold) -> FloatArray:
        """Return the embeddings of the questions with a text, by the encoder that serves a fold."""
        return self.embeddings[f"queries.{self.encoders.of_queries(fold)}"]

    def passages_by(self, fold: Fold) -> FloatArray:
        """Return the embeddings of the passages, by the encoder that serves a fold."""
        return self.embeddings[f"passages.{self.encoders.of_passages(fold)}"]

    @cached_property
    def latent(self) -> LatentSpace | None:
        """The latent space of the passages' terms, if the embeddings have one."""
        return load_latent(LATENT)

    @cached_property
    def adapters(self) -> OutOfFold[Adapter]:
        """The adapters."""
        return OutOfFold.load(ADAPTERS, read_adapter)

    @cached_property
    def late_maps(self) -> OutOfFold[LateMaps] | None:
        """The late-interaction maps; None before they are trained, or without late interaction."""
        return OutOfFold.load(LATE_MAPS, read_late_maps) if LATE_MAPS.is_dir() else None

    @cached_property
    def translation_tables(self) -> OutOfFold[TranslationTable] | None:
        """The tables from words of passages to those of questions; None before they are learned."""
        return OutOfFold.load(TRANSLATION_TABLES, load_table) if TRANSLATION_TABLES.is_dir() else None

    @cached_property
    def surroundings(self) -> Surroundings:
        """The structure around the passages, as the stage `index` wrote it."""
        return load_surroundings(INDEX / AROUND)

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

    def validation(self) -> pl.DataFrame:
        """Return the validation questions as `asked` does; raise InputError unless some are judged."""
        questions = self.asked("validation")
        judged = self.judgements_of(questions["query_id"])
        if not (judged["relevance"] > 0).any():
            raise InputError(
                TABLES,
                "expected validation questions with text and a relevant passage, found none. "
                "Add a validation file.",
            )
        return questions

    def require_training(self) -> None:
        """Raise InputError, before anything is learned, if no training question has a text."""
        if not self.asked("train").height:
            raise InputError(
                TABLES,
                "expected training questions with text, found none. Add a training file. "
                f"{TRAINED_ELSEWHERE}",
            )

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
