"""Unit vectors quantized to 8 bits: a quarter of the bytes, and integers, which multiply fastest."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from rulerank.arrays import Array, BoolArray, FloatArray, IntArray
from rulerank.retrieve.product import ASKED_STEPS, STEPS, product_by, quantize_rows

CELLS = 1 << 24
"""The most cosines computed at once. This bounds memory, whatever the number of vectors."""

SLACK = 1e-5
"""An upper bound on the error of a cosine of unit vectors in single precision."""

LAID_OUT = 1 << 16
"""Vectors packed together for multiplication. Meanwhile they take three times their bytes."""

BLOCK = 256
"""Vectors rounded or transposed at once, few enough to stay in a processor's cache."""


@dataclass(frozen=True, eq=False)
class QuantizedVectors:
    """D vectors of length 1 or 0, each a multiple of a vector of integers.

    Parameters
    ----------
    codes : int8 array of shape (D, width)
        The integers, from -`STEPS` to `STEPS`.
    scale : array of shape (D,)
        What each row of codes is multiplied by, which makes its length 1.

    """

    codes: NDArray[np.int8]
    scale: FloatArray

    @classmethod
    def of(cls, vectors: FloatArray) -> Self:
        """Round vectors, shape (D, width), each to steps of its widest element."""
        codes, scale = np.empty(vectors.shape, np.int8), np.empty(len(vectors), np.float32)
        for start in range(0, len(vectors), BLOCK):
            block = slice(start, start + BLOCK)
            steps, _ = quantize_rows(vectors[block], STEPS)
            codes[block], scale[block] = steps, 1 / _lengths(steps)
        return cls(codes, scale)

    @classmethod
    def merged(cls, first: BoolArray, one: Self, other: Self) -> Self:
        """Return the vectors of `one` in order where `first` is true, and of `other` where it is not."""
        codes, scale = np.empty((len(first), one.width), np.int8), np.empty(len(first), np.float32)
        for places, part in ((first, one), (~first, other)):
            codes[places], scale[places] = part.codes, part.scale
        return cls(codes, scale)

    def __len__(self) -> int:
        return len(self.scale)

    @property
    def width(self) -> int:
        """The number of elements of a vector."""
        return int(self.codes.shape[1])

    def take(self, places: NDArray[np.integer]) -> Self:
        """Return the vectors at some places."""
        return type(self)(self.codes.take(places, axis=0), self.scale.take(places))

    def numbers(self) -> FloatArray:
        """Return the vectors themselves, shape (D, width)."""
        return self.codes * self.scale[:, None]

    def cosines(self, question: FloatArray, places: IntArray) -> FloatArray:
        """Return the cosines of one question, a unit vector, and the vectors at some places."""
        near = self.take(places)
        # Unlike a matrix product, this sum gives equal vectors equal results wherever they are.
        cosines: FloatArray = np.vecdot(near.codes.astype(np.float32), question) * near.scale
        return cosines

    def arrays(self, name: str) -> dict[str, Array]:
        """Return the arrays by their names on disk."""
        return {name: self.codes, f"{name}_scale": self.scale}

    @cached_property
    def _by_codes(self) -> Sequence[Callable[[NDArray[np.uint8]], NDArray[np.int32]]]:
        """The multiplications by the codes, one vector per column, `LAID_OUT` vectors each."""
        starts = range(0, max(1, len(self)), LAID_OUT)
        return [product_by(_turned(self.codes[start : start + LAID_OUT])) for start in starts]

    def _products(self, unsigned: NDArray[np.uint8]) -> NDArray[np.int32]:
        """Multiply rows of integers by all vectors."""
        return np.concatenate([multiply(unsigned) for multiply in self._by_codes], axis=1)

    @cached_property
    def _shift(self) -> NDArray[np.int32]:
        """What the shift of a question's numbers by `ASKED_STEPS` adds to its product with each vector."""
        sums: NDArray[np.int32] = self.codes.sum(axis=1, dtype=np.int32)
        return ASKED_STEPS * sums

    def possible_nearest(
        self, asked: FloatArray, depth: int, allowed: BoolArray | None = None
    ) -> Iterator[IntArray]:
        """Yield the places of all vectors that may be among the `depth` nearest of each question, ascending.

        With a question x = t d + g and a vector v = s c, where d and c are integers, the cosine x v
        differs from s t (c d) by g v, which is at most |g| (Cauchy and Schwarz).

        Parameters
        ----------
        asked : array of shape (questions, width)
            Rows of length 1 or 0.
        depth : int
            How many nearest vectors are sought, at least 1.
        allowed : boolean array of shape (questions, D), optional
            Which vectors are sought among for each question, by default all.

        """
        together = max(1, CELLS // max(1, len(self)))
        for start in range(0, len(asked), together):
            block = asked[start : start + together]
            steps, widths = quantize_rows(block, ASKED_STEPS)
            left = np.linalg.norm(block - steps * widths[:, None], axis=1)
            products = self._products((steps + ASKED_STEPS).astype(np.uint8)) - self._shift
            for row, exact in enumerate(products.astype(np.float32)):
                cosines = exact * (self.scale * widths[row])
                if allowed is not None:
                    cosines[~allowed[start + row]] = -np.inf
                yield _within(cosines, left[row] + SLACK, depth)


def quantized_from(arrays: Mapping[str, Array], name: str) -> QuantizedVectors:
    """Return the vectors whose arrays `QuantizedVectors.arrays` named."""
    return QuantizedVectors(arrays[name], arrays[f"{name}_scale"])  # type: ignore[arg-type]


def _turned(codes: NDArray[np.int8]) -> NDArray[np.int8]:
    columns = np.empty(codes.shape[::-1], np.int8)
    for start in range(0, len(codes), BLOCK):
        columns[:, start : start + BLOCK] = codes[start : start + BLOCK].T
    return columns


def _within(cosines: FloatArray, off: float, depth: int) -> IntArray:
    """Return the places of cosines that may be among the highest, given their error; none of -inf."""
    least = np.finfo(np.float32).min
    if depth < len(cosines):
        least = max(least, np.partition(cosines, -depth)[-depth] - 2 * off)
    return np.flatnonzero(cosines >= least)


def _lengths(vectors: FloatArray) -> FloatArray:
    """Return the length of each row, 1 for a row of zeros."""
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    return np.where(lengths > 0, lengths, np.float32(1))
