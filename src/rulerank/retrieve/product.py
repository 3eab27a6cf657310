"""Products of integer matrices, and the quantization of vectors to integers."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from rulerank.arrays import FloatArray

STEPS = 127
"""Steps on each side of 0 to which an element of a vector is rounded."""

ASKED_STEPS = 63
"""The same for a question: processors without VNNI add products of 7 and 8 bits in pairs, in 16 bits."""

PRODUCT = Path(__file__).with_name("product.onnx")
"""A graph of one node, MatMulInteger, which multiplies by an integer matrix that is supplied later."""

PRODUCT_OF_ROWS = Path(__file__).with_name("product_of_rows.onnx")
"""The same after transposing the second matrix, which would take NumPy longer than the product."""


def product_by(signed: NDArray[np.int8]) -> Callable[[NDArray[np.uint8]], NDArray[np.int32]]:
    """Return a function that multiplies by an integer matrix, which is packed for this once.

    Packing a matrix takes as long as several products of one row with it.

    Parameters
    ----------
    signed : int8 array of shape (width, columns)
        The right factor.

    Returns
    -------
    callable
        Takes a uint8 array of shape (rows, width), and returns an int32 array of shape (rows, columns). One
        of the two factors keeps within `ASKED_STEPS` of 0 or of its middle. Their types are those that
        onnxruntime multiplies fastest: with a signed left factor it takes ten times as long.

    """
    options = _options()
    options.add_external_initializers(["signed"], [onnxruntime.OrtValue.ortvalue_from_numpy(signed)])
    graph = PRODUCT.read_bytes() + with_initializer("signed", signed.shape)
    session = onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])

    def product(unsigned: NDArray[np.uint8]) -> NDArray[np.int32]:
        (products,) = session.run(None, {"unsigned": unsigned})
        return products  # type: ignore[no-any-return]

    return product


def product_of_rows(steps: FloatArray, signed: NDArray[np.int8]) -> NDArray[np.int32]:
    """Multiply the rows of two integer matrices with one another, without rounding.

    Parameters
    ----------
    steps : array of shape (rows, width)
        Integers within `ASKED_STEPS` of 0.
    signed : int8 array of shape (columns, width)
        Integers.

    Returns
    -------
    int32 array of shape (rows, columns)

    """
    unsigned = (steps + ASKED_STEPS).astype(np.uint8)
    zero = np.array(ASKED_STEPS, np.uint8)
    # NumPy multiplies integers without the processor's instructions for them, a hundred times slower.
    (products,) = _of_rows().run(None, {"unsigned": unsigned, "zero": zero, "signed": signed})
    return products  # type: ignore[no-any-return]


def quantize_rows(vectors: FloatArray, steps: int) -> tuple[FloatArray, FloatArray]:
    """Return each row in integers from -`steps` to `steps`, and the width of one step of each row."""
    widest = np.maximum(vectors.max(axis=1, initial=0), -vectors.min(axis=1, initial=0))
    widths = np.where(widest > 0, widest / np.float32(steps), 1).astype(np.float32)
    return np.rint(vectors / widths[:, None]), widths


@cache
def _of_rows() -> onnxruntime.InferenceSession:
    return onnxruntime.InferenceSession(str(PRODUCT_OF_ROWS), _options(), providers=["CPUExecutionProvider"])


def _options() -> onnxruntime.SessionOptions:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return options


def with_initializer(name: str, shape: tuple[int, ...]) -> bytes:
    """Return the bytes that, appended to those of a model, give its graph an int8 matrix kept in memory.

    Messages of Protocol Buffers are merged by appending one to the other, so a service needs no package that
    writes models. The numbers are those of the fields in onnx.proto: `ModelProto.graph` is 7,
    `GraphProto.initializer` 5; of a `TensorProto`, `dims` is 1, `data_type` 2, `name` 8, `external_data` 13
    and `data_location` 14.
    """
    int8, external = b"\x10\x03", b"\x70\x01"
    dims = b"".join(b"\x08" + _varint(size) for size in shape)
    place = _field(1, b"location") + _field(2, b"memory")
    tensor = dims + int8 + _field(8, name.encode()) + _field(13, place) + external
    return _field(7, _field(5, tensor))


def _field(number: int, content: bytes) -> bytes:
    """Return a field of text or of a message: its number and kind, the length, the content."""
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _varint(value: int) -> bytes:
    """Return an integer as a varint: seven bits a byte, lowest first, the eighth set in all but the last."""
    digits = []
    while value > 0x7F:
        digits.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*digits, value])
