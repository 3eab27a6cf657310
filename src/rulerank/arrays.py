"""Array types and the few array operations that every package needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from mmap import ACCESS_READ, mmap
from pathlib import Path

import numpy as np
from numpy.lib.format import read_array_header_1_0, read_magic
from numpy.typing import NDArray

from rulerank.errors import InputError

FloatArray = NDArray[np.float32]
DoubleArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]
Array = NDArray[np.generic]

NO_CELLS: IntArray = np.empty(0, np.int64)
"""No pairs of question and passage, each written as question * N + passage."""


_SHARED = 1 << 18
"""Multiplications above which OpenBLAS shares a product of matrices among threads."""


def cells(columns: Sequence[IntArray], width: int) -> IntArray:
    """Return pairs of row and column, given by row, as row * width + column."""
    rows = np.repeat(np.arange(len(columns)), [len(each) for each in columns])
    found: IntArray = rows * width + np.concatenate([NO_CELLS, *columns])
    return found


def normalise_rows(matrix: FloatArray) -> FloatArray:
    """Scale each row to unit length; a row of zeros stays as it is."""
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    return (matrix / np.where(lengths > 0, lengths, 1)).astype(np.float32, copy=False)


def product(left: FloatArray, right: FloatArray) -> FloatArray:
    """Return the product of two matrices, computed by one thread.

    BLAS shares a large product among threads. Those of one question are so small that waiting for the other
    threads takes longer than the work: milliseconds, if the processors are busy. The parts computed here are
    too small to be shared.

    Parameters
    ----------
    left : array of shape (rows, width)
    right : array of shape (width, columns)

    Returns
    -------
    array of shape (rows, columns)

    """
    rows = max(1, _SHARED // max(1, right.size))
    products = np.empty((len(left), right.shape[1]), np.float32)
    for start in range(0, len(left), rows):
        part = slice(start, start + rows)
        np.matmul(left[part], right, out=products[part])
    return products


def best_columns(scores: FloatArray, depth: int) -> IntArray:
    """Return the columns of the `depth` highest scores of each row, best first.

    Parameters
    ----------
    scores : array of shape (queries, columns)
        A column that must come after all others has -inf.
    depth : int
        Columns to return; fewer when there are fewer columns.

    Returns
    -------
    array of shape (queries, min(depth, columns))
        Columns with equal scores are in column order.

    """
    depth = min(depth, scores.shape[1])
    if depth in (0, scores.shape[1]):
        return np.argsort(-scores, axis=1, kind="stable")[:, :depth]
    columns = np.argpartition(-scores, depth - 1, axis=1)[:, :depth]
    # A partition takes an arbitrary choice of the scores that tie at the cut. Those rows are sorted in full.
    lowest = np.take_along_axis(scores, columns, axis=1).min(axis=1, keepdims=True)
    tied = (scores >= lowest).sum(axis=1) > depth
    columns[tied] = np.argsort(-scores[tied], axis=1, kind="stable")[:, :depth]
    columns = np.sort(columns, axis=1)
    order = np.argsort(-np.take_along_axis(scores, columns, axis=1), axis=1, kind="stable")
    return np.take_along_axis(columns, order, axis=1)


def best_places(scores: NDArray[np.floating], depth: int) -> IntArray:
    """Return the places of the `depth` highest scores, best first; equal scores keep their order.

    Parameters
    ----------
    scores : array of shape (places,)
        No NaN among them.
    depth : int
        Places to return; fewer when there are fewer.

    """
    if not 0 < depth < len(scores):
        return np.argsort(-scores, kind="stable")[:depth]
    # Scores equal to the last one taken are kept until the order is known.
    places = np.flatnonzero(scores >= np.partition(scores, -depth)[-depth])
    return places[np.argsort(-scores[places], kind="stable")[:depth]]


def bounds(sizes: NDArray[np.integer] | BoolArray) -> IntArray:
    """Return where each group of a given size begins, then where the last one ends, shape (groups + 1,)."""
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64, copy=False)


def starts_of(rows: IntArray, size: int) -> IntArray:
    """Return where each of `size` groups begins in ascending group numbers, then where the last one ends."""
    return np.searchsorted(rows, np.arange(size + 1))


def order_by_score(rows: IntArray, scores: FloatArray) -> IntArray:
    """Return the order of entries by group, then score from the highest, then place; NaN comes last.

    Parameters
    ----------
    rows : array of shape (entries,)
        Ascending group numbers, from 0.
    scores : array of shape (entries,)
        A score per entry.

    """
    if not len(rows) or rows[0] == rows[-1]:
        return np.argsort(-scores.astype(np.float32), kind="stable")
    first = np.searchsorted(rows, np.arange(rows[-1] + 1))
    places = np.arange(len(rows)) - first[rows]
    if max(rows[-1], places.max()) > _LARGEST:
        return np.lexsort((-scores.astype(np.float32), rows))
    # Group, score and place are sorted as one integer: numpy sorts integers many times faster than by keys.
    bits = (scores.astype(np.float32) + np.float32(0)).view(np.uint32)
    descending = np.where(bits >> 31, bits, ~bits ^ np.uint32(1 << 31))
    descending[np.isnan(scores)] = np.iinfo(np.uint32).max
    keys = (
        rows.astype(np.uint64) << np.uint64(48)
        | descending.astype(np.uint64) << np.uint64(16)
        | places.astype(np.uint64)
    )
    keys.sort()
    return (keys & np.uint64(_LARGEST)).astype(np.int64) + first[rows]


def begins(ordered: NDArray[np.generic]) -> IntArray:
    """Return where each run of equal entries begins, shape (runs,)."""
    new = np.ones(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=new[1:])
    return new.nonzero()[0]


def grouped(keys: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Return the distinct keys in ascending order, the sorting permutation, and where each group starts.

    Parameters
    ----------
    keys : int array of shape (entries,)
        From 0; their number times the greatest stays below 2^63.

    """
    # Key and position are sorted as one integer: numpy sorts integers many times faster than it argsorts.
    packed = keys * len(keys) + np.arange(len(keys))
    packed.sort()
    ordered = packed // max(len(keys), 1)
    starts = begins(ordered)
    return ordered[starts], packed - ordered * len(keys), starts


