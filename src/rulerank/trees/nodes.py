"""The nodes of a model's trees as arrays, read from LightGBM's text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from rulerank.arrays import BoolArray, DoubleArray, FloatArray, IntArray
from rulerank.errors import RulerankError

CATEGORICAL, DEFAULT_LEFT, MISSING_NAN = 1, 2, 2
"""Bits of LightGBM's `decision_type`; the kind of missing value is in the bits above the second."""

ZERO = np.float32(1e-35)
"""LightGBM treats a value no further from 0 than this as 0 (include/LightGBM/meta.h, kZeroThreshold)."""

SPLITS = ("split_feature", "threshold", "decision_type", "left_child", "right_child")
LEAVES = ("leaf_value", "leaf_count")


Value = TypeVar("Value", np.int64, np.float32, np.bool_)


@dataclass(frozen=True, eq=False)
class Nodes:
    """All nodes of T trees, tree by tree, with the splits of each before its leaves.

    A value goes left if it is at most the threshold. A leaf leads to itself.

    Parameters
    ----------
    roots : int array of shape (T,)
        The first node of each tree.
    tree : int array of shape (nodes,)
        The tree of each node.
    leaf : boolean array of shape (nodes,)
        Whether a node is a leaf.
    column, left, right : int arrays of shape (nodes,)
        The column that a split tests, and the nodes it leads to.
    threshold : array of shape (nodes,), float32
        Rounded down from LightGBM's double precision; float32 values take the same path.
    missing_left : boolean array of shape (nodes,)
        Whether a missing value goes left.
    value : array of shape (nodes,), float64
        What a leaf adds to the score; for a split, the mean of its leaves weighted by training rows.

    """

    roots: IntArray
    tree: IntArray
    leaf: BoolArray
    column: IntArray
    left: IntArray
    right: IntArray
    threshold: FloatArray
    missing_left: BoolArray
    value: DoubleArray


def read_nodes(text: str) -> Nodes:
    """Read the nodes of a model.

    Raises
    ------
    RulerankError
        A split is categorical, which this project's rankers never are, or the arrays do not form trees.

    """
    try:
        trees = [_arrays(tree) for tree in text.split("\nTree=")[1:]]
    except (KeyError, ValueError) as error:
        raise RulerankError(f"expected trees of numbers, found others: {error}.") from error
    splits = np.array([len(tree["threshold"]) for tree in trees], np.int64)
    leaves = np.array([len(tree["leaf_value"]) for tree in trees], np.int64)
    _require_trees(trees, splits, leaves)
    sizes = splits + leaves
    roots = np.cumsum(sizes) - sizes
    tree = np.repeat(np.arange(len(trees)), sizes)
    place = np.arange(len(tree)) - roots[tree]
    leaf = place >= splits[tree]
    every = {key: np.concatenate([each[key] for each in trees]) for key in (*SPLITS, *LEAVES)}
    decisions = every["decision_type"].astype(np.int64)
    if (decisions & CATEGORICAL).any():
        raise RulerankError("expected only splits on numbers, found a categorical one.")
    # A missing value counts as 0 if training had no missing value there.
    as_zero = every["threshold"] >= 0
    missing_left = np.where(decisions >> 2 == MISSING_NAN, (decisions & DEFAULT_LEFT) > 0, as_zero)
    whole = np.arange(len(tree))
    left, right, value, count = whole.copy(), whole.copy(), np.zeros(len(tree)), np.zeros(len(tree))
    first, behind = roots[tree[~leaf]], splits[tree[~leaf]]
    for side, children in (("left_child", left), ("right_child", right)):
        child = every[side].astype(np.int64)
        # LightGBM numbers the leaves ~0, ~1, ...
        children[~leaf] = first + np.where(child >= 0, child, behind + ~child)
    value[leaf], count[leaf] = every["leaf_value"], every["leaf_count"]
    # A split has a smaller number than the splits below it.
    for number in range(int(splits.max(initial=0)) - 1, -1, -1):
        node = roots[splits > number] + number
        parts = left[node], right[node]
        count[node] = sum(count[part] for part in parts)
        value[node] = sum(count[part] * value[part] for part in parts) / np.maximum(count[node], 1)
    return Nodes(
        roots,
        tree,
        leaf,
        _at(every["split_feature"].astype(np.int64), leaf),
        left,
        right,
        _at(_rounded(every["threshold"]), leaf),
        _at(missing_left, leaf),
        value,
    )


def _require_trees(trees: list[dict[str, DoubleArray]], splits: IntArray, leaves: IntArray) -> None:
    """Raise RulerankError unless every node but the root is the child of exactly one earlier split."""
    every = {key: np.concatenate([each[key] for each in trees]) for key in (*SPLITS, *LEAVES)}
    whole = all(len(each[key]) == size for key in SPLITS for each, size in zip(trees, splits, strict=True))
    whole &= all(len(each["leaf_count"]) == size for each, size in zip(trees, leaves, strict=True))
    # A split between missing values and all others has the threshold infinity.
    known = all(np.isfinite(every[key]).all() for key in every if key != "threshold")
    known &= not np.isnan(every["threshold"]).any()
    if not whole or not known or (leaves != splits + 1).any():
        raise RulerankError("expected as many finite numbers as a tree has splits or leaves, found others.")
    first, behind = np.repeat(np.cumsum(splits) - splits, splits), np.repeat(splits, splits)
    own = np.arange(len(first)) - first
    children = np.concatenate([every["left_child"], every["right_child"]])
    below = np.where(children >= 0, children > np.tile(own, 2), -1 - children <= np.tile(behind, 2))
    # The splits of a tree are numbered from 0, its leaves after them; each is the child of one split.
    places = np.where(children >= 0, children, np.tile(behind, 2) - 1 - children)
    below &= places <= 2 * np.tile(behind, 2)
    tree = np.tile(np.repeat(np.arange(len(trees)), splits), 2)
    nodes = tree * (2 * int(splits.max(initial=0)) + 1) + places.astype(np.int64)
    if not below.all() or len(np.unique(nodes)) != len(nodes) or (children != np.trunc(children)).any():
        raise RulerankError("expected each node below one split before it, found a loop or a node left out.")


def _arrays(tree: str) -> dict[str, DoubleArray]:
    """Return the arrays of one tree by name; a tree of one leaf has no splits."""
    lines = (line.partition("=") for line in tree.splitlines() if "=" in line)
    known = {
        key: np.array(values.split(), np.float64) for key, _, values in lines if key in (*SPLITS, *LEAVES)
    }
    nothing = {**dict.fromkeys(SPLITS, np.empty(0)), "leaf_count": np.zeros(len(known["leaf_value"]))}
    return {**nothing, **known}


def _rounded(thresholds: DoubleArray) -> FloatArray:
    """Return thresholds in single precision that separate the same single-precision values."""
    # A threshold within what counts as 0 moves to its edge, where it separates the same values.
    beside = np.where(thresholds < 0, np.nextafter(-ZERO, np.float32(-np.inf)), ZERO)
    moved = np.where(np.abs(thresholds) <= ZERO, beside, thresholds)
    rounded = moved.astype(np.float32)
    down = np.nextafter(rounded, np.float32(-np.inf))
    return np.where(rounded > moved, down, rounded).astype(np.float32)


def _at(values: NDArray[Value], leaf: BoolArray) -> NDArray[Value]:
    """Spread the values of the splits over all nodes; a leaf has 0."""
    spread = np.zeros(len(leaf), values.dtype)
    spread[~leaf] = values
    return spread
