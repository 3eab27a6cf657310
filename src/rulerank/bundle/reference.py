"""How the features were distributed in training, for comparison with served features."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulerank.arrays import DoubleArray
from rulerank.bundle.damage import expecting, require
from rulerank.errors import BundleError
from rulerank.files import read_json

REFERENCE = "reference.json"
DECILES = np.linspace(0, 1, 11)


@dataclass(frozen=True, eq=False)
class Distribution:
    """How the values of one feature were distributed.

    Parameters
    ----------
    quantiles : array of shape (11,)
        Minimum, deciles and maximum of the values that are present; NaN if there are none.
    edges : array of shape (bins - 1,)
        The distinct inner deciles: each bin reaches up to and includes the next edge.
    shares : array of shape (bins + 1,)
        Share of the rows in each bin, then of those whose value is missing.

    """

    quantiles: DoubleArray
    edges: DoubleArray
    shares: DoubleArray

    @classmethod
    def of(cls, values: NDArray[np.floating]) -> Distribution:
        """Describe values, shape (rows,), NaN for a missing one."""
        there = values[~np.isnan(values)].astype(np.float64)
        # Only values that occur: a quantile between two of them would be a value that no row has.
        quantiles = (
            np.quantile(there, DECILES, method="lower") if len(there) else np.full(len(DECILES), np.nan)
        )
        edges = np.unique(quantiles[1:-1][~np.isnan(quantiles[1:-1])])
        return cls(quantiles, edges, shares(values, edges))

    def as_json(self) -> dict[str, Any]:
        """Return it as plain data; quantiles of no values are null."""
        stated = [None if np.isnan(each) else float(each) for each in self.quantiles]
        return {"quantiles": stated, "edges": self.edges.tolist(), "shares": self.shares.tolist()}

    @classmethod
    def read(cls, stated: Mapping[str, Any]) -> Distribution:
        """Read what `as_json` returned."""
        quantiles = np.array([np.nan if each is None else each for each in stated["quantiles"]], np.float64)
        edges, shares = (np.array(stated[name], np.float64) for name in ("edges", "shares"))
        require(quantiles.shape == DECILES.shape, f"{quantiles.size} quantiles")
        require(edges.ndim == 1 and bool((np.diff(edges) > 0).all()), "edges that do not rise")
        require(shares.shape == (len(edges) + 2,), f"{shares.size} shares for {edges.size} edges")
        # Without rows, no bin has a share.
        whole = bool(np.isclose(shares.sum(), (0, 1)).any())
        require(whole and bool((shares >= 0).all()), f"shares that add up to {shares.sum():g}")
        return cls(quantiles, edges, shares)


def shares(values: NDArray[np.floating], edges: DoubleArray) -> DoubleArray:
    """Return the share of values in each bin, then of the missing ones, shape (edges + 2,)."""
    bins = np.searchsorted(edges, values, side="left")
    bins[np.isnan(values)] = len(edges) + 1
    counted: DoubleArray = np.bincount(bins, minlength=len(edges) + 2) / max(len(values), 1)
    return counted


def describe(columns: Iterable[tuple[str, NDArray[np.floating]]]) -> dict[str, Any]:
    """Return the distributions of features by name as plain data, for `reference.json`."""
    return {name: Distribution.of(values).as_json() for name, values in columns}


def read_reference(folder: Path) -> dict[str, Distribution]:
    """Read the distributions that a bundle came with.

    Raises
    ------
    BundleError
        There is no such file, or it holds something else.

    """
    path = folder / REFERENCE
    if not path.is_file():
        raise BundleError(
            f"{path}: expected the distributions of the features in training, found no file. "
            "Export the ranker again with `dvc repro export`."
        )
    with expecting("distributions of features", path):
        return {name: Distribution.read(stated) for name, stated in read_json(path).items()}
