"""Products of matrices of whole numbers, and the rounding of vectors to them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from rulerank.arrays import Array, FloatArray

STEPS = 127
"""Steps on each side of 0 that an element of a vector is rounded to."""

ASKED_STEPS = 63
"""The same for a question: processors without VNNI add products of 7 and 8 bits in pairs, in 16 bits."""

PRODUCT = Path(__file__).with_name("product.onnx")
"""A graph of one node, MatMulInteger, which multiplies matrices of whole numbers."""

PRODUCT_OF_ROWS = Path(__file__).with_name("product_of_rows.onnx")
"""The same after a transposition of the second matrix, which takes NumPy longer than the product."""


def product(unsigned: NDArray[np.uint8], signed: NDArray[np.int8]) -> NDArray[np.int32]:
    """Multiply two matrices of whole numbers, shapes (rows, width) and (width, columns), without rounding.

    The kind of each is the one that onnxruntime multiplies fastest: if the first has a sign, it takes ten
    times as long. One of the two keeps within `ASKED_STEPS` of 0 or of its middle.
    """
    return _run(PRODUCT, {"unsigned": unsigned, "signed": signed})


def product_of_rows(steps: FloatArray, signed: NDArray[np.int8]) -> NDArray[np.int32]:
    """Multiply the rows of two matrices of whole numbers with one another, without rounding.

    Parameters
    ----------
    steps : array of shape (rows, width)
        Whole numbers within `ASKED_STEPS`.
    signed : int8 array of shape (columns, width)
        Whole numbers.

    Returns
    -------
    int32 array of shape (rows, columns)

    """
    unsigned = (steps + ASKED_STEPS).astype(np.uint8)
    zero = np.array(ASKED_STEPS, np.uint8)
    return _run(PRODUCT_OF_ROWS, {"unsigned": unsigned, "zero": zero, "signed": signed})


def whole(vectors: FloatArray, steps: int) -> tuple[FloatArray, FloatArray]:
    """Return rows as whole numbers, at most `steps` steps from 0, and the width of a step of each row."""
    widest = np.maximum(vectors.max(axis=1, initial=0), -vectors.min(axis=1, initial=0))
    widths = np.where(widest > 0, widest / np.float32(steps), 1).astype(np.float32)
    return np.rint(vectors / widths[:, None]), widths


def _run(graph: Path, given: dict[str, Array]) -> NDArray[np.int32]:
    # NumPy multiplies whole numbers without the processor's instructions for them, a hundred times slower.
    (products,) = _session(graph).run(None, given)
    return products  # type: ignore[no-any-return]


@cache
def _session(graph: Path) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])
