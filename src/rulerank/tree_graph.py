"""Trained trees as an ONNX graph, which scores the candidates of a question in half of LightGBM's time.

The graph has the thresholds and leaves of the model in double precision, so that every row takes the same
way through every tree. Golden rows on thresholds and with missing values prove it whenever a bundle loads.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulerank.errors import RulerankError
from rulerank.trees import Trees

CATEGORICAL, DEFAULT_LEFT, MISSING_NAN = 1, 2, 2
"""Bits of LightGBM's `decision_type`; the kind of missing value stands above the second."""

ZERO = float(np.float32(1e-35))
"""LightGBM takes a value no further from 0 than this for 0 (include/LightGBM/meta.h, kZeroThreshold)."""

SPLITS = ("split_feature", "threshold", "decision_type", "left_child", "right_child")


def tree_graph(trees: Trees) -> bytes:
    """Return a model as a serialised ONNX graph: rows of float64 in, one score per row out.

    Raises
    ------
    RulerankError
        A split is categorical, which this project's rankers never are.

    """
    from onnx import TensorProto, helper

    nodes: dict[str, list[Any]] = {}
    for place, tree in enumerate(trees.text.split("\nTree=")[1:]):
        for name, values in _nodes(_arrays(tree), place).items():
            nodes.setdefault(name, []).extend(values)
    doubles = {
        f"{name}_as_tensor": helper.make_tensor(name, TensorProto.DOUBLE, [len(nodes[name])], nodes.pop(name))
        for name in ("nodes_values", "target_weights")
    }
    attributes: dict[str, Any] = {**nodes, **doubles}
    regressor = helper.make_node(
        "TreeEnsembleRegressor", ["rows"], ["scores"], domain="ai.onnx.ml", n_targets=1, **attributes
    )
    columns = len(trees.names)
    graph = helper.make_graph(
        [regressor],
        "trees",
        [helper.make_tensor_value_info("rows", TensorProto.DOUBLE, ["n", columns])],
        [helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["n", 1])],
    )
    opsets = [helper.make_opsetid("ai.onnx.ml", 3), helper.make_opsetid("", 17)]
    model = helper.make_model(graph, opset_imports=opsets)
    model.ir_version = 8
    serialised: bytes = model.SerializeToString()
    return serialised


def _arrays(tree: str) -> dict[str, NDArray[np.float64]]:
    """Return the arrays of one tree of LightGBM's text by name."""
    lines = (line.partition("=") for line in tree.splitlines() if "=" in line)
    wanted = (*SPLITS, "leaf_value")
    return {key: np.array(values.split(), np.float64) for key, _, values in lines if key in wanted}


def _nodes(tree: dict[str, NDArray[np.float64]], place: int) -> dict[str, list[Any]]:
    """Return one tree as the attributes of ONNX's TreeEnsembleRegressor: splits first, then leaves."""
    leaves = tree["leaf_value"].tolist()
    # A tree of one leaf has no splits.
    tree = {**dict.fromkeys(SPLITS, np.empty(0)), **tree}
    decisions = tree["decision_type"].astype(np.int64)
    if (decisions & CATEGORICAL).any():
        raise RulerankError("expected splits on numbers alone, found a categorical one.")
    splits, ends = len(decisions), len(leaves)
    thresholds = tree["threshold"]
    # A threshold between 0 and what counts as 0 stands where it parts the same values without rounding any.
    beside = np.where(thresholds < 0, np.nextafter(-ZERO, -np.inf), ZERO)
    thresholds = np.where(np.abs(thresholds) <= ZERO, beside, thresholds)
    # What is missing where training saw nothing missing counts as 0.
    as_zero = tree["threshold"] >= 0
    missing_left = np.where(decisions >> 2 == MISSING_NAN, (decisions & DEFAULT_LEFT) > 0, as_zero)
    left, right = (
        np.where(tree[side] >= 0, tree[side], splits - tree[side] - 1).astype(np.int64).tolist()
        for side in ("left_child", "right_child")
    )
    nothing = [0] * ends
    return {
        "nodes_treeids": [place] * (splits + ends),
        "nodes_nodeids": list(range(splits + ends)),
        "nodes_featureids": [*tree["split_feature"].astype(np.int64).tolist(), *nothing],
        "nodes_modes": ["BRANCH_LEQ"] * splits + ["LEAF"] * ends,
        "nodes_values": [*thresholds.tolist(), *[0.0] * ends],
        "nodes_truenodeids": [*left, *nothing],
        "nodes_falsenodeids": [*right, *nothing],
        "nodes_missing_value_tracks_true": [*missing_left.astype(np.int64).tolist(), *nothing],
        "target_treeids": [place] * ends,
        "target_nodeids": list(range(splits, splits + ends)),
        "target_ids": nothing,
        "target_weights": leaves,
    }
