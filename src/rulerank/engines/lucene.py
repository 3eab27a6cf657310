"""What Elasticsearch and OpenSearch share: the mapping of the index, and the queries of the features."""

from __future__ import annotations

from typing import Any

from rulerank.engines.columns import Column, Portable

COMMAS = "params.vector.splitOnToken(',')"
"""Painless code for the numbers of a vector given as text."""


def mapping(ranker: Portable, vector_type: str, dimension: str) -> dict[str, Any]:
    """Return the request that makes the index.

    Parameters
    ----------
    ranker : Portable
        The ranker whose features are computed over the index.
    vector_type, dimension : str
        The engine's names for a field of vectors and for its width.

    """
    words = {"type": "text", "analyzer": "whitespace", "similarity": "as_trained"}
    kinds: dict[str, dict[str, Any]] = {
        "words": words,
        "cosine": {"type": vector_type},
        "fact": {"type": "float"},
    }
    fields = {
        column.field: kinds[column.kind]
        | ({dimension: ranker.width[column.field]} if column.kind == "cosine" else {})
        for column in ranker.columns
    }
    similarity = {"as_trained": {"type": "BM25", "k1": ranker.k1, "b": ranker.b}}
    properties = {
        "passage_id": {"type": "keyword"},
        "has_text": {"type": "boolean"},
        "effective_from": {"type": "date"},
        "terms": words,
        **fields,
    }
    return {
        "settings": {"number_of_shards": 1, "similarity": similarity},
        "mappings": {"dynamic": "strict", "properties": properties},
    }


def query_of(column: Column, cosine: str) -> dict[str, Any]:
    """Return the query whose score is a feature; the script `cosine` computes it if it is a cosine."""
    if column.kind == "words":
        return _words(column.field)
    if column.kind == "fact":
        return _fact(column.field)
    return _cosine(column.field, cosine)


def _words(field: str) -> dict[str, Any]:
    """Return a query whose score is BM25, or 0 if no term matches, so it is never missing."""
    nothing, matching = {"match_all": {"boost": 0.0}}, {"match": {field: "{{" + field + "}}"}}
    return {"bool": {"must": [nothing], "should": [matching]}}


def _fact(field: str) -> dict[str, Any]:
    """Return a query whose score is a stored number; it matches if there is one."""
    script = {"source": f"doc['{field}'].value"}
    return {"script_score": {"query": {"exists": {"field": field}}, "script": script}}


def _cosine(field: str, source: str) -> dict[str, Any]:
    """Return a query whose score a script computes from the question's vector, `params.vector` as text."""
    script = {"source": source, "params": {"vector": "{{" + field + "}}"}}
    return {"script_score": {"query": {"exists": {"field": field}}, "script": script}}
