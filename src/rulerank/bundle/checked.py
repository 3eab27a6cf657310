"""The arrays of a folder, checked against their layout."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulerank.arrays import BoolArray, load_arrays
from rulerank.bundle.damage import expecting, require
from rulerank.bundle.layout import INDEX, PARTS, Bounds, Layout, Lists, Numbers
from rulerank.ragged import Ragged, ragged_from
from rulerank.retrieve.product import STEPS


class Arrays:
    """The arrays of one folder, checked one by one as the layout requires.

    Parameters
    ----------
    folder : Path
        The folder.
    layout : mapping of str to Numbers or Lists
        The arrays that must be in it, and no others.
    sizes : dict of str to int
        Known sizes by name; those that the layout names are added.
    largest : int or None
        In larger files of fractions and codes the values are not checked, since that reads all of them.

    Raises
    ------
    BundleError
        An array is missing, unexpected, or does not match its layout.

    """

    def __init__(self, folder: Path, layout: Layout, sizes: dict[str, int], largest: int | None) -> None:
        self.folder, self._sizes, self._largest = folder, sizes, largest
        with expecting("a folder of arrays", folder):
            self.arrays = load_arrays(folder)
        parts = {name: PARTS if isinstance(each, Lists) else () for name, each in layout.items()}
        expected = {f"{name}.{part}" for name in parts for part in parts[name]}
        expected |= {name for name in parts if not parts[name]}
        for name in sorted(expected ^ self.arrays.keys()):
            with expecting("an array" if name in expected else "no array of this name", self.path(name)):
                require(False, "none" if name in expected else "one")
        for name, each in layout.items():
            if isinstance(each, Numbers):
                self._check(name, each)
            elif isinstance(each, Bounds):
                self._check_bounds(name, each.count, self._sizes[each.of], least=1)
            else:
                self._check_lists(name, each)

    def path(self, name: str) -> Path:
        """Return the file of an array."""
        return self.folder / f"{name}.npy"

    def lists(self, name: str) -> Ragged:
        """Return lists that have been checked."""
        return ragged_from(self.arrays, name)

    def _check_lists(self, name: str, lists: Lists) -> None:
        """Check three arrays: they must have equal numbers of entries, and each list must be within them."""
        entries = f"{self.folder.name}/{name}"
        starts, items, weights = (f"{name}.{part}" for part in PARTS)
        # The number of lists may be the size that bounds the items of other lists.
        self._check_bounds(starts, lists.count, len(self.arrays[items]), least=0)
        self._check(items, Numbers(entries, "int32", 0, lists.of))
        self._check(
            weights, Numbers(entries, least=0) if lists.weighed else Numbers(entries, least=1, most=1)
        )
        if lists.rising:
            within = np.ones(max(len(self.arrays[items]) - 1, 0), np.bool_)
            bounds: Any = self.arrays[starts][1:-1]
            within[bounds[(bounds > 0) & (bounds <= len(within))] - 1] = False
            with expecting("lists that rise", self.path(items)):
                require(bool((_rising(self.arrays[items]) | ~within).all()), "one that does not")

    def _check_bounds(self, name: str, count: str, end: int, least: int) -> None:
        found = self.arrays[name]
        with expecting(f"where each of the {count} begins", self.path(name)):
            require(found.dtype in map(np.dtype, INDEX.split()), f"numbers of type {found.dtype}")
            size = self._size(count, found.size - 1)
            require(found.shape == (size + 1,), f"an array of shape {found.shape} for {size}")
            require(
                found[0] == 0 and found[-1] == end, f"ends at {found[0]} and {found[-1]}, not 0 and {end}"
            )
            require(bool((np.diff(found) >= least).all()), "one that ends before it begins")

    def _check(self, name: str, expected: Numbers) -> None:
        found = self.arrays[name]
        with expecting(f"numbers of shape ({', '.join(expected.shape.split())})", self.path(name)):
            require(found.dtype in map(np.dtype, expected.types.split()), f"numbers of type {found.dtype}")
            names = expected.shape.split()
            require(found.ndim == len(names), f"an array of shape {found.shape}")
            for each, length in zip(names, found.shape, strict=True):
                size = self._size(each, length)
                require(length == size, f"an array of shape {found.shape}, where {each} are {size}")
            if self.reads(name) or found.dtype.name in INDEX.split():
                self._check_values(found, expected)

    def reads(self, name: str) -> bool:
        """Return whether a file is small enough for its values to be checked."""
        return self._largest is None or self.path(name).stat().st_size <= self._largest

    def _size(self, name: str, found: int) -> int:
        return int(name) if name.isdigit() else self._sizes.setdefault(name, found)

    def _check_values(self, found: NDArray[Any], expected: Numbers) -> None:
        if not found.size or found.dtype == np.bool_:
            return
        most = self._sizes[expected.most] - 1 if isinstance(expected.most, str) else expected.most
        if expected.missing:
            low, high = np.fmin.reduce(found, axis=None), np.fmax.reduce(found, axis=None)
            low, high = (0 if np.isnan(each) else each for each in (low, high))
        else:
            low, high = found.min(), found.max()
        # Any comparison with NaN is false.
        within = bool(np.isfinite(low) and np.isfinite(high) and low >= expected.least and high <= most)
        require(within, f"values from {low} to {high}")
        if expected.whole:
            require(bool((found == np.trunc(found)).all()), "fractions")
        if expected.rising:
            require(bool(_rising(found).all()), "values that do not rise")
        if expected.unit:
            lengths = np.sqrt(np.einsum("ij,ij->i", found, found, dtype=np.float32))
            # Rounding moves each element by half a step at most, and so the length by this.
            odd = (np.abs(lengths - STEPS) > np.sqrt(found.shape[1]) / 2) & (lengths != 0)
            require(not odd.any(), f"rows of other lengths than {STEPS}, the first of them {np.argmax(odd)}")


def _rising(values: NDArray[Any]) -> BoolArray:
    """Return whether each value except the first is greater than the one before."""
    rising: BoolArray = values[1:] > values[:-1]
    return rising
