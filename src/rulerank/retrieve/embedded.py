"""The passages of a corpus as an encoder embeds them, and the linear adapter on top of it."""

from __future__ import annotations

from dataclasses import dataclass

from rulerank.arrays import FloatArray, normalise_rows
from rulerank.retrieve.latent import LatentSpace


@dataclass(frozen=True, eq=False)
class Adapter:
    """Residual linear maps on both sides of a frozen encoder: q' = norm(q + q W), p' = norm(p + p V).

    Parameters
    ----------
    query, passage : arrays of shape (dimension, dimension)
        W and V.

    """

    query: FloatArray
    passage: FloatArray

    def queries(self, vectors: FloatArray) -> FloatArray:
        """Map query embeddings, shape (queries, dimension)."""
        return normalise_rows(vectors + vectors @ self.query)

    def passages(self, vectors: FloatArray) -> FloatArray:
        """Map passage embeddings, shape (passages, dimension)."""
        return normalise_rows(vectors + vectors @ self.passage)


@dataclass(frozen=True, eq=False)
class EmbeddedPassages:
    """The passages of a corpus as an encoder and an adapter represent them.

    Parameters
    ----------
    passages : array of shape (N, dimension)
        Embeddings before the adapter, unit rows.
    adapter : Adapter
        Trained on judgements; training questions use one that has not seen their judgements.
    latent : LatentSpace or None
        The source of the last columns of the embeddings.

    """

    passages: FloatArray
    adapter: Adapter
    latent: LatentSpace | None
