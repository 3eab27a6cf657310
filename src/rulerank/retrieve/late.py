"""Late interaction: how well each token of a question is matched by some token of a passage.

score(q, p) = mean over the tokens i of q of max over the tokens j of p of cos(q_i A, p_j B), the MaxSim of
ColBERT (Khattab and Zaharia, SIGIR 2020) over a frozen encoder; A and B are learned from judgements.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from rulerank.arrays import BoolArray, FloatArray, IntArray, best_places, load_arrays, save_arrays, starts_of
from rulerank.ragged import Ragged
from rulerank.retrieve.generator import Material
from rulerank.retrieve.hits import NOTHING, Found, Hits, joined
from rulerank.retrieve.matched import Matched
from rulerank.retrieve.product import ASKED_STEPS, STEPS, product_of_rows, quantize_rows
from rulerank.retrieve.queries import Queries
from rulerank.retrieve.shared import distinct, first_passages, holders, renumbered, repointed
from rulerank.retrieve.tokens import Tokens
from rulerank.retrieve.tokens import joined as joined_tokens
from rulerank.settings import Candidates

BLOCK = 512
"""Texts whose tokens are compared with a question's at once; this bounds the memory."""


@dataclass(frozen=True, eq=False)
class Late:
    """N passages token by token, mapped; passages with the same tokens share one text, and so one score.

    Parameters
    ----------
    texts : Tokens
        Mapped tokens of D distinct texts in 8 bits, in the order of their first passages.
    place : int array of shape (N,)
        The text of each passage; -1 for a heading without text, which is never found.
    query_map : array of shape (width, dimension)
        Maps the reduced tokens of a question.
    axes : array of shape (dimension of the encoder, width)
        Reduces the encoder's tokens of a question.

    """

    name: ClassVar[str] = "late"
    floor: ClassVar[float] = -np.inf

    texts: Tokens
    place: NDArray[np.int32]
    query_map: FloatArray
    axes: FloatArray

    @classmethod
    def build(cls, material: Material, settings: Candidates) -> Self:  # noqa: ARG003
        """Index the passages by the tokens and the maps of the material."""
        if material.matched is None:
            raise ValueError("expected tokens and maps among the material, found none")
        return cls.of(material.matched, material.has_text)

    @classmethod
    def of(cls, matched: Matched, has_text: BoolArray) -> Self:
        """Map reduced tokens; `has_text`, of shape (N,), tells which passages can be found."""
        rows, maps = np.flatnonzero(has_text), matched.maps
        first, place = distinct(_digests(matched.passages, rows))
        of_passage = np.full(len(matched.passages), -1, np.int32)
        of_passage[rows] = place
        texts = matched.passages.take(rows[first]).mapped(maps.passage).rounded()
        return cls(texts, of_passage, maps.query, matched.axes)

    def __len__(self) -> int:
        return len(self.place)

    def reindexed(self, rows: IntArray, added: Late) -> Late:
        """Return the index of other passages, as `rulerank.retrieve.dense.Dense.reindexed` does."""
        of_row = np.concatenate([self.place, added.place + len(self.texts)])
        used, place = renumbered(np.where(rows >= 0, of_row[rows], -1))
        texts = joined_tokens([self.texts, added.texts]).take(used)
        first, same = distinct(_digests(texts, np.arange(len(texts))))
        return Late(texts.take(first), repointed(place, same), self.query_map, self.axes)

    def search(self, queries: Queries, depth: int, found: Found) -> Hits:  # noqa: ARG002
        """Return the first passages by score; exact, because every text is compared with the question."""
        best = []
        for row in range(len(queries)):
            tokens = self._mapped(queries, row)
            starts = range(0, len(self.texts), BLOCK)
            blocks = (self.texts.slice(start, min(start + BLOCK, len(self.texts))) for start in starts)
            met = [_met(tokens, block).mean(axis=1) for block in blocks]
            scores = np.concatenate([np.empty(0, np.float32), *met])
            kept = best_places(scores, depth)
            best.append(first_passages(self._holders, kept, scores[kept], depth))
        return joined(best)

    def score(
        self,
        queries: Queries,
        rows: IntArray,
        columns: IntArray,
        found: Found = NOTHING,  # noqa: ARG002
    ) -> FloatArray:
        """Return the exact scores of given pairs; NaN for a heading without text."""
        return self.match(queries, rows, columns)[0]

    def match(self, queries: Queries, rows: IntArray, columns: IntArray) -> tuple[FloatArray, FloatArray]:
        """Match each question with some passages.

        Parameters
        ----------
        queries : Queries
            The questions, with their reduced tokens.
        rows, columns : int arrays of shape (pairs,)
            Question and passage of each pair, question by question.

        Returns
        -------
        mean, least : arrays of shape (pairs,)
            Mean over the tokens of the question of the highest cosine with a token of the passage. `least` is
            the mean over the quarter of them that the passage matches least. NaN for a heading without text.

        """
        mean, least = np.full((2, len(rows)), np.nan, np.float32)
        places = self.place[columns].astype(np.int64)
        held = np.flatnonzero(places >= 0)
        bounds = starts_of(rows[held], len(queries))
        for row in np.unique(rows[held]):
            pairs = held[bounds[row] : bounds[row + 1]]
            texts, back = np.unique(places[pairs], return_inverse=True)
            met = _met(self._mapped(queries, row), self.texts.take(texts))
            mean[pairs] = met.mean(axis=1)[back]
            quarter = max(1, met.shape[1] // 4)
            least[pairs] = np.partition(met, quarter - 1, axis=1)[:, :quarter].mean(axis=1)[back]
        return mean, least

    @cached_property
    def _holders(self) -> Ragged:
        """The passages that have each text, ascending."""
        return holders(self.place, len(self.texts))

    def _mapped(self, queries: Queries, row: int) -> FloatArray:
        """Return the mapped tokens of one question, which do not depend on the rest of its batch."""
        if queries.tokens is None:
            raise ValueError("expected questions with tokens, found none; leave out the group `late`")
        return queries.tokens.slice(row, row + 1).mapped(self.query_map).vectors.astype(np.float32)

    def save(self, folder: Path) -> None:
        """Write the index into a new folder."""
        save_arrays(
            folder,
            {
                "tokens": self.texts.vectors,
                "starts": self.texts.starts,
                "place": self.place,
                "query_map": self.query_map,
                "axes": self.axes,
            },
        )

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote."""
        arrays = load_arrays(folder)
        tokens = Tokens(arrays["tokens"], arrays["starts"])  # type: ignore[arg-type]
        return cls(tokens, arrays["place"], arrays["query_map"], arrays["axes"])  # type: ignore[arg-type]


def _met(tokens: FloatArray, texts: Tokens) -> FloatArray:
    """Return the highest cosine of each token of a question with a token of each text, (texts, tokens)."""
    steps, widths = quantize_rows(tokens, ASKED_STEPS)
    products = product_of_rows(steps, texts.vectors)  # type: ignore[arg-type]
    highest = np.maximum.reduceat(products, texts.starts[:-1], axis=1)
    # One row per text, so that its mean does not depend on the texts beside it.
    return np.ascontiguousarray(highest.T, np.float32) * (widths / np.float32(STEPS))


def _digests(texts: Tokens, rows: IntArray) -> NDArray[np.uint8]:
    """Return a 16-byte hash of each of some texts, the same for the same tokens, shape (rows, 16)."""
    vectors, starts = texts.vectors, texts.starts
    parts = (np.ascontiguousarray(vectors[starts[row] : starts[row + 1]]) for row in rows)
    digests = b"".join(blake2b(part.data, digest_size=16).digest() for part in parts)
    return np.frombuffer(digests, np.uint8).reshape(-1, 16)
