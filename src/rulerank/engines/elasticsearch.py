"""Elasticsearch's own learning to rank: a trained model and its feature extractors in one request.

Double precision; a value goes left if it is at most the threshold (`lte`); a query that does not match
leaves its feature missing, and `default_left` says which way a missing value goes.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rulerank.engines.columns import Portable
from rulerank.engines.delivered import SHIFTED, thresholds
from rulerank.engines.forest import Forest, Leaf, Split, read_forest
from rulerank.engines.formats import MODEL_NAME, Format
from rulerank.engines.lucene import COMMAS, mapping, query_of
from rulerank.engines.tree_layout import nested
from rulerank.files import read_json, write_json

MODEL, INDEX, SEARCH = "trained_model.json", "index.json", "search.json"

ABOUT = f"""\
    PUT passages                                  < {INDEX}
    PUT _ml/trained_models/{MODEL_NAME}                < {MODEL}
    POST passages/_search                         < {SEARCH}, its parameters filled in

Elasticsearch's own learning to rank needs an Enterprise licence. `window_size` must be at least `from` plus
`size`. Write vectors as text, as numbers with commas between them: a template yields only text.
"""


def write(ranker: Portable, folder: Path) -> None:
    """Write the model with its feature extractors, the mapping of the index, and a search."""
    names = [column.name for column in ranker.columns]
    ensemble = {
        "feature_names": names,
        "target_type": "regression",
        "aggregate_output": {"weighted_sum": {}},
        "trained_models": [{"tree": tree} for tree in _trees(ranker, names)],
    }
    extractors = [
        {"query_extractor": {"feature_name": column.name, "query": query_of(column, _cosine(column.field))}}
        for column in ranker.columns
    ]
    model = {
        "inference_config": {"learning_to_rank": {"feature_extractors": extractors}},
        "definition": {"trained_model": {"ensemble": ensemble}},
    }
    write_json(folder / MODEL, model)
    write_json(folder / INDEX, mapping(ranker, "dense_vector", "dims"))
    asked = {column.field: "{{" + column.field + "}}" for column in ranker.columns if column.kind != "fact"}
    rescore = {"model_id": MODEL_NAME, "params": asked}
    first = {"match": {"terms": "{{terms}}"}}
    write_json(
        folder / SEARCH, {"query": first, "rescore": {"window_size": 100, "learning_to_rank": rescore}}
    )


def _cosine(field: str) -> str:
    listed = f"def v = new ArrayList(); for (String s : {COMMAS}) {{ v.add(Double.parseDouble(s)); }} "
    return f"{listed}return cosineSimilarity(v, '{field}') + 1.0;"


def _trees(ranker: Portable, names: list[str]) -> list[dict[str, Any]]:
    nodes = ranker.trees.nodes
    bounds = thresholds(nodes, ranker.columns, SHIFTED).tolist()
    first = nodes.roots[nodes.tree].tolist()
    column, value, missing = nodes.column.tolist(), nodes.value.tolist(), nodes.missing_left.tolist()

    def leaf(node: int) -> list[dict[str, Any]]:
        return [{"node_index": node - first[node], "leaf_value": value[node]}]

    def split(node: int, left: list[dict[str, Any]], right: list[dict[str, Any]]) -> list[dict[str, Any]]:
        own = {
            "node_index": node - first[node],
            "split_feature": column[node],
            "threshold": bounds[node],
            "decision_type": "lte",
            "default_left": missing[node],
            "left_child": left[0]["node_index"],
            "right_child": right[0]["node_index"],
        }
        return [own, *left, *right]

    return [
        {
            "feature_names": names,
            "tree_structure": sorted(tree, key=lambda node: int(node["node_index"])),
            "target_type": "regression",
        }
        for tree in nested(nodes, leaf, split)
    ]


def read(ranker: Portable, folder: Path) -> Forest:
    """Read the model as Elasticsearch does."""
    del ranker
    ensemble = read_json(folder / MODEL)["definition"]["trained_model"]["ensemble"]
    place = {name: column for column, name in enumerate(ensemble["feature_names"])}
    trees = [each["tree"] for each in ensemble["trained_models"]]

    def node(stated: tuple[dict[str, Any], int]) -> Split | Leaf:
        tree, index = stated
        found = tree["tree_structure"][index]
        if "leaf_value" in found:
            return Leaf(found["leaf_value"])
        return Split(
            place[tree["feature_names"][found["split_feature"]]],
            found["threshold"],
            found["default_left"],
            (tree, found["left_child"]),
            (tree, found["right_child"]),
        )

    return read_forest([(tree, 0) for tree in trees], node, below=False, single=False)


FORMAT = Format(SHIFTED, write, read, ABOUT)
