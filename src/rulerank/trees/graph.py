"""Trained trees as an ONNX graph, which scores a question's candidates in a third of LightGBM's time.

The graph works in single precision, as the rows do. Its thresholds are rounded so that every row takes the
same path through every tree. Golden rows on thresholds and with missing values verify this whenever a bundle
is loaded. Only the sum of the leaves is rounded.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rulerank.trees.model import Trees


def tree_graph(trees: Trees) -> bytes:
    """Return a model as a serialised ONNX graph: rows of float32 in, one score per row out.

    Raises
    ------
    RulerankError
        A split is categorical, which this project's rankers never are.

    """
    from onnx import TensorProto, helper

    nodes = trees.nodes
    leaves = nodes.leaf.nonzero()[0]
    number = np.arange(len(nodes.tree)) - nodes.roots[nodes.tree]
    attributes: dict[str, Any] = {
        "nodes_treeids": nodes.tree.tolist(),
        "nodes_nodeids": number.tolist(),
        "nodes_featureids": nodes.column.tolist(),
        "nodes_modes": ["LEAF" if leaf else "BRANCH_LEQ" for leaf in nodes.leaf],
        "nodes_values": nodes.threshold.tolist(),
        "nodes_truenodeids": number[nodes.left].tolist(),
        "nodes_falsenodeids": number[nodes.right].tolist(),
        "nodes_missing_value_tracks_true": nodes.missing_left.astype(int).tolist(),
        "target_treeids": nodes.tree[leaves].tolist(),
        "target_nodeids": number[leaves].tolist(),
        "target_ids": [0] * len(leaves),
        "target_weights": nodes.value[leaves].tolist(),
    }
    regressor = helper.make_node(
        "TreeEnsembleRegressor", ["rows"], ["scores"], domain="ai.onnx.ml", n_targets=1, **attributes
    )
    graph = helper.make_graph(
        [regressor],
        "trees",
        [helper.make_tensor_value_info("rows", TensorProto.FLOAT, ["n", len(trees.names)])],
        [helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["n", 1])],
    )
    opsets = [helper.make_opsetid("ai.onnx.ml", 3), helper.make_opsetid("", 17)]
    model = helper.make_model(graph, opset_imports=opsets)
    model.ir_version = 8
    serialised: bytes = model.SerializeToString()
    return serialised
