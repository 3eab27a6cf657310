"""Solr's learning to rank module: a feature store, and a MultipleAdditiveTreesModel.

Single precision; a value goes left if it is at most the threshold plus 1e-6, which Solr adds. So every
feature is divided by a power of 2 (`StandardNormalizer`) that makes its thresholds too large for 1e-6 to
count: 32 or more, where single precision has steps of 4e-6. Numbers are written as strings. `missing` is read
from version 9.2.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from rulerank.arrays import FloatArray
from rulerank.engines.columns import Column, Portable
from rulerank.engines.delivered import HALVED, thresholds
from rulerank.engines.forest import Forest, Leaf, Split, read_forest
from rulerank.engines.formats import MODEL_NAME, Format
from rulerank.engines.tree_layout import nested
from rulerank.files import read_json, write_json
from rulerank.trees.nodes import ZERO

FEATURES, MODEL, SCHEMA = "features.json", "model.json", "schema.json"
SLACK = np.float32(1e-6)
"""What Solr adds to every threshold (MultipleAdditiveTreesModel, NODE_SPLIT_SLACK)."""
LEAST = 32.0
"""The threshold from which `SLACK` is rounded away."""

ABOUT = f"""\
    POST solr/passages/schema                     < {SCHEMA}
    PUT solr/passages/schema/feature-store        < {FEATURES}
    PUT solr/passages/schema/model-store          < {MODEL}
    GET solr/passages/query?q=terms:(...)&fq=has_text:true&rq={{!ltr model={MODEL_NAME} reRankDocs=100
        efi.terms='...' efi.context_terms='...' efi.dense_vector='[...]'}}

Enable the module `ltr`. Solr reads `missing` from version 9.2 on. In earlier versions, leave out features
that a passage may lack. The normalisers only scale, so that the 1e-6 that Solr adds to thresholds has no
effect. Solr takes a day with its time: give `effective_from` as 2026-01-31T00:00:00Z.
"""


def write(ranker: Portable, folder: Path) -> None:
    """Write the schema, the feature store and the model."""
    write_json(folder / SCHEMA, _schema(ranker))
    store = [{"name": column.name, "store": MODEL_NAME, **_feature(column)} for column in ranker.columns]
    write_json(folder / FEATURES, store)
    bounds = thresholds(ranker.trees.nodes, ranker.columns, HALVED)
    scales = _scales(ranker, bounds)
    model = {
        "class": "org.apache.solr.ltr.model.MultipleAdditiveTreesModel",
        "name": MODEL_NAME,
        "store": MODEL_NAME,
        "features": [
            {"name": column.name, "norm": _norm(scale)}
            for column, scale in zip(ranker.columns, scales, strict=True)
        ],
        "params": {"isNullSameAsZero": "false", "trees": _trees(ranker, bounds, scales)},
    }
    write_json(folder / MODEL, model)


def _norm(scale: float) -> dict[str, Any]:
    name = "org.apache.solr.ltr.norm.StandardNormalizer"
    return {"class": name, "params": {"avg": "0.0", "std": repr(scale)}}


def _feature(column: Column) -> dict[str, Any]:
    if column.kind == "fact":
        name = "org.apache.solr.ltr.feature.FieldValueFeature"
        return {"class": name, "params": {"field": column.field, "defaultValue": "NaN"}}
    asked = "${" + column.field + "}"
    query = {
        # The first clause matches everything with 0: otherwise the feature would be missing if no term
        # matches.
        "words": f"{{!lucene q.op=OR df={column.field}}}*:*^=0 {asked}",
        "cosine": f"{{!func}}vectorSimilarity(FLOAT32, COSINE, {column.field}, {asked})",
    }[column.kind]
    return {"class": "org.apache.solr.ltr.feature.SolrFeature", "params": {"q": query}}


def _schema(ranker: Portable) -> dict[str, Any]:
    similarity = {"class": "solr.BM25SimilarityFactory", "k1": repr(ranker.k1), "b": repr(ranker.b)}
    analyzer = {"tokenizer": {"class": "solr.WhitespaceTokenizerFactory"}}
    words = {
        "name": "terms_as_trained",
        "class": "solr.TextField",
        "analyzer": analyzer,
        "similarity": similarity,
    }
    vectors = [
        {
            "name": f"{column.field}_type",
            "class": "solr.DenseVectorField",
            "vectorDimension": ranker.width[column.field],
            "similarityFunction": "cosine",
        }
        for column in ranker.columns
        if column.kind == "cosine"
    ]
    of_kind = {"words": "terms_as_trained", "fact": "pfloat"}
    fields = {column.field: of_kind.get(column.kind, f"{column.field}_type") for column in ranker.columns}
    typed = {
        "passage_id": "string",
        "has_text": "boolean",
        "effective_from": "pdate",
        "terms": "terms_as_trained",
        **fields,
    }
    return {
        "add-field-type": [words, *vectors],
        "add-field": [{"name": name, "type": kind} for name, kind in typed.items()],
    }


def _scales(ranker: Portable, bounds: FloatArray) -> list[float]:
    """Return the power of 2 that each feature is divided by."""
    nodes = ranker.trees.nodes
    scales = []
    for place in range(len(ranker.columns)):
        sizes = np.abs(bounds[(nodes.column == place) & ~nodes.leaf]).astype(np.float64)
        least = sizes[sizes > 2 * ZERO].min(initial=LEAST)
        scales.append(float(2.0 ** np.floor(np.log2(least / LEAST))))
    return scales


def _trees(ranker: Portable, bounds: FloatArray, scales: list[float]) -> list[dict[str, Any]]:
    nodes, names = ranker.trees.nodes, [column.name for column in ranker.columns]
    greatest = float(np.finfo(np.float32).max)
    scaled = np.clip(bounds.astype(np.float64) / np.array(scales)[nodes.column], -greatest, greatest)
    # Splits 0 from the numbers above or below it: 0 itself once Solr has added its slack, or just less.
    around = np.where(bounds < 0, np.nextafter(-SLACK, np.float32(-1)), -SLACK)
    written = np.where(np.abs(bounds) <= 2 * ZERO, around, scaled).astype(np.float32).tolist()
    column, missing = nodes.column.tolist(), nodes.missing_left.tolist()
    value = nodes.value.astype(np.float32).tolist()

    def leaf(node: int) -> dict[str, Any]:
        return {"value": repr(value[node])}

    def split(node: int, left: dict[str, Any], right: dict[str, Any]) -> dict[str, Any]:
        return {
            "feature": names[column[node]],
            "threshold": repr(written[node]),
            "missing": "left" if missing[node] else "right",
            "left": left,
            "right": right,
        }

    return [{"weight": "1.0", "root": root} for root in nested(nodes, leaf, split)]


def read(ranker: Portable, folder: Path) -> Forest:
    """Read the model as Solr does; thresholds return to the scale of the features, which is exact."""
    del ranker
    model = read_json(folder / MODEL)
    place = {feature["name"]: number for number, feature in enumerate(model["features"])}
    scales = [float(feature["norm"]["params"]["std"]) for feature in model["features"]]

    def node(stated: dict[str, Any]) -> Split | Leaf:
        if "feature" not in stated:
            return Leaf(float(np.float32(stated["value"])))
        column = place[stated["feature"]]
        bound = float(np.float32(stated["threshold"]) + SLACK) * scales[column]
        return Split(column, bound, stated["missing"] == "left", stated["left"], stated["right"])

    roots = [tree["root"] for tree in model["params"]["trees"]]
    return read_forest(roots, node, below=False, single=True)


FORMAT = Format(HALVED, write, read, ABOUT)
