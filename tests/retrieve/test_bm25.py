from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulerank.retrieve.bm25 import BACKENDS, build_bm25, count_terms
from rulerank.settings import Bm25

# N = 3, lengths 2, 1 and 3, mean 2; df(pilot) = 2, df(fee) = 1, df(tug) = 1.
CORPUS = [["pilot", "fee"], ["pilot"], ["tug", "tug", "rope"]]
IDF_2 = math.log(1 + (3 - 2 + 0.5) / (2 + 0.5))
IDF_1 = math.log(1 + (3 - 1 + 0.5) / (1 + 0.5))

WORDS = st.sampled_from(["a", "b", "c", "d"])
TEXTS = st.lists(st.lists(WORDS, max_size=5), min_size=1, max_size=6).filter(any)

backends = pytest.mark.parametrize("backend", sorted(BACKENDS))


def _weight(count: int, length: float, k1: float = 1.2, b: float = 0.75) -> float:
    return count / (count + k1 * (1 - b + b * length / 2))


@backends
def test_scores_of_three_passages_by_hand(backend: str) -> None:
    index = build_bm25(CORPUS, Bm25(backend=backend))
    expected = [
        [IDF_2 * _weight(1, 2) + IDF_1 * _weight(1, 2), IDF_2 * _weight(1, 1), 0],
        [0, 0, IDF_1 * _weight(2, 3)],
    ]
    assert index.scores([["pilot", "fee"], ["tug"]]) == pytest.approx(np.array(expected), abs=1e-6)


@backends
def test_scores_obey_k1_and_b(backend: str) -> None:
    index = build_bm25(CORPUS, Bm25(backend=backend, k1=2, b=0.5))
    assert index.scores([["tug"]])[0, 2] == pytest.approx(IDF_1 * _weight(2, 3, 2, 0.5), abs=1e-6)


@backends
@pytest.mark.parametrize(("k1", "b"), [(0, 0.75), (1.2, 1), (0, 1)])
def test_scores_at_the_limits_of_k1_and_b_are_numbers(backend: str, k1: float, b: float) -> None:
    index = build_bm25([*CORPUS, []], Bm25(backend=backend, k1=k1, b=b))
    scores = index.scores([["tug"], ["pilot"]])
    assert np.isfinite(scores).all()
    assert scores[0, [0, 1, 3]].tolist() == [0, 0, 0]
    assert scores[0, 2] > 0


@backends
def test_term_in_more_than_half_the_passages_still_counts(backend: str) -> None:
    scores = build_bm25(CORPUS, Bm25(backend=backend)).scores([["pilot"]])
    assert scores[0, 0] > 0
    assert scores[0, 1] > scores[0, 0]  # it is the shorter passage
    everywhere = build_bm25([["x"], ["x", "y"]], Bm25(backend=backend)).scores([["x"]])
    assert (everywhere > 0).all()


@backends
def test_repeated_query_term_counts_each_time(backend: str) -> None:
    index = build_bm25(CORPUS, Bm25(backend=backend))
    once, twice = index.scores([["fee"], ["fee", "fee"]])
    assert twice == pytest.approx(2 * once)


@backends
def test_unknown_terms_add_nothing(backend: str) -> None:
    index = build_bm25(CORPUS, Bm25(backend=backend))
    known, more, unknown = index.scores([["fee"], ["fee", "zebra"], ["zebra"]])
    assert np.array_equal(known, more)
    assert not unknown.any()


@backends
def test_empty_query_and_empty_passage_score_nothing(backend: str) -> None:
    index = build_bm25([*CORPUS, []], Bm25(backend=backend))
    scores = index.scores([[], ["pilot", "tug"]])
    assert scores.shape == (2, 4)
    assert not scores[0].any()
    assert scores[1, 3] == 0


@backends
def test_scores_of_no_query_are_an_empty_array(backend: str) -> None:
    assert build_bm25(CORPUS, Bm25(backend=backend)).scores([]).shape == (0, 3)


@backends
def test_passages_without_any_term_score_nothing(backend: str) -> None:
    index = build_bm25([[], []], Bm25(backend=backend))
    assert index.scores([["pilot"]]).tolist() == [[0, 0]]


@given(TEXTS, st.lists(st.lists(WORDS, max_size=4), min_size=1, max_size=3))
def test_backends_agree(passages: list[list[str]], queries: list[list[str]]) -> None:
    one, other = (build_bm25(passages, Bm25(backend=backend)) for backend in sorted(BACKENDS))
    assert one.vocabulary == other.vocabulary
    assert one.scores(queries) == pytest.approx(other.scores(queries), abs=1e-5)


@given(TEXTS, st.lists(st.lists(WORDS, max_size=4), min_size=2, max_size=4))
def test_scores_of_a_batch_are_those_one_by_one(passages: list[list[str]], queries: list[list[str]]) -> None:
    index = build_bm25(passages, Bm25())
    assert np.array_equal(index.scores(queries), np.vstack([index.scores([query]) for query in queries]))


def test_count_terms_counts_the_known() -> None:
    counts = count_terms([["b", "a", "b", "z"], []], {"a": 0, "b": 1})
    assert counts.toarray().tolist() == [[1, 2], [0, 0]]
