"""Unit vectors in 8 bits: the nearest ones are found in a quarter of the bytes, and none is missed.

A cosine of rounded vectors is off by at most a known amount. All vectors that may be among the nearest by
that much are returned, so whoever compares these exactly finds what comparing all vectors would find.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Self

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from rulerank.arrays import Array, BoolArray, FloatArray, IntArray

STEPS = 127
"""Steps on each side of 0 that an element of a vector is rounded to."""

ASKED_STEPS = 63
"""The same for a question: processors without VNNI add products of 7 and 8 bits in pairs, in 16 bits."""

CELLS = 1 << 24
"""The most cosines computed at once. This bounds memory, whatever the number of vectors."""

SLACK = 1e-5
"""More than cosines of unit vectors in single precision are off by."""

BLOCK = 256
"""Vectors rounded at once, few enough to stay in a processor's cache."""

ROUNDED = ("codes", "scale", "error")
"""The names of the arrays on disk."""

PRODUCT = Path(__file__).with_name("product.onnx")
"""A graph of one node, MatMulInteger, which multiplies matrices of whole numbers."""


@dataclass(frozen=True, eq=False)
class Rounded:
    """D rounded vectors of length 1 or 0.

    Parameters
    ----------
    codes : int8 array of shape (dimension, D)
        The elements of each vector as multiples of its scale.
    scale : array of shape (D,)
        The width of a step.
    error : array of shape (D,)
        The length of what rounding took from each vector.

    """

    codes: NDArray[np.int8]
    scale: FloatArray
    error: FloatArray

    @classmethod
    def of(cls, vectors: FloatArray) -> Self:
        """Round vectors, shape (D, dimension)."""
        count, dimension = vectors.shape
        codes = np.empty((dimension, count), np.int8)
        scale, error = np.empty((2, count), np.float32)
        for start in range(0, count, BLOCK):
            block = slice(start, start + BLOCK)
            digits, scale[block], error[block] = _rounded(vectors[block], STEPS)
            codes[:, block] = digits.T
        return cls(codes, scale, error)

    def __len__(self) -> int:
        return len(self.scale)

    def arrays(self) -> dict[str, Array]:
        """Return the arrays by their names on disk."""
        return dict(zip(ROUNDED, (self.codes, self.scale, self.error), strict=True))

    @cached_property
    def _shift(self) -> NDArray[np.int32]:
        """What is too much in the products of each vector if all numbers of a question are shifted."""
        sums: NDArray[np.int32] = self.codes.sum(axis=0, dtype=np.int32)
        return ASKED_STEPS * sums

    def near(self, asked: FloatArray, depth: int, allowed: BoolArray | None = None) -> Iterator[IntArray]:
        """Yield the places of all vectors that may be among the `depth` nearest of each question, ascending.

        With a question x = t d + g and a vector v = s c + e, where d and c are whole numbers, the cosine x v
        differs from s t (c d) by x e + g (s c), which is at most |e| + |g| (1 + |e|) (Cauchy and Schwarz).

        Parameters
        ----------
        asked : array of shape (questions, dimension)
            Rows of length 1 or 0.
        depth : int
            How many nearest vectors are sought, at least 1.
        allowed : boolean array of shape (questions, D), optional
            Which vectors are sought among for each question, by default all.

        """
        together = max(1, CELLS // max(1, len(self)))
        for start in range(0, len(asked), together):
            digits, scale, left = _rounded(asked[start : start + together], ASKED_STEPS)
            # Unsigned numbers are multiplied fastest. Given their zero, onnxruntime takes twice as long.
            shifted = (digits + ASKED_STEPS).astype(np.uint8)
            (products,) = _product().run(None, {"asked": shifted, "codes": self.codes})
            for row, steps in enumerate((products - self._shift).astype(np.float32)):
                cosines = steps * (self.scale * scale[row])
                off = self.error + left[row] * (1 + self.error) + SLACK
                if allowed is not None:
                    cosines[~allowed[start + row]] = -np.inf
                yield _within(cosines, off, depth)


def _within(cosines: FloatArray, off: FloatArray, depth: int) -> IntArray:
    """Return the places of cosines that may be among the highest if each is off by so much; none of -inf."""
    least = np.finfo(np.float32).min
    if depth < len(cosines):
        least = max(least, np.partition(cosines - off, -depth)[-depth])
    return np.flatnonzero(cosines + off >= least)


def _rounded(vectors: FloatArray, steps: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the rows as whole numbers of steps, the width of a step, and the length of what is left over."""
    widest = np.maximum(vectors.max(axis=1, initial=0), -vectors.min(axis=1, initial=0))
    scale = np.where(widest > 0, widest / np.float32(steps), 1).astype(np.float32)
    digits = np.rint(vectors / scale[:, None])
    left = digits * scale[:, None] - vectors
    return digits, scale, np.sqrt(np.einsum("ij,ij->i", left, left))


@cache
def _product() -> onnxruntime.InferenceSession:
    # NumPy multiplies whole numbers without the processor's instructions for them, a hundred times slower.
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(str(PRODUCT), options, providers=["CPUExecutionProvider"])
