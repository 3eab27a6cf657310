"""Sections of params.yaml on the encoder and the models trained on top of it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, field_validator

from rulerank.settings.section import Name, Section, known_or_dotted

DEFAULT_ENCODER = "sentence-transformers/all-MiniLM-L6-v2"

LOSSES = {
    "corpus_softmax": "rulerank.learn.encoder.losses.corpus_softmax:CorpusSoftmax",
    "multiple_negatives": "rulerank.learn.encoder.losses.multiple_negatives:MultipleNegatives",
    "cached_multiple_negatives": "rulerank.learn.encoder.losses.multiple_negatives:CachedMultipleNegatives",
}
"""The losses that params.yaml can name, and where they are defined; a new one is one line here."""


class Encoder(Section):
    """The sentence encoder: a hub name or a local path, and how texts are passed to it."""

    name: Name = DEFAULT_ENCODER
    max_tokens: int = Field(256, ge=16, le=8192)
    batch_size: int = Field(16, ge=1, le=4096)
    """Maximum number of texts per batch on a GPU; on a CPU, each text is its own batch."""
    precision: Literal["fp32", "int8"] = "fp32"
    """Of the exported model. `int8` takes less time, and its vectors differ slightly."""
    query_prefix: str = ""
    passage_prefix: str = ""


class Finetune(Section):
    """Training of the encoder itself; with 0 epochs it stays pretrained, and only the adapter learns."""

    epochs: int = Field(0, ge=0, le=100)
    loss: str = "corpus_softmax"
    """One of `LOSSES`, or `package.module:Class`. `corpus_softmax` trains only the question side."""
    precision: Literal["fp32", "bf16"] = "fp32"
    """`bf16` trains in mixed precision: less memory on a GPU, faster on CPUs with bfloat16 in hardware."""
    batch_size: int = Field(64, ge=1)
    mini_batch_size: int = Field(16, ge=1)
    """Rows held in memory at once by the cached loss."""
    learning_rate: float = Field(5e-5, gt=0, le=1)
    warmup: float = Field(0.1, ge=0, lt=1)
    """Share of the steps over which the learning rate rises; it then falls to 0. Less than 1, which
    transformers would read as one step."""
    max_tokens: int = Field(128, ge=16, le=8192)
    """Maximum number of tokens of a text during training; `encoder.max_tokens` applies afterwards."""
    scale: float = Field(20.0, gt=0)
    negatives: int = Field(0, ge=0, le=50)
    """Mined hard negatives per question, for losses that use them."""
    dropout: float = Field(0.0, ge=0, lt=1)
    head: int | None = Field(None, ge=8, le=8192)
    """Width of an added embedding layer, for losses that train both sides; null adds no layer."""
    parts: int = Field(5, ge=2, le=20)
    """Number of encoders, each trained without a part of the folds, to embed that part's questions."""

    @field_validator("loss")
    @classmethod
    def _is_a_loss(cls, loss: str) -> str:
        return known_or_dotted(loss, LOSSES, "package.module:Class")


class Latent(Section):
    """Latent semantic analysis: a vector of a text's terms next to the encoder's."""

    dimension: int = Field(384, ge=0, le=8192)
    """Width of the vector; 0 leaves it out."""


class Adapter(Section):
    """The corpus-softmax adapter trained on top of the frozen vectors."""

    epochs: int = Field(6, ge=0, le=200)
    learning_rate: float = Field(7e-4, gt=0, le=1)
    """Learning rate of the first step; it falls to 0 by the last."""
    batch_size: int = Field(128, ge=1)
    scale: float = Field(20.0, gt=0)


class Translation(Section):
    """The table from the words of passages to those of questions; with 0 rounds there is none."""

    rounds: int = Field(5, ge=0, le=100)
    """Rounds of expectation maximisation."""
    prior: float = Field(10.0, ge=0.001)
    """Imagined occurrences of every word as its own translation."""
    smoothing: float = Field(0.2, ge=0.001, le=0.999)
    """Weight of a word's share of all questions, against what the passage says."""


class Late(Section):
    """Late interaction, token by token, over a frozen encoder; with 0 epochs there is none."""

    epochs: int = Field(0, ge=0, le=100)
    width: int = Field(128, ge=1, le=8192)
    """Principal axes that are kept of a token vector."""
    dimension: int = Field(64, ge=1, le=8192)
    """Width of a token after the learned map, as an exported ranker holds it."""
    learning_rate: float = Field(1e-3, gt=0, le=1)
    batch_size: int = Field(16, ge=1)
    scale: float = Field(20.0, gt=0)
    pool: int = Field(100, ge=1)
    """First ranks by RRF from which hard negatives are drawn."""
    negatives: int = Field(24, ge=1)
    """Hard negatives per question, drawn anew each epoch."""
    others: int = Field(4, ge=0)
    """Passages per question drawn from the whole corpus."""