def numbered(keys: IntArray) -> tuple[IntArray, IntArray]:
    """Return the distinct keys in ascending order, and the place of each entry's key among them."""
    different, order, starts = grouped(keys)
    number = np.zeros(len(keys), np.int64)
    number[starts[1:]] = 1
    places = np.empty(len(keys), np.int64)
    places[order] = np.cumsum(number)
    return different, places


def counted(keys: IntArray) -> tuple[IntArray, IntArray]:
    """Return the distinct keys in ascending order, and how often each occurs."""
    ordered = np.sort(keys)
    starts = begins(ordered)
    return ordered[starts], np.diff(np.append(starts, len(ordered)))


def save_arrays(folder: Path, arrays: Mapping[str, Array]) -> None:
    """Write arrays into a new folder, one `.npy` file each, to be read by `load_arrays`."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, values in arrays.items():
        np.save(folder / f"{name}.npy", np.ascontiguousarray(values), allow_pickle=False)


def load_arrays(folder: Path) -> dict[str, NDArray[np.generic]]:
    """Map the arrays of a folder into memory: nothing is read before it is used.

    Raises
    ------
    InputError
        The folder holds no array, or a file is not one.

    """
    paths = sorted(folder.glob("*.npy"))
    if not paths:
        raise InputError(folder, "expected a folder of arrays, found none. Run `dvc repro`.")
    return {path.stem: _mapped(path) for path in paths}


def _mapped(path: Path) -> NDArray[np.generic]:
    """Map one array; unlike NumPy's own reader, refuse a file whose size differs from its header."""
    try:
        with path.open("rb") as stream:
            if read_magic(stream) != (1, 0):
                raise ValueError("unsupported version")
            shape, by_column, dtype = read_array_header_1_0(stream)
            start, size = stream.tell(), path.stat().st_size
            promised = start + dtype.itemsize * prod(shape)
            if dtype.hasobject or min(shape, default=0) < 0 or promised != size:
                raise ValueError(f"its header promises {promised} bytes of {dtype}, not {size}")
            if start == size:
                return np.empty(shape, dtype)
            mapped = mmap(stream.fileno(), 0, access=ACCESS_READ)
    except (OSError, ValueError, EOFError) as error:
        raise InputError(path, f"expected an array in NumPy's format: {error}. Run `dvc repro`.") from error
    return np.ndarray(shape, dtype, mapped, start, order="F" if by_column else "C")


_LARGEST = 0xFFFF
"""The largest group number, and the largest place within a group, that a sort key has room for."""
