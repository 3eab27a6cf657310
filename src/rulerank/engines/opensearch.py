"""OpenSearch's learning to rank plugin: a feature set, and a model of type `model/xgboost+json`.

Single precision; a value goes left if it is below the threshold; `missing` says where a missing value goes;
versions before 3.8 and the plugin for Elasticsearch ignore it. Unknown keys are refused, and so are negative
scores: one more tree, a single leaf, lifts all scores.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np

from rulerank.engines.columns import Portable
from rulerank.engines.delivered import SHIFTED, next_float32, thresholds
from rulerank.engines.forest import Forest, Leaf, Split, read_forest
from rulerank.engines.formats import MODEL_NAME, Format
from rulerank.engines.lucene import COMMAS, mapping, query_of
from rulerank.engines.tree_layout import nested
from rulerank.files import parse_json, read_json, write_json

FEATURES, MODEL, INDEX, SEARCH = "featureset.json", "model.json", "index.json", "search.json"

ABOUT = f"""\
    PUT passages                                            < {INDEX}
    PUT _ltr
    POST _ltr/_featureset/{MODEL_NAME}                           < {FEATURES}
    POST _ltr/_featureset/{MODEL_NAME}/_createmodel              < {MODEL}
    POST passages/_search                                   < {SEARCH}, its parameters filled in

Scores exceed the ranker's by the leaf of the last tree, because no score may be negative. Before version
3.8, and in the plugin for Elasticsearch, a missing value counts as 0. There, leave out features that a
passage may lack. Write vectors as text, as numbers with commas between them.
"""

Node = dict[str, Any]


def write(ranker: Portable, folder: Path) -> None:
    """Write the feature set, the model, the mapping of the index, and a search."""
    features = [
        {
            "name": column.name,
            "params": [] if column.kind == "fact" else [column.field],
            "template_language": "mustache",
            "template": query_of(column, _cosine(column.field)),
        }
        for column in ranker.columns
    ]
    write_json(folder / FEATURES, {"featureset": {"name": MODEL_NAME, "features": features}})
    trees = _trees(ranker)
    definition = {"objective": "rank:ndcg", "splits": [*trees, {"nodeid": 0, "leaf": _lift(ranker)}]}
    # The plugin takes the definition as text.
    model = {"type": "model/xgboost+json", "definition": json.dumps(definition)}
    write_json(folder / MODEL, {"model": {"name": MODEL_NAME, "model": model}})
    write_json(folder / INDEX, mapping(ranker, "knn_vector", "dimension"))
    asked = {column.field: "{{" + column.field + "}}" for column in ranker.columns if column.kind != "fact"}
    rescore = {"rescore_query": {"sltr": {"params": asked, "model": MODEL_NAME}}, "query_weight": 0}
    first = {"match": {"terms": "{{terms}}"}}
    write_json(folder / SEARCH, {"query": first, "rescore": {"window_size": 100, "query": rescore}})


def _cosine(field: str) -> str:
    listed = (
        f"String[] s = {COMMAS}; float[] v = new float[s.length]; "
        "for (int i = 0; i < s.length; i++) { v[i] = Float.parseFloat(s[i]); } "
    )
    return f"{listed}return 1.0 + cosineSimilarity(v, doc['{field}']);"


def _lift(ranker: Portable) -> float:
    """Return the amount that makes the lowest possible score 0 or more."""
    nodes = ranker.trees.nodes
    lowest = np.full(len(nodes.roots), np.inf)
    np.minimum.at(lowest, nodes.tree[nodes.leaf], nodes.value[nodes.leaf])
    return float(max(0, math.ceil(-lowest.sum())))


def _trees(ranker: Portable) -> list[Node]:
    nodes, names = ranker.trees.nodes, [column.name for column in ranker.columns]
    bounds = next_float32(thresholds(nodes, ranker.columns, SHIFTED)).tolist()
    first, depth = nodes.roots[nodes.tree].tolist(), _depths(ranker)
    column, missing = nodes.column.tolist(), nodes.missing_left.tolist()
    value = nodes.value.astype(np.float32).tolist()

    def leaf(node: int) -> Node:
        return {"nodeid": node - first[node], "leaf": value[node]}

    def split(node: int, left: Node, right: Node) -> Node:
        return {
            "nodeid": node - first[node],
            "depth": depth[node],
            "split": names[column[node]],
            "split_condition": bounds[node],
            "yes": left["nodeid"],
            "no": right["nodeid"],
            "missing": (left if missing[node] else right)["nodeid"],
            "children": [left, right],
        }

    return nested(nodes, leaf, split)


def _depths(ranker: Portable) -> list[int]:
    nodes = ranker.trees.nodes
    depth = [0] * len(nodes.leaf)
    for node in np.flatnonzero(~nodes.leaf).tolist():
        depth[int(nodes.left[node])] = depth[int(nodes.right[node])] = depth[node] + 1
    return depth


def _splits(folder: Path) -> list[Node]:
    path = folder / MODEL
    splits: list[Node] = parse_json(read_json(path)["model"]["model"]["definition"], path)["splits"]
    return splits


def read(ranker: Portable, folder: Path) -> Forest:
    """Read the model as the plugin does: in single precision, with the stated way of missing values."""
    place = {column.name: number for number, column in enumerate(ranker.columns)}

    def node(stated: Node) -> Split | Leaf:
        if "leaf" in stated:
            return Leaf(float(np.float32(stated["leaf"])))
        left, right = stated["children"]
        bound = float(np.float32(stated["split_condition"]))
        return Split(place[stated["split"]], bound, stated["missing"] == stated["yes"], left, right)

    return read_forest(_splits(folder), node, below=True, single=True)


def lift(folder: Path) -> float:
    """Return the amount that the last tree adds to every score."""
    return float(_splits(folder)[-1]["leaf"])


FORMAT = Format(SHIFTED, write, read, ABOUT, lift)
