"""Products of matrices of whole numbers, and the rounding of vectors to them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from rulerank.arrays import FloatArray

STEPS = 127
"""Steps on each side of 0 that an element of a vector is rounded to."""

ASKED_STEPS = 63
"""The same for a question: processors without VNNI add products of 7 and 8 bits in pairs, in 16 bits."""

PRODUCT = Path(__file__).with_name("product.onnx")
"""A graph of one node, MatMulInteger, which multiplies matrices of whole numbers."""


def product(unsigned: NDArray[np.uint8], signed: NDArray[np.int8]) -> NDArray[np.int32]:
    """Multiply two matrices of whole numbers, shapes (rows, width) and (width, columns), without rounding.

    The kind of each is the one that onnxruntime multiplies fastest: given a first matrix with a sign, or its
    zero, it takes many times as long. One of the two keeps within `ASKED_STEPS`.
    """
    # NumPy multiplies whole numbers without the processor's instructions for them, a hundred times slower.
    (products,) = _session().run(None, {"unsigned": unsigned, "signed": signed})
    return products  # type: ignore[no-any-return]


def whole(vectors: FloatArray, steps: int) -> tuple[FloatArray, FloatArray]:
    """Return rows as whole numbers, at most `steps` steps from 0, and the width of a step of each row."""
    widest = np.maximum(vectors.max(axis=1, initial=0), -vectors.min(axis=1, initial=0))
    widths = np.where(widest > 0, widest / np.float32(steps), 1).astype(np.float32)
    return np.rint(vectors / widths[:, None]), widths


@cache
def _session() -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(str(PRODUCT), options, providers=["CPUExecutionProvider"])
