"""Verification that an exported file scores as the ranker does: every row, every tree, every path."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rulerank.arrays import FloatArray
from rulerank.engines.columns import Portable
from rulerank.engines.delivered import LARGEST, from_engine, to_engine
from rulerank.engines.formats import Format
from rulerank.engines.tree_layout import leaf_positions
from rulerank.errors import RulerankError

ROWS = 10_000
TOLERANCE = 1e-5
"""The most that a score may differ, as a share of a score above 1: most engines add in single precision."""
SEED = 7


@dataclass(frozen=True)
class Verification:
    """What was compared and found equal.

    Parameters
    ----------
    rows, trees : int
        Every row was sent through every tree.
    on_thresholds, missing : int
        The number of values on or just beside a threshold, and of missing values.
    difference : float
        The greatest difference of two scores, as a share of a score beyond 1.

    """

    rows: int
    trees: int
    on_thresholds: int
    missing: int
    difference: float


def hard_rows(ranker: Portable, given: FloatArray, count: int = ROWS) -> FloatArray:
    """Return rows that distinguish a faithful copy of the trees from any other, shape (rows, columns).

    Parameters
    ----------
    ranker : Portable
        The ranker whose thresholds are used.
    given : array of shape (rows, columns)
        Rows of real candidates, at least one; they come first.
    count : int, optional
        Rows to return. In generated rows, each value of a given row is, with equal chance, left alone or
        replaced by a threshold of its column, by the value before or after that, by a missing value, or by 0.

    """
    random = np.random.default_rng(SEED)
    rows = given[np.arange(count) % len(given)].astype(np.float32)
    made = np.arange(count) >= len(given)
    low, high = np.float32(-np.inf), np.float32(np.inf)
    for column, bounds in enumerate(ranker.trees.thresholds):
        if not len(bounds):
            continue
        on = bounds.clip(-LARGEST, LARGEST).astype(np.float32)[random.integers(len(bounds), size=count)]
        nothing = np.full(count, np.nan, np.float32)
        choices = (rows[:, column], on, np.nextafter(on, low), np.nextafter(on, high), nothing, 0 * on)
        values = np.choose(random.integers(len(choices), size=count), choices).clip(-LARGEST, LARGEST)
        if ranker.columns[column].kind != "cosine":
            # Words and facts are never negative.
            values = np.maximum(values, 0)
        rows[made, column] = values[made]
    return rows


def verify(
    form: Format, ranker: Portable, folder: Path, given: FloatArray, count: int = ROWS
) -> Verification:
    """Send rows through an exported file as its engine would, and compare with LightGBM.

    Parameters
    ----------
    form : Format
        The format of the export.
    ranker : Portable
        The ranker that was exported.
    folder : Path
        The folder of the export.
    given : array of shape (rows, columns)
        Rows of real candidates.
    count : int, optional
        Rows to send; `hard_rows` makes them.

    Raises
    ------
    RulerankError
        A row takes a different path through a tree, or a score differs by more than `TOLERANCE` allows.

    """
    # The values that an engine delivers, and the features that they stand for.
    values = to_engine(hard_rows(ranker, given, count), ranker.columns, form.cosine)
    rows = from_engine(values, ranker.columns, form.cosine)
    leaves = ranker.trees.leaves(rows)
    expected = np.stack(
        [place[leaves[:, tree]] for tree, place in enumerate(leaf_positions(ranker.trees.nodes))], axis=1
    )
    forest = form.read(ranker, folder)
    ends = forest.ends(values)
    wrong = int((forest.place[ends[:, : expected.shape[1]]] != expected).sum())
    lift = form.lift(folder) if form.lift else 0.0
    scores = [forest.scores(ends), *([form.run(folder, values)] if form.run else [])]
    right = ranker.trees.scores(rows)
    off = [np.abs(each - lift - right) / np.maximum(np.abs(right), 1) for each in scores]
    difference = max(each.max() for each in off)
    if wrong or not difference <= TOLERANCE:
        raise RulerankError(
            f"the exported file: expected LightGBM's leaves and scores, found {wrong} other leaves in "
            f"{expected.shape[1]} trees and scores off by {difference:.2g}. Report it with the "
            "bundle's manifest.json."
        )
    bounds = [on.astype(np.float32) for on in ranker.trees.thresholds]
    near = [
        np.isin(rows[:, column], [on, np.nextafter(on, np.float32(np.inf))])
        for column, on in enumerate(bounds)
    ]
    return Verification(
        count, expected.shape[1], int(np.sum(near)), int(np.isnan(rows).sum()), float(difference)
    )
