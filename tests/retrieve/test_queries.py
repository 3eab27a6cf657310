from __future__ import annotations

import numpy as np

from rulerank.retrieve.queries import Queries, prepare_queries
from rulerank.retrieve.tokens import Tokens

EMBEDDINGS = np.array([[1, 0], [0, 1], [0.6, 0.8]], np.float32)
QUERIES = prepare_queries(
    ["q1", "q2", "q3"],
    ["Do pilots hold licences?", "What of fees?", "zebra"],
    EMBEDDINGS,
    Tokens(np.eye(4, dtype=np.float32), np.array([0, 2, 3, 4])),
)


def test_prepare_queries_analyses_the_texts() -> None:
    assert QUERIES.terms == [["pilot", "hold", "licenc"], ["fee"], ["zebra"]]


def test_slice_holds_ids_and_embeddings_of_its_questions() -> None:
    assert QUERIES.slice(1, 3).ids == ["q2", "q3"]
    assert np.array_equal(QUERIES.slice(1, 3).embeddings, EMBEDDINGS[1:])


def test_what_is_made_of_questions_is_made_once() -> None:
    made: list[Queries] = []

    def count(queries: Queries) -> int:
        made.append(queries)
        return len(queries)

    assert [QUERIES.once(count), QUERIES.once(count), QUERIES.slice(0, 1).once(count)] == [3, 3, 1]
    assert len(made) == 2


def test_take_repeats_and_reorders_everything_a_question_has() -> None:
    taken = QUERIES.take(np.array([2, 0, 2]))
    assert taken.ids == ["q3", "q1", "q3"]
    assert taken.terms == [["zebra"], ["pilot", "hold", "licenc"], ["zebra"]]
    assert np.array_equal(taken.embeddings, EMBEDDINGS[[2, 0, 2]])
    assert taken.tokens is not None
    assert taken.tokens.starts.tolist() == [0, 1, 3, 4]
    assert taken.tokens.vectors.argmax(axis=1).tolist() == [3, 0, 1, 3]
