"""XGBoost's own JSON, as `Booster.save_model` writes it and every XGBoost runtime loads it.

Single precision; a value goes left if it is below the threshold; `default_left` says where a missing value
goes. `right_children` is ignored: the right child comes directly after the left one.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from rulerank.engines.columns import Portable
from rulerank.engines.delivered import AS_IT_IS, next_float32, thresholds
from rulerank.engines.forest import Forest, Leaf, Split, read_forest
from rulerank.engines.formats import Format
from rulerank.files import read_json, write_json
from rulerank.trees.nodes import Nodes

MODEL = "model.json"
NO_PARENT = 2**31 - 1
"""The value that stands for the parent of a root."""

ABOUT = f"""\
    booster = xgboost.Booster(model_file="{MODEL}")
    booster.predict(xgboost.DMatrix(rows, feature_names=booster.feature_names))

The columns of `rows` are the features below, in float32, with NaN for a missing value. Scores are raw.
"""


def write(ranker: Portable, folder: Path) -> None:
    """Write the model."""
    names = [column.name for column in ranker.columns]
    trees = _trees(ranker)
    booster = {
        "gbtree_model_param": {"num_parallel_tree": "1", "num_trees": str(len(trees))},
        "iteration_indptr": list(range(len(trees) + 1)),
        "tree_info": [0] * len(trees),
        "trees": trees,
    }
    learner = {
        "attributes": {},
        "feature_names": names,
        "feature_types": ["float"] * len(names),
        "gradient_booster": {"model": booster, "name": "gbtree"},
        "learner_model_param": {
            "base_score": "0E0",
            "boost_from_average": "0",
            "num_class": "0",
            "num_feature": str(len(names)),
            "num_target": "1",
        },
        "objective": {"name": "reg:squarederror", "reg_loss_param": {"scale_pos_weight": "1"}},
    }
    write_json(folder / MODEL, {"learner": learner, "version": [2, 1, 0]})


def _trees(ranker: Portable) -> list[dict[str, Any]]:
    nodes = ranker.trees.nodes
    bounds = next_float32(thresholds(nodes, ranker.columns, AS_IT_IS))
    conditions = np.where(nodes.leaf, nodes.value.astype(np.float32), bounds)
    trees = []
    for number, root in enumerate(nodes.roots.tolist()):
        order = _level_by_level(nodes, root)
        place = {node: at for at, node in enumerate(order)}
        left, right = (
            [-1 if nodes.leaf[node] else place[int(side[node])] for node in order]
            for side in (nodes.left, nodes.right)
        )
        parents = [NO_PARENT] * len(order)
        for at, child in enumerate(left):
            if child >= 0:
                parents[child] = parents[child + 1] = at
        zeros = [0.0] * len(order)
        trees.append(
            {
                "base_weights": zeros,
                "categories": [],
                "categories_nodes": [],
                "categories_segments": [],
                "categories_sizes": [],
                "default_left": nodes.missing_left[order].astype(int).tolist(),
                "id": number,
                "left_children": left,
                "loss_changes": zeros,
                "parents": parents,
                "right_children": right,
                "split_conditions": conditions[order].tolist(),
                "split_indices": nodes.column[order].tolist(),
                "split_type": [0] * len(order),
                "sum_hessian": zeros,
                "tree_param": {
                    "num_deleted": "0",
                    "num_feature": str(len(ranker.columns)),
                    "num_nodes": str(len(order)),
                    "size_leaf_vector": "1",
                },
            }
        )
    return trees


def _level_by_level(nodes: Nodes, root: int) -> list[int]:
    """Return the nodes of a tree with the two children of a node next to each other."""
    order = [root]
    for node in order:
        if not nodes.leaf[node]:
            order += [int(nodes.left[node]), int(nodes.right[node])]
    return order


def read(ranker: Portable, folder: Path) -> Forest:
    """Read the model as XGBoost does."""
    learner = read_json(folder / MODEL)["learner"]
    own = {column.name: number for number, column in enumerate(ranker.columns)}
    place = [own[name] for name in learner["feature_names"]]

    def node(stated: tuple[dict[str, Any], int]) -> Split | Leaf:
        tree, number = stated
        condition = float(np.float32(tree["split_conditions"][number]))
        left = tree["left_children"][number]
        if left < 0:
            return Leaf(condition)
        column = place[tree["split_indices"][number]]
        return Split(column, condition, bool(tree["default_left"][number]), (tree, left), (tree, left + 1))

    trees = learner["gradient_booster"]["model"]["trees"]
    return read_forest([(tree, 0) for tree in trees], node, below=True, single=True)


FORMAT = Format(AS_IT_IS, write, read, ABOUT)
