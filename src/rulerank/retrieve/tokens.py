"""Texts token by token, as an encoder represents them: ragged arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rulerank.arrays import FloatArray, IntArray, bounds, normalise_rows
from rulerank.retrieve.product import STEPS

_BLOCK = 65_536
"""Vectors mapped at once; this bounds the memory without changing the result."""


@dataclass(frozen=True, eq=False)
class Tokens:
    """The token vectors of n texts, one text after the other.

    Parameters
    ----------
    vectors : array of shape (tokens, width), float16, float32 or int8
        Rows of unit length; as int8 in steps of 1 / `STEPS`.
    starts : array of shape (n + 1,)
        Where each text begins, and finally where the last one ends.

    """

    vectors: NDArray[np.float16] | NDArray[np.float32] | NDArray[np.int8]
    starts: IntArray

    def __len__(self) -> int:
        return len(self.starts) - 1

    def slice(self, start: int, stop: int) -> Tokens:
        """Return the texts from `start` up to `stop`."""
        starts = self.starts[start : stop + 1]
        return Tokens(self.vectors[starts[0] : starts[-1]], starts - starts[0])

    def take(self, rows: IntArray) -> Tokens:
        """Return some texts, in the order of `rows`."""
        sizes = np.diff(self.starts)[rows]
        starts = bounds(sizes)
        places = np.repeat(self.starts[rows] - starts[:-1], sizes) + np.arange(starts[-1])
        return Tokens(self.vectors.take(places, axis=0), starts)

    def mapped(self, matrix: FloatArray) -> Tokens:
        """Return the vectors times a matrix of shape (width, new width), scaled to unit length again."""
        mapped = np.empty((len(self.vectors), matrix.shape[1]), np.float16)
        for start in range(0, len(mapped), _BLOCK):
            block = slice(start, start + _BLOCK)
            mapped[block] = normalise_rows(self.vectors[block].astype(np.float32) @ matrix)
        return Tokens(mapped, self.starts)

    def rounded(self) -> Tokens:
        """Return the vectors in 8 bits. One step for all keeps the order of their products with a vector."""
        rounded = np.empty(self.vectors.shape, np.int8)
        for start in range(0, len(rounded), _BLOCK):
            block = slice(start, start + _BLOCK)
            rounded[block] = np.rint(self.vectors[block].astype(np.float32) * STEPS)
        return Tokens(rounded, self.starts)


def joined(parts: Sequence[Tokens]) -> Tokens:
    """Return the texts of all parts, of which there is at least one, one after the other."""
    sizes = np.concatenate([np.diff(part.starts) for part in parts])
    vectors = np.concatenate([part.vectors for part in parts])
    return Tokens(vectors, bounds(sizes))
