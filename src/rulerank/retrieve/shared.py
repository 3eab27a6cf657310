"""Passages that are equal to a generator share one entry of its index, and so one score.

A matrix product may round equal rows differently, depending on their position. Equal passages would then
come in an arbitrary order. With one entry, they are scored once.
"""

from __future__ import annotations

from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from rulerank.arrays import Array, FloatArray, IntArray, starts_of
from rulerank.ragged import Ragged

_HASH = 16
"""Bytes of a hash; among a million rows, no two collide by chance."""


def distinct(entries: Array) -> tuple[IntArray, IntArray]:
    """Find which rows are equal.

    Parameters
    ----------
    entries : array of shape (rows, width)
        Compared by a hash of their bytes.

    Returns
    -------
    first : int array of shape (D,)
        The first row of each of D distinct ones, ascending.
    place : int array of shape (rows,)
        The place of each row among those.

    """
    if not len(entries):
        return np.empty(0, np.int64), np.empty(0, np.int64)
    # Sorting the rows themselves would copy them twice, which is gigabytes for a million vectors.
    hashes = b"".join(blake2b(row, digest_size=_HASH).digest() for row in np.ascontiguousarray(entries))
    _, first, place = np.unique(
        np.frombuffer(hashes, np.dtype((np.void, _HASH))), return_index=True, return_inverse=True
    )
    order = np.argsort(first)
    return first[order], np.argsort(order)[place]


def renumbered(place: NDArray[np.integer]) -> tuple[IntArray, NDArray[np.int32]]:
    """Return the entries in use, in the order of their first use, and the new place of each passage's entry.

    Parameters
    ----------
    place : int array of shape (N,)
        The entry of each passage, -1 for none.

    Returns
    -------
    used : int array of shape (D,)
        The entries in use, in the order of the first passages that have them.
    place : int32 array of shape (N,)
        The place of each passage's entry among those, -1 for none.

    """
    rows = np.flatnonzero(place >= 0)
    entries, first, inverse = np.unique(place[rows], return_index=True, return_inverse=True)
    order = np.argsort(first)
    renamed = np.full(len(place), -1, np.int32)
    renamed[rows] = np.argsort(order)[inverse]
    return entries[order].astype(np.int64), renamed


def repointed(place: NDArray[np.integer], same: IntArray) -> NDArray[np.int32]:
    """Return the entry of each passage, -1 for none, once each entry has become the one that `same` names."""
    found = np.full(len(place), -1, np.int32)
    held = place >= 0
    found[held] = same[place[held]]
    return found


def holders(place: NDArray[np.integer], size: int) -> Ragged:
    """Return the passages that have each of `size` entries, ascending.

    Parameters
    ----------
    place : int array of shape (N,)
        The entry of each passage, -1 for none.
    size : int
        Number of entries.

    """
    rows = np.flatnonzero(place >= 0)
    order = rows[np.argsort(place[rows], kind="stable")]
    starts = starts_of(place[order].astype(np.int64), size)
    return Ragged(starts, order.astype(np.int32), np.ones(len(order), np.float32))


def first_passages(
    held: Ragged, entries: IntArray, scores: FloatArray, depth: int
) -> tuple[IntArray, FloatArray]:
    """Return the first passages of scored entries and their scores; ties are in the passages' order.

    Parameters
    ----------
    held : Ragged
        What `holders` returned.
    entries, scores : arrays of shape (entries,)
        The best entries and their scores: the first `depth`, ties in the entries' order.
    depth : int
        Passages to return; fewer if there are fewer.

    """
    owner, columns, _ = held.take(entries)
    order = np.lexsort((columns, -scores[owner]))[:depth]
    return columns[order], scores[owner[order]]
