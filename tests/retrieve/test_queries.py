from __future__ import annotations

import numpy as np

from rulerank.retrieve.queries import prepare_queries

EMBEDDINGS = np.array([[1, 0], [0, 1], [0.6, 0.8]], np.float32)
QUERIES = prepare_queries(
    ["q1", "q2", "q3"], ["Do pilots hold licences?", "What of fees?", "zebra"], EMBEDDINGS
)


def test_prepare_queries_analyses_the_texts() -> None:
    assert QUERIES.terms == [["pilot", "hold", "licenc"], ["fee"], ["zebra"]]


def test_slice_holds_ids_and_embeddings_of_its_questions() -> None:
    assert QUERIES.slice(1, 3).ids == ["q2", "q3"]
    assert np.array_equal(QUERIES.slice(1, 3).embeddings, EMBEDDINGS[1:])
