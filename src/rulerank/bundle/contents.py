"""What an exported ranker consists of, on disk and in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import lightgbm
import numpy as np
import polars as pl

from rulerank.arrays import FloatArray
from rulerank.features.feature_set import FeatureSet
from rulerank.features.first_pass import FirstPass
from rulerank.features.index import RankingIndex
from rulerank.retrieve.encoder import Encoder
from rulerank.retrieve.latent import beside
from rulerank.retrieve.queries import Queries, prepare_queries
from rulerank.settings import Answer, Candidates

FORMAT = 3
"""Raised when a reader of the older format could no longer read the new one."""

MANIFEST, FEATURES, CALIBRATION, GOLDEN = (
    "manifest.json",
    "features.json",
    "calibration.json",
    "golden.parquet",
)
DOCUMENT_TABLE, PASSAGE_TABLE, EDGE_TABLE = "documents.parquet", "passages.parquet", "edges.parquet"
ENCODER, TOKEN_ENCODER = "encoder", "token_encoder"

RANKER = "ranker"
"""The model that answers."""

WITHOUT_JUDGEMENT = "ranker_without_judgement"
"""The model that has learned nothing about single passages: what to expect of a new rulebook."""

FIRST_PASS = "first_pass"  # noqa: S105
"""What makes the list that the models look at, unless none of their features does."""


@dataclass(frozen=True, eq=False)
class Model:
    """One trained ranker and the features it reads, in order."""

    booster: lightgbm.Booster
    features: FeatureSet


@dataclass(frozen=True, eq=False)
class Bundle:
    """An exported ranker in memory.

    Parameters
    ----------
    manifest : mapping
        Format, versions, settings, provenance, and the hash of every file.
    documents, passages, edges : polars.DataFrame
        The corpus.
    index : RankingIndex
        The corpus under the generators and features.
    encoder : Encoder
        Embeds questions.
    token_encoder : Encoder
        Gives their tokens: the encoder as it came, which may not be the one that embeds.
    models : mapping of str to Model
        By name; `RANKER` is always there.
    first_pass : FirstPass, optional
        Where a model has features of the second pass.
    calibration : mapping of str to float
        `slope` and `intercept` of the logistic curve from score to probability.

    """

    manifest: Mapping[str, Any]
    documents: pl.DataFrame
    passages: pl.DataFrame
    edges: pl.DataFrame
    index: RankingIndex
    encoder: Encoder
    token_encoder: Encoder
    models: Mapping[str, Model]
    first_pass: FirstPass | None
    calibration: Mapping[str, float]

    @cached_property
    def features(self) -> FeatureSet:
        """The columns of the matrix at run time: what the ranker reads, and what its first pass does."""
        own = self.models[RANKER].features
        return own if self.first_pass is None else own.joined(self.first_pass.features)

    def embed(self, questions: Sequence[str]) -> FloatArray:
        """Embed questions as the passages of the index are embedded, shape (questions, dimension)."""
        encoded = self.encoder.encode(questions, "query")
        return beside(encoded, questions, self.index.search.dense.latent)

    def queries(self, ids: Sequence[str], texts: Sequence[str]) -> Queries:
        """Return questions as the index takes them: analysed, embedded, with tokens for late interaction."""
        late, tokens = self.index.late, None
        if late is not None:
            tokens = self.token_encoder.tokens(texts, "query").mapped(late.axes)
        return prepare_queries(ids, texts, self.embed(texts), tokens)

    def scores(self, name: str, matrix: FloatArray) -> FloatArray:
        """Return what a model says of rows whose columns are `features`, shape (rows,)."""
        model = self.models[name]
        scores: FloatArray = np.asarray(model.booster.predict(matrix[:, self.columns(model.features)]))
        return scores

    def columns(self, features: FeatureSet) -> list[int]:
        """Return where some features stand among `features`."""
        place = {each: column for column, each in enumerate(self.features.names)}
        return [place[each] for each in features.names]

    @property
    def candidates(self) -> Candidates:
        """The section `candidates` of the params it was trained with."""
        return Candidates.model_validate(self.manifest["settings"]["candidates"])

    @property
    def answer(self) -> Answer:
        """The section `answer` of the params it was trained with."""
        return Answer.model_validate(self.manifest["settings"]["answer"])
