"""Sections of params.yaml on the encoder and what is learned on top of it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from rulerank.settings.section import Name, Section


class Encoder(Section):
    """The sentence encoder: a hub name or a local path, and how texts are given to it."""

    name: Name = "sentence-transformers/all-MiniLM-L6-v2"
    max_tokens: int = Field(256, ge=16, le=8192)
    batch_size: int = Field(16, ge=1, le=4096)
    query_prefix: str = ""
    passage_prefix: str = ""


class Finetune(Section):
    """Training of the encoder itself; with 0 epochs it stays as it comes, and only the adapter learns."""

    epochs: int = Field(0, ge=0, le=100)
    loss: Literal["corpus_softmax", "multiple_negatives", "cached_multiple_negatives"] = "corpus_softmax"
    """The first trains the question side alone against every passage; the others train both sides."""
    batch_size: int = Field(64, ge=1)
    mini_batch_size: int = Field(16, ge=1)
    """Rows held in memory at once by the cached loss."""
    learning_rate: float = Field(5e-5, gt=0, le=1)
    warmup: float = Field(0.1, ge=0, le=1)
    """Share of the steps over which the learning rate rises; it then falls to 0."""
    max_tokens: int = Field(128, ge=16, le=8192)
    """Tokens of a text while training; `encoder.max_tokens` holds afterwards."""
    scale: float = Field(20.0, gt=0)
    negatives: int = Field(0, ge=0, le=50)
    """Mined hard negatives a question, for the losses that train both sides."""
    dropout: float = Field(0.0, ge=0, lt=1)
    head: int | None = Field(None, ge=8, le=8192)
    """Width of an added embedding layer; none leaves the encoder's own."""
    parts: int = Field(5, ge=2, le=20)
    """Encoders trained without a share of the folds each, to serve the questions of those folds."""

    @model_validator(mode="after")
    def _head_needs_both_sides(self) -> Finetune:
        if self.head is not None and self.loss == "corpus_softmax":
            raise ValueError(
                "head needs a loss that trains both sides: multiple_negatives or its cached variant"
            )
        return self


class Latent(Section):
    """Latent semantic analysis: a vector of a text's terms beside that of the encoder."""

    dimension: int = Field(384, ge=0, le=8192)
    """Its width; 0 leaves it out."""


class Adapter(Section):
    """The corpus-softmax adapter trained on top of the frozen vectors."""

    epochs: int = Field(4, ge=0, le=200)
    learning_rate: float = Field(3e-3, gt=0, le=1)
    """Of the first step; it falls to 0 by the last."""
    batch_size: int = Field(512, ge=1)
    scale: float = Field(20.0, gt=0)


class Late(Section):
    """Late interaction: token by token, over a frozen encoder; with 0 epochs there is none."""

    epochs: int = Field(0, ge=0, le=100)
    width: int = Field(128, ge=1, le=8192)
    """Principal axes kept of a token vector."""
    dimension: int = Field(64, ge=1, le=8192)
    """Width of a token after the learned map: what an exported ranker holds."""
    learning_rate: float = Field(1e-3, gt=0, le=1)
    batch_size: int = Field(16, ge=1)
    scale: float = Field(20.0, gt=0)
    pool: int = Field(100, ge=1)
    """First ranks by RRF that hard negatives are drawn from."""
    negatives: int = Field(24, ge=1)
    """Hard negatives shown with a question, drawn anew each epoch."""
    others: int = Field(4, ge=0)
    """Passages of the whole corpus shown with it."""
