"""Dense retrieval: embeddings under a linear adapter, compared by cosine."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rulerank.arrays import FloatArray, IntArray, normalise_rows
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
class DenseIndex:
    """The passages as their encoder sees them and as the adapter does.

    Parameters
    ----------
    passages : array of shape (passages, dimension)
        Their embeddings before the adapter, unit length.
    adapter : Adapter
        Trained on judgements; training queries get one that has not seen them.
    latent : LatentSpace, optional
        Whose vectors stand beside the encoder's in every embedding.

    """

    passages: FloatArray
    adapter: Adapter
    latent: LatentSpace | None = None

    @cached_property
    def adapted(self) -> FloatArray:
        """The adapted passages, shape (passages, dimension)."""
        return self.adapter.passages(self.passages)

    @cached_property
    def encoded(self) -> FloatArray:
        """The passages as the encoder alone sees them, shape (passages, width)."""
        return self.of_encoder(self.passages)

    def of_encoder(self, vectors: FloatArray) -> FloatArray:
        """Return the encoder's part of embeddings, shape (texts, width), rows of unit length."""
        terms = 0 if self.latent is None else self.latent.axes.shape[1]
        return normalise_rows(vectors[:, : vectors.shape[1] - terms])

    def scores(self, queries: FloatArray) -> FloatArray:
        """Return the cosine of every adapted query and passage, shape (queries, passages).

        Passages of one embedding get one score: a product of matrices may round two equal columns
        differently, and their order would depend on the other queries of the batch.
        """
        first, place = self._distinct
        cosines: FloatArray = (self.adapter.queries(queries) @ self.adapted[first].T)[:, place]
        return cosines

    @cached_property
    def _distinct(self) -> tuple[IntArray, IntArray]:
        """The first passage of each embedding, and for every passage its place among those."""
        rows = np.ascontiguousarray(self.passages)
        whole = rows.view(np.dtype((np.void, rows.shape[1] * rows.itemsize)))[:, 0]
        _, first, place = np.unique(whole, return_index=True, return_inverse=True)
        return first, place
