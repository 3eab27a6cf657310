"""LightGBM's trees laid out for a file: as nested values, and their leaves from left to right."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from rulerank.arrays import IntArray
from rulerank.trees.nodes import Nodes


def nested(nodes: Nodes, leaf: Callable[[int], Any], split: Callable[[int, Any, Any], Any]) -> list[Any]:
    """Return what a file has for the root of each tree.

    Parameters
    ----------
    nodes : Nodes
        The trees.
    leaf : callable
        Maps a node to what states it.
    split : callable
        Maps a node, and what states its left and right child, to what states the node.

    """
    ends, left, right = nodes.leaf.tolist(), nodes.left.tolist(), nodes.right.tolist()
    built: list[Any] = [None] * len(ends)
    # Children have greater numbers than their parents.
    for node in reversed(range(len(ends))):
        built[node] = leaf(node) if ends[node] else split(node, built[left[node]], built[right[node]])
    return [built[root] for root in nodes.roots.tolist()]


def leaf_positions(nodes: Nodes) -> list[IntArray]:
    """Return, for each tree, the position of each leaf from the left, from 0, by LightGBM's leaf numbers."""
    ends, left, right = nodes.leaf.tolist(), nodes.left.tolist(), nodes.right.tolist()
    size = [1] * len(ends)
    for node in reversed(range(len(ends))):
        if not ends[node]:
            size[node] = size[left[node]] + size[right[node]]
    before = np.zeros(len(ends), np.int64)
    for node, end in enumerate(ends):
        if not end:
            before[left[node]] = before[node]
            before[right[node]] = before[node] + size[left[node]]
    bounds = [*nodes.roots.tolist(), len(ends)]
    # In a tree, the leaves follow the splits in the order of their numbers.
    return [before[start:end][nodes.leaf[start:end]] for start, end in pairwise(bounds)]
