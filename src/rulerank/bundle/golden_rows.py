"""Golden rows: what the models of a bundle scored when it was written.

These are rows of real candidates, rows on or just beside the thresholds of splits, and rows with missing
values. They are scored again whenever the bundle is loaded.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import polars as pl

from rulerank.arrays import DoubleArray, FloatArray
from rulerank.bundle.damage import expecting, require
from rulerank.bundle.names import GOLDEN
from rulerank.errors import BundleError
from rulerank.tables import GOLDEN_ROWS
from rulerank.trees import GRAPH, Trees

TOLERANCE = 1e-5
"""The most that a golden score may differ: LightGBM sums leaves in double precision, the graph in single."""

FEW = 32
"""About how many golden rows a model's text scores as well: reasons are read from it."""

DRAWN = 200
"""The number of golden rows for trees that read no features table."""


def golden_rows(trees: Trees, table: pl.DataFrame) -> pl.DataFrame:
    """Return rows that verify a model, each with its score.

    Parameters
    ----------
    trees : Trees
        The model.
    table : polars.DataFrame
        At least one row, with the columns that the model reads.

    """
    rows = table.select(trees.names).to_numpy().astype(np.float32)
    everything = np.vstack([rows, _on_thresholds(trees, rows)])
    # LightGBM itself scores them, since they are to verify the graph with which a bundle scores.
    scores = pl.Series("score", Trees(trees.text).scores(everything))
    return _frame(trees, everything).with_columns(scores)


def drawn_rows(trees: Trees) -> pl.DataFrame:
    """Return `DRAWN` rows whose values are drawn from the thresholds of a model."""
    generator = np.random.default_rng(0)
    columns = [generator.choice(each if len(each) else [0.0], DRAWN) for each in trees.thresholds]
    return _frame(trees, np.column_stack(columns).astype(np.float32))


def _frame(trees: Trees, rows: FloatArray) -> pl.DataFrame:
    return pl.DataFrame(rows, schema={name: pl.Float32() for name in trees.names}, orient="row")


def golden_path(folder: Path, model: str) -> Path:
    """Return the file of a model's golden rows."""
    return folder / GOLDEN / f"{model}.arrow"


def check_rows(folder: Path, forests: Mapping[str, Trees]) -> None:
    """Score the golden rows of all trees again with their graph, and a few of them with their text.

    Raises
    ------
    BundleError
        A row scores differently, or a model has no rows.

    """
    for name, trees in forests.items():
        path = golden_path(folder, name)
        with expecting("golden rows", path):
            golden = GOLDEN_ROWS.check(GOLDEN_ROWS.map(path), path)
            require(golden.height > 0, "none")
            rows = golden.select(trees.names).to_numpy().astype(np.float32)
        expected = golden["score"].to_numpy()
        with expecting("a graph of the model", folder / f"{name}{GRAPH}"):
            scores = trees.scores(rows)
        _require_close(path, scores, expected)
        few = slice(None, None, 1 + len(rows) // FEW)
        nodes = trees.nodes
        paths = nodes.value[nodes.roots].sum() + trees.path_contributions(rows[few]).sum(axis=1)
        _require_close(folder / f"{name}.txt", paths, expected[few])


def _require_close(path: Path, found: DoubleArray, expected: DoubleArray) -> None:
    difference = np.abs(found - expected)
    # Any comparison with NaN is false.
    if not (difference <= TOLERANCE).all():
        raise BundleError(
            f"{path}: golden rows: expected scores within {TOLERANCE}, found a difference of "
            f"{difference.max():.2g}. "
            "Copy the bundle again, or export it again with `dvc repro export`."
        )


def _on_thresholds(trees: Trees, rows: FloatArray) -> FloatArray:
    """Return rows with one value each on a threshold of its column, just above it, or missing."""
    edges = []
    for column, thresholds in enumerate(trees.thresholds):
        if not len(thresholds):
            continue
        threshold = np.float32(thresholds[len(thresholds) // 2])
        values = (threshold, np.nextafter(threshold, np.float32(np.inf)), np.float32(np.nan))
        for place, value in enumerate(values):
            row = rows[(column + place) % len(rows)].copy()
            row[column] = value
            edges.append(row)
    return np.array(edges, np.float32).reshape(-1, rows.shape[1])
