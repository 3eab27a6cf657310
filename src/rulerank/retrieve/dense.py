"""Dense retrieval: adapted embeddings, compared by cosine."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from rulerank.arrays import (
    BoolArray,
    FloatArray,
    IntArray,
    load_arrays,
    normalise_rows,
    numbered,
    save_arrays,
    starts_of,
)
from rulerank.ragged import Ragged
from rulerank.retrieve.cosines import cosines_of, nearest
from rulerank.retrieve.embedded import EmbeddedPassages
from rulerank.retrieve.generator import Material
from rulerank.retrieve.hits import NOTHING, Found, Hits, joined
from rulerank.retrieve.latent import LatentSpace, load_latent
from rulerank.retrieve.quantized import QuantizedVectors, quantized_from
from rulerank.retrieve.queries import Queries
from rulerank.retrieve.shared import distinct, first_passages, holders, renumbered, repointed
from rulerank.settings import Candidates

BLOCK = 4_096
"""Lists whose mean vectors are computed at once; this bounds the memory, whatever their number."""

LATENT = "latent.safetensors"


@dataclass(frozen=True, eq=False)
class Dense:
    """N passages by their embeddings; passages with equal embeddings share one vector, and so one score.

    Parameters
    ----------
    vectors : QuantizedVectors
        The D distinct embeddings after the adapter, in the order of their first passages.
    pretrained : QuantizedVectors
        The same embeddings from the pretrained encoder alone.
    place : int array of shape (N,)
        The vector of each passage; -1 for a heading without text, which is never found.
    query_map : array of shape (dimension, dimension)
        The adapter's map for questions, W in `Adapter`.
    latent : LatentSpace, optional
        Its vectors are appended to the encoder's in every embedding.

    """

    name: ClassVar[str] = "dense"
    floor: ClassVar[float] = -np.inf

    vectors: QuantizedVectors
    pretrained: QuantizedVectors
    place: NDArray[np.int32]
    query_map: FloatArray
    latent: LatentSpace | None = None

    @classmethod
    def build(cls, material: Material, settings: Candidates) -> Self:  # noqa: ARG003
        """Index the passages by the embeddings and the adapter of the material."""
        if material.embedded is None:
            raise ValueError("expected embeddings and an adapter among the material, found none")
        return cls.of(material.embedded, material.has_text)

    @classmethod
    def of(cls, embedded: EmbeddedPassages, has_text: BoolArray) -> Self:
        """Index embeddings; `has_text`, of shape (N,), tells which passages can be found."""
        rows = np.flatnonzero(has_text)
        first, place = distinct(embedded.passages[rows])
        kept = embedded.passages[rows[first]]
        of_passage = np.full(len(embedded.passages), -1, np.int32)
        of_passage[rows] = place
        adapter, latent = embedded.adapter, embedded.latent
        vectors, pretrained = map(QuantizedVectors.of, (adapter.passages(kept), _of_encoder(kept, latent)))
        return cls(vectors, pretrained, of_passage, adapter.query, latent)

    def __len__(self) -> int:
        return len(self.place)

    def reindexed(self, rows: IntArray, added: Dense) -> Dense:
        """Return the index of other passages, whose vectors are in this index or in another one.

        Parameters
        ----------
        rows : int array of shape (passages,)
            For each, a passage of this index with its text, or, numbered after those, one of `added`; -1 for
            a heading.
        added : Dense
            An index by the same encoder and adapter.

        """
        of_row = np.concatenate([self.place, added.place + len(self.vectors)])
        used, place = renumbered(np.where(rows >= 0, of_row[rows], -1))
        old, new = used[used < len(self.vectors)], used[used >= len(self.vectors)] - len(self.vectors)
        vectors, pretrained = (
            QuantizedVectors.merged(used < len(self.vectors), kept.take(old), others.take(new))
            for kept, others in ((self.vectors, added.vectors), (self.pretrained, added.pretrained))
        )
        # A new text may have the same tokens as another, for example if they differ only in case.
        parts = [distinct(each.codes)[1] for each in (vectors, pretrained)]
        first, same = distinct(np.column_stack(parts))
        moved = repointed(place, same)
        return Dense(vectors.take(first), pretrained.take(first), moved, self.query_map, self.latent)

    def adapted(self, embeddings: FloatArray) -> FloatArray:
        """Return embeddings of questions after the adapter, shape (questions, dimension)."""
        # Not by BLAS, which would divide the product among threads: slower for a single question.
        return normalise_rows(embeddings + np.vecdot(embeddings[:, None], self._map_columns))

    def asked(self, queries: Queries) -> FloatArray:
        """Return the questions' embeddings after the adapter, shape (questions, dimension)."""
        return self.adapted(queries.embeddings)

    def of_encoder(self, embeddings: FloatArray) -> FloatArray:
        """Return the encoder's part of embeddings, shape (texts, width), unit rows."""
        return _of_encoder(embeddings, self.latent)

    def search(self, queries: Queries, depth: int, found: Found) -> Hits:  # noqa: ARG002
        """Return the first passages by cosine."""
        best = nearest(self.vectors, queries.once(self.asked), depth)
        return joined([first_passages(self._holders, *each, depth) for each in best])

    def score(
        self,
        queries: Queries,
        rows: IntArray,
        columns: IntArray,
        found: Found = NOTHING,  # noqa: ARG002
    ) -> FloatArray:
        """Return the exact cosines of given pairs; NaN for a heading without text."""
        return self.cosines(queries.once(self.asked), self.vectors, rows, columns)

    def cosines(
        self, asked: FloatArray, vectors: QuantizedVectors, rows: IntArray, columns: IntArray
    ) -> FloatArray:
        """Return the cosines of questions and passages, pair by pair; NaN for a heading without text.

        Parameters
        ----------
        asked : array of shape (questions, width)
            Unit rows.
        vectors : QuantizedVectors
            `vectors` or `pretrained`.
        rows, columns : int arrays of shape (pairs,)
            Question and passage of each pair, question by question.

        """
        places = self.place[columns]
        cosines = np.full(len(rows), np.nan, np.float32)
        embedded = np.flatnonzero(places >= 0)
        cosines[embedded] = cosines_of(asked, vectors, rows[embedded], places[embedded].astype(np.int64))
        return cosines

    def mean_lengths(self, lists: Ragged) -> FloatArray:
        """Return the length of the weighted mean of listed passages' pretrained vectors, shape (lists,).

        An empty list, or one whose vectors cancel out, gives 1.
        """
        lengths = np.ones(len(lists), np.float32)
        for start in range(0, len(lists), BLOCK):
            rows = np.arange(start, min(start + BLOCK, len(lists)))
            owner, columns, weights = lists.take(rows)
            listed, number = numbered(self.place[columns].astype(np.int64))
            means = Ragged(starts_of(owner, len(rows)), number.astype(np.int32), weights)
            found = np.linalg.norm(means.sums(self.pretrained.take(listed).numbers()), axis=1)
            lengths[rows] = np.where(found > 0, found, 1)
        return lengths

    def save(self, folder: Path) -> None:
        """Write the index into a new folder."""
        save_arrays(
            folder,
            {
                **self.vectors.arrays("vectors"),
                **self.pretrained.arrays("pretrained"),
                "place": self.place,
                "query_map": self.query_map,
            },
        )
        if self.latent is not None:
            self.latent.save(folder / LATENT)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote."""
        arrays: dict[str, Any] = load_arrays(folder)
        vectors, pretrained = (quantized_from(arrays, name) for name in ("vectors", "pretrained"))
        return cls(vectors, pretrained, arrays["place"], arrays["query_map"], load_latent(folder / LATENT))

    @cached_property
    def _map_columns(self) -> FloatArray:
        """The columns of the adapter's map of questions, each in one piece."""
        return np.ascontiguousarray(self.query_map.T)

    @cached_property
    def _holders(self) -> Ragged:
        """The passages that have each vector, ascending."""
        return holders(self.place, len(self.vectors))


def _of_encoder(vectors: FloatArray, latent: LatentSpace | None) -> FloatArray:
    terms = 0 if latent is None else latent.axes.shape[1]
    return normalise_rows(vectors[:, : vectors.shape[1] - terms])
