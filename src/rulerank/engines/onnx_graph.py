"""ONNX: the graph with which a bundle scores, one TreeEnsembleRegressor.

Single precision; a value goes left if it is at most the threshold (`BRANCH_LEQ`);
`nodes_missing_value_tracks_true` says where a missing value goes.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from rulerank.arrays import DoubleArray, FloatArray
from rulerank.engines.columns import Portable
from rulerank.engines.delivered import AS_IT_IS
from rulerank.engines.forest import Forest, Leaf, Split, read_forest
from rulerank.engines.formats import Format
from rulerank.trees.graph import tree_graph

MODEL = "model.onnx"

ABOUT = f"""\
    session = onnxruntime.InferenceSession("{MODEL}")
    (scores,) = session.run(None, {{"rows": rows}})

`rows` has one float32 column per feature below, with NaN for a missing value. `scores` has the shape
(rows, 1). ONNX Runtime is embedded in Vespa and in Elasticsearch's inference service, and can be used from
most languages.
"""


def write(ranker: Portable, folder: Path) -> None:
    """Write the graph."""
    (folder / MODEL).write_bytes(tree_graph(ranker.trees))


def read(ranker: Portable, folder: Path) -> Forest:
    """Read the trees of the graph by the definition of its operator."""
    import onnx

    del ranker
    (operator,) = onnx.load(str(folder / MODEL)).graph.node
    stated = {each.name: onnx.helper.get_attribute_value(each) for each in operator.attribute}
    trees, numbers = stated["nodes_treeids"], stated["nodes_nodeids"]
    place = {key: node for node, key in enumerate(zip(trees, numbers, strict=True))}
    ends = zip(stated["target_treeids"], stated["target_nodeids"], strict=True)
    weight = dict(zip(ends, stated["target_weights"], strict=True))

    def node(key: tuple[int, int]) -> Split | Leaf:
        if key in weight:
            return Leaf(float(np.float32(weight[key])))
        at, tree = place[key], key[0]
        return Split(
            stated["nodes_featureids"][at],
            float(np.float32(stated["nodes_values"][at])),
            bool(stated["nodes_missing_value_tracks_true"][at]),
            (tree, stated["nodes_truenodeids"][at]),
            (tree, stated["nodes_falsenodeids"][at]),
        )

    roots = [(tree, 0) for tree in dict.fromkeys(trees)]
    return read_forest(roots, node, below=False, single=True)


def run(folder: Path, values: FloatArray) -> DoubleArray:
    """Return the scores that ONNX Runtime gives rows, shape (rows,)."""
    import onnxruntime

    session = onnxruntime.InferenceSession(folder / MODEL, providers=["CPUExecutionProvider"])
    (scores,) = session.run(None, {"rows": values})
    return np.asarray(scores[:, 0], np.float64)


FORMAT = Format(AS_IT_IS, write, read, ABOUT, run=run)
