"""Arrow files that are checked before they are mapped.

Polars trusts the lengths that such a file states. A false one makes it ask for more memory than there is,
which ends the process and is no exception. So they are compared with the size of the file first. The layout
is that of the Arrow columnar format 1.5 (File.fbs, Message.fbs): a footer with one block per batch of rows,
and for each batch a message with the lengths of its columns and the places of their buffers.
"""

from __future__ import annotations

import mmap
import struct
from pathlib import Path

import numpy as np
import polars as pl
from flatbuffers import number_types
from flatbuffers.table import Table
from numpy.typing import NDArray

from rulerank.errors import InputError
from rulerank.files import literal

_MAGIC = b"ARROW1"
_PREFIX = 8
"""Bytes before each message: a mark that one follows, and its length."""
_BATCHES = 10
"""Place of a field in the table of fields: Footer.recordBatches."""
_HEADER, _BODY_LENGTH = 8, 10
"""The same of Message."""
_LENGTH, _NODES, _BUFFERS, _VARIADIC = 4, 6, 8, 12
"""The same of RecordBatch."""


def read_arrow(path: Path) -> pl.DataFrame:
    """Map an Arrow file into memory.

    Raises
    ------
    InputError
        The file is not a whole Arrow file, or states lengths that are not those of its parts.
    polars.exceptions.PolarsError
        Its columns cannot be read.

    """
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            fault = _fault(content)
    except (struct.error, IndexError, OverflowError, TypeError, ValueError) as error:
        fault = str(error)
    if fault:
        raise InputError(path, f"expected an intact Arrow file, found a damaged one: {fault}. Copy it again.")
    return pl.read_ipc(literal(path))


def _fault(content: mmap.mmap) -> str | None:
    """Return what is wrong with the lengths in a file, or None."""
    size, tail = len(content), len(_MAGIC) + 4
    if content[: len(_MAGIC)] != _MAGIC or content[-len(_MAGIC) :] != _MAGIC:
        return f"it neither begins nor ends with {_MAGIC.decode()}" if size > tail else "it is too short"
    (length,) = struct.unpack_from("<i", content, size - tail)
    if not 0 < length <= size - tail:
        return f"a footer of {length} bytes"
    footer = _root(content[size - tail - length : size - tail])
    for offset, described, body in _rows(footer, _BATCHES, "<i8,<i4,<i4,<i8")[["f0", "f1", "f3"]].tolist():
        if min(offset, described - _PREFIX, body) < 0 or offset + described + body > size:
            return f"a batch of {described} and {body} bytes at {offset}"
        message = _root(content[offset + _PREFIX : offset + described])
        if message.GetSlot(_BODY_LENGTH, 0, number_types.Int64Flags) != body:
            return "a batch of two lengths"
        if fault := _fault_of_batch(_inner(message, _HEADER), body):
            return fault
    return None


def _fault_of_batch(batch: Table, body: int) -> str | None:
    rows = batch.GetSlot(_LENGTH, 0, number_types.Int64Flags)
    nodes, buffers = (_rows(batch, slot, "<i8,<i8") for slot in (_NODES, _BUFFERS))
    # A bit-packed column has eight rows per byte; a column without a buffer holds only nulls.
    most = max(8 * body, rows)
    if not 0 <= rows <= 8 * max(body, 1) or ((nodes["f0"] < 0) | (nodes["f0"] > most)).any():
        return f"columns of up to {max(rows, int(nodes['f0'].max(initial=0)))} rows in {body} bytes"
    if ((nodes["f1"] < 0) | (nodes["f1"] > nodes["f0"])).any():
        return "more missing values than rows"
    begin, length = buffers["f0"], buffers["f1"]
    if ((begin < 0) | (length < 0) | (begin > body) | (length > body - begin)).any():
        return f"a buffer that is not within {body} bytes"
    variadic = _rows(batch, _VARIADIC, "<i8")["f0"]
    if ((variadic < 0) | (variadic > len(buffers))).any():
        return "more buffers of text than buffers"
    return None


def _root(flatbuffer: bytes) -> Table:
    """Return the table that a flatbuffer begins with."""
    (offset,) = struct.unpack_from("<I", flatbuffer)
    return Table(flatbuffer, offset)


def _inner(table: Table, slot: int) -> Table:
    place = table.Offset(slot)
    if not place:
        raise ValueError("a message without its content")
    return Table(table.Bytes, table.Indirect(table.Pos + place))


def _rows(table: Table, slot: int, layout: str) -> NDArray[np.void]:
    """Return a vector of records, empty if there is none."""
    place, kind = table.Offset(slot), np.dtype(layout if "," in layout else [("f0", layout)])
    if not place:
        return np.empty(0, kind)
    begin, count = table.Vector(place), table.VectorLen(place)
    return np.frombuffer(table.Bytes, kind, count, begin)
