"""Vespa: a schema with a rank profile, and the model as LightGBM's `dump_model` would state it.

Double precision. Vespa tests `feature < threshold`, or `!(feature >= threshold)` if a missing value goes
left, and ignores LightGBM's `missing_type`. It requires `pandas_categorical`, and names that are rank
features: here functions of the rank profile.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rulerank.engines.columns import Column, Portable
from rulerank.engines.delivered import AS_IT_IS, next_float32, thresholds
from rulerank.engines.forest import Forest, Leaf, Split, read_forest
from rulerank.engines.formats import MODEL_NAME, Format
from rulerank.engines.tree_layout import nested
from rulerank.files import make_folder, read_json, write_json, write_text

MODEL, SCHEMA = f"models/{MODEL_NAME}.json", "schemas/passage.sd"

ABOUT = """\
Put `schemas` and `models` into the application and deploy it. Query the passages with `has_text`: set
`ranking=rulerank` and `default-index=terms`, and give the terms as `query` and the vectors as
`input.query(dense_vector)` and so on.

The rank feature `bm25` has the factor k1 + 1, by which the functions divide. It counts the question's terms
that were matched in a field. For `bm25(context_terms)` the query must search that field too, for instance
with `rank(userQuery(), context_terms contains ...)`.

Vespa has no days: give `effective_from` as the number of days since 1970-01-01, as Parquet stores it. It
splits words at every character that is neither a letter nor a digit, so terms with others are not matched as
the ranker matches them.
"""


def write(ranker: Portable, folder: Path) -> None:
    """Write the schema and the model."""
    make_folder((folder / MODEL).parent)
    make_folder((folder / SCHEMA).parent)
    names = [f"rankingExpression({column.name})" for column in ranker.columns]
    model = {
        "name": "tree",
        "version": "v4",
        "num_class": 1,
        "num_tree_per_iteration": 1,
        "label_index": 0,
        "max_feature_idx": len(names) - 1,
        "objective": "lambdarank",
        "average_output": False,
        "feature_names": names,
        "feature_infos": {name: {"min_value": 0, "max_value": 0, "values": []} for name in names},
        "tree_info": _trees(ranker),
        "pandas_categorical": [],
    }
    write_json(folder / MODEL, model)
    write_text(folder / SCHEMA, _schema(ranker))


def _trees(ranker: Portable) -> list[dict[str, Any]]:
    nodes = ranker.trees.nodes
    bounds = next_float32(thresholds(nodes, ranker.columns, AS_IT_IS)).tolist()
    column, value, missing = nodes.column.tolist(), nodes.value.tolist(), nodes.missing_left.tolist()

    def leaf(node: int) -> dict[str, Any]:
        return {"leaf_value": value[node]}

    def split(node: int, left: dict[str, Any], right: dict[str, Any]) -> dict[str, Any]:
        return {
            "split_feature": column[node],
            "threshold": bounds[node],
            "decision_type": "<=",
            "default_left": missing[node],
            "missing_type": "NaN",
            "left_child": left,
            "right_child": right,
        }

    return [
        {"tree_index": number, "tree_structure": root}
        for number, root in enumerate(nested(nodes, leaf, split))
    ]


def _schema(ranker: Portable) -> str:
    words = ("indexing: index", "index: enable-bm25", "stemming: none", "normalizing: none")
    fields: dict[str, tuple[str, tuple[str, ...]]] = {
        "passage_id": ("string", ("indexing: summary | attribute",))
    }
    fields["has_text"] = "bool", ("indexing: attribute",)
    fields["effective_from"] = "int", ("indexing: attribute",)
    fields["terms"] = "string", words
    inputs, weights = [], []
    for column in ranker.columns:
        if column.kind == "words":
            fields[column.field] = "string", words
            weights += [f"bm25({column.field}).k1: {ranker.k1}", f"bm25({column.field}).b: {ranker.b}"]
        elif column.kind == "cosine":
            tensor = f"tensor<float>(x[{ranker.width[column.field]}])"
            fields[column.field] = tensor, ("indexing: attribute",)
            inputs.append(f"query({column.field}) {tensor}")
        else:
            fields[column.field] = "float", ("indexing: attribute",)
    functions = [
        _block(f"function {column.name}()", [f"expression: {_expression(column, ranker.k1)}"])
        for column in ranker.columns
    ]
    profile = _block(
        f"rank-profile {MODEL_NAME}",
        [
            _block("inputs", inputs),
            _block("rank-properties", weights),
            *functions,
            _block("first-phase", ["expression: bm25(terms)"]),
            _block("second-phase", [f'expression: lightgbm("{MODEL_NAME}.json")', "rerank-count: 100"]),
        ],
    )
    stored = [_block(f"field {name} type {kind}", list(said)) for name, (kind, said) in fields.items()]
    return _block("schema passage", [_block("document passage", stored), profile]) + "\n"


def _expression(column: Column, k1: float) -> str:
    if column.kind == "words":
        return f"bm25({column.field}) / {k1 + 1}"
    if column.kind == "cosine":
        return f"sum(query({column.field}) * attribute({column.field}))"
    return f"attribute({column.field})"


def _block(head: str, lines: list[str]) -> str:
    """Return lines in braces, each indented one step further."""
    within = "\n".join(lines).replace("\n", "\n    ")
    return f"{head} {{\n    {within}\n}}"


def read(ranker: Portable, folder: Path) -> Forest:
    """Read the model as Vespa's importer does."""
    model = read_json(folder / MODEL)
    own = {f"rankingExpression({column.name})": number for number, column in enumerate(ranker.columns)}
    place = [own[name] for name in model["feature_names"]]

    def node(stated: dict[str, Any]) -> Split | Leaf:
        if "leaf_value" in stated:
            return Leaf(stated["leaf_value"])
        left, right = stated["left_child"], stated["right_child"]
        return Split(place[stated["split_feature"]], stated["threshold"], stated["default_left"], left, right)

    roots = [tree["tree_structure"] for tree in model["tree_info"]]
    return read_forest(roots, node, below=True, single=False)


FORMAT = Format(AS_IT_IS, write, read, ABOUT)
