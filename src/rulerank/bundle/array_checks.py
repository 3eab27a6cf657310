"""Checks that arrays agree with one another; an error names the file that does not."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulerank.bundle.checked import Arrays
from rulerank.bundle.damage import expecting, require
from rulerank.ragged import Ragged, collected, transposed

BLOCK = 1 << 22
"""How many entries are compared at a time, about."""


def require_mirrored(arrays: Arrays, name: str, other: str, size: int) -> None:
    """Check that the lists of b by a and the lists of a by b agree."""
    with expecting(f"the lists of {other} the other way round", arrays.path(f"{name}.items")):
        turned = transposed(arrays.lists(other), size)
        require_same(arrays.lists(name), turned)
        require(np.array_equal(arrays.lists(name).weights, turned.weights), "other weights")


def require_symmetric(arrays: Arrays, name: str) -> None:
    """Check that each link in some lists also leads back."""
    with expecting("links that lead both ways", arrays.path(f"{name}.items")):
        lists = arrays.lists(name)
        require_same(lists, transposed(lists, len(lists)))


def require_links(arrays: Arrays, name: str, expected: Ragged) -> None:
    """Check that some lists are the links of some edges."""
    with expecting("the links of the edges table", arrays.path(f"{name}.items")):
        require_same(arrays.lists(name), expected)


def require_closed(above: Ragged, every: Ragged) -> None:
    """Raise MismatchError unless `every` has, for each node, the nodes `above` it and all that these have."""
    further = np.bincount(above.owners, every.sizes_of(above.items), len(above))
    # A block bounds the memory, however many nodes stand above one another.
    blocks = np.cumsum(further) // BLOCK
    for block in np.unique(blocks):
        rows = np.flatnonzero(blocks == block)
        owner, items, _ = above.take(rows)
        place, beyond, _ = every.take(items)
        owners, reached = np.concatenate([owner, owner[place]]), np.concatenate([items, beyond])
        expected = collected(owners, reached, len(rows))
        require(np.array_equal(expected.sizes, every.sizes_of(rows)), "other numbers of them")
        require(np.array_equal(expected.items, every.take(rows)[1]), "others")


def require_same(found: Ragged, expected: Ragged) -> None:
    """Raise MismatchError unless both hold the same lists, whatever their weights."""
    require(np.array_equal(found.starts, expected.starts), "lists of other lengths")
    require(np.array_equal(found.items, expected.items), "other lists")


def require_equal(arrays: Arrays, name: str, expected: NDArray[Any]) -> None:
    """Check that an array equals the values computed again."""
    with expecting("what follows from the passages and the other arrays", arrays.path(name)):
        floats = expected.dtype.kind == "f"
        require(np.array_equal(arrays.arrays[name], expected, equal_nan=floats), "other values")


def require_words(said: Any, count: int) -> None:
    """Raise MismatchError unless `said` is a list of `count` different texts."""
    require(isinstance(said, list) and all(isinstance(each, str) for each in said), "something else")
    require(len(set(said)) == len(said) == count, f"{len(set(said))} different of {len(said)}, not {count}")
