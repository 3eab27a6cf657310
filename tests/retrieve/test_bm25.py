from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulerank.arrays import FloatArray
from rulerank.retrieve.bm25 import Bm25
from rulerank.retrieve.queries import Queries
from rulerank.retrieve.term_weights import BACKENDS, count_terms, term_weights
from rulerank.settings import Bm25 as Settings

# N = 3, lengths 2, 1 and 3, mean 2; df(pilot) = 2, df(fee) = 1, df(tug) = 1.
CORPUS = [["pilot", "fee"], ["pilot"], ["tug", "tug", "rope"]]
IDF_2 = math.log(1 + (3 - 2 + 0.5) / (2 + 0.5))
IDF_1 = math.log(1 + (3 - 1 + 0.5) / (1 + 0.5))

WORDS = st.sampled_from(["a", "b", "c", "d"])
TEXTS = st.lists(st.lists(WORDS, max_size=5), min_size=1, max_size=6).filter(any)

backends = pytest.mark.parametrize("backend", sorted(BACKENDS))


def _index(passages: Sequence[Sequence[str]], **settings: object) -> Bm25:
    return Bm25.of_terms(passages, np.ones(len(passages), bool), Settings(**settings))


def _asked(terms: Sequence[Sequence[str]]) -> Queries:
    return Queries([f"q{row}" for row in range(len(terms))], terms, np.zeros((len(terms), 2), np.float32))


def _scores(index: Bm25, terms: Sequence[Sequence[str]]) -> FloatArray:
    """Return the scores of all pairs, shape (questions, passages)."""
    rows = np.repeat(np.arange(len(terms)), len(index))
    columns = np.tile(np.arange(len(index)), len(terms))
    return index.score(_asked(terms), rows, columns).reshape(len(terms), len(index))


def _weight(count: int, length: float, k1: float = 1.2, b: float = 0.75) -> float:
    return count / (count + k1 * (1 - b + b * length / 2))


@backends
def test_scores_of_three_passages_by_hand(backend: str) -> None:
    index = _index(CORPUS, backend=backend)
    expected = [
        [IDF_2 * _weight(1, 2) + IDF_1 * _weight(1, 2), IDF_2 * _weight(1, 1), 0],
        [0, 0, IDF_1 * _weight(2, 3)],
    ]
    assert _scores(index, [["pilot", "fee"], ["tug"]]) == pytest.approx(np.array(expected), abs=1e-6)


@backends
def test_scores_obey_k1_and_b(backend: str) -> None:
    index = _index(CORPUS, backend=backend, k1=2, b=0.5)
    assert _scores(index, [["tug"]])[0, 2] == pytest.approx(IDF_1 * _weight(2, 3, 2, 0.5), abs=1e-6)


@backends
@pytest.mark.parametrize(("k1", "b"), [(0, 0.75), (1.2, 1), (0, 1)])
def test_scores_at_the_limits_of_k1_and_b_are_numbers(backend: str, k1: float, b: float) -> None:
    index = _index([*CORPUS, []], backend=backend, k1=k1, b=b)
    scores = _scores(index, [["tug"], ["pilot"]])
    assert np.isfinite(scores).all()
    assert scores[0, [0, 1, 3]].tolist() == [0, 0, 0]
    assert scores[0, 2] > 0


@backends
def test_term_in_more_than_half_the_passages_still_counts(backend: str) -> None:
    scores = _scores(_index(CORPUS, backend=backend), [["pilot"]])
    assert scores[0, 0] > 0
    assert scores[0, 1] > scores[0, 0]  # it is the shorter passage
    everywhere = _scores(_index([["x"], ["x", "y"]], backend=backend), [["x"]])
    assert (everywhere > 0).all()


@backends
def test_repeated_query_term_counts_each_time(backend: str) -> None:
    index = _index(CORPUS, backend=backend)
    once, twice = _scores(index, [["fee"], ["fee", "fee"]])
    assert twice == pytest.approx(2 * once)


@backends
def test_unknown_terms_add_nothing(backend: str) -> None:
    index = _index(CORPUS, backend=backend)
    known, more, unknown = _scores(index, [["fee"], ["fee", "zebra"], ["zebra"]])
    assert np.array_equal(known, more)
    assert not unknown.any()


@backends
def test_empty_query_and_empty_passage_score_nothing(backend: str) -> None:
    index = _index([*CORPUS, []], backend=backend)
    scores = _scores(index, [[], ["pilot", "tug"]])
    assert scores.shape == (2, 4)
    assert not scores[0].any()
    assert scores[1, 3] == 0


@backends
def test_scores_of_no_query_are_an_empty_array(backend: str) -> None:
    assert _scores(_index(CORPUS, backend=backend), []).shape == (0, 3)


@backends
def test_passages_without_any_term_score_nothing(backend: str) -> None:
    index = _index([[], []], backend=backend)
    assert _scores(index, [["pilot"]]).tolist() == [[0, 0]]


@given(TEXTS, st.lists(st.lists(WORDS, max_size=4), min_size=1, max_size=3))
def test_backends_agree(passages: list[list[str]], queries: list[list[str]]) -> None:
    one, other = (_index(passages, backend=backend) for backend in sorted(BACKENDS))
    assert one.vocabulary == other.vocabulary
    assert _scores(one, queries) == pytest.approx(_scores(other, queries), abs=1e-5)


@given(TEXTS, st.lists(st.lists(WORDS, max_size=4), min_size=2, max_size=4))
def test_scores_of_a_batch_are_those_one_by_one(passages: list[list[str]], queries: list[list[str]]) -> None:
    index = _index(passages)
    assert np.array_equal(_scores(index, queries), np.vstack([_scores(index, [query]) for query in queries]))


def test_count_terms_counts_the_known() -> None:
    counts = count_terms([["b", "a", "b", "z"], []], {"a": 0, "b": 1})
    assert (counts.sizes.tolist(), counts.items.tolist(), counts.weights.tolist()) == ([2, 0], [0, 1], [1, 2])


@given(TEXTS, st.lists(st.lists(WORDS, max_size=4), max_size=3))
def test_weights_of_terms_give_the_scores_of_the_index(
    passages: list[list[str]], queries: list[list[str]]
) -> None:
    weights = term_weights(passages, Settings())
    assert weights.scores(queries) == pytest.approx(_scores(_index(passages), queries), abs=1e-6)


@backends
def test_heading_counts_for_the_statistics_and_is_never_found(backend: str) -> None:
    settings = Settings(backend=backend)
    index = Bm25.of_terms(CORPUS, np.array([True, False, True]), settings)
    whole = _index(CORPUS, backend=backend)
    asked = [["pilot"], ["tug"]]
    assert _scores(index, asked)[:, 1].tolist() == [0, 0]
    np.testing.assert_array_equal(_scores(index, asked)[:, [0, 2]], _scores(whole, asked)[:, [0, 2]])
    np.testing.assert_array_equal(index.idf, whole.idf)
    hits = index.search(_asked(asked), 3, {})
    assert list(zip(hits.rows.tolist(), hits.columns.tolist(), strict=True)) == [(0, 0), (1, 2)]


def test_search_gives_ties_in_the_order_of_the_passages() -> None:
    index = _index([["fee", "tug"], ["rope"], ["fee", "pilot"], ["fee", "rope"]])
    hits = index.search(_asked([["fee"], ["zebra"], ["rope"]]), 2, {})
    assert hits.rows.tolist() == [0, 0, 2, 2]
    # Passages 0, 2 and 3 tie for the fee. Of the two with a rope, 1 is shorter.
    assert hits.columns.tolist() == [0, 2, 1, 3]


def test_matches_name_the_terms_that_a_pair_shares() -> None:
    index = _index(CORPUS)
    matches = index.matches(_asked([["fee", "pilot", "pilot", "zebra"]]), np.zeros(2, int), np.array([0, 1]))
    words = list(index.vocabulary)
    shared = [words[matches.asked.items[term]] for term in matches.terms]
    assert list(zip(matches.pairs.tolist(), shared, strict=True)) == [(0, "fee"), (0, "pilot"), (1, "pilot")]
    assert matches.asked.weights[matches.terms].tolist() == [1, 2, 2]
    assert matches.total(np.ones(3, np.float32)).tolist() == [2, 1]
    assert matches.scores[1] == pytest.approx(2 * IDF_2 * _weight(1, 1), abs=1e-6)


def test_idf_for_features_is_that_of_its_formula() -> None:
    index = _index(CORPUS)
    assert index.idf[index.vocabulary["pilot"]] == pytest.approx(math.log(4 / 3) + 1)
    assert index.idf[index.vocabulary["tug"]] == pytest.approx(math.log(4 / 2) + 1)


def test_loaded_index_maps_its_lists_into_memory_and_gives_the_same(tmp_path: Path) -> None:
    index = _index([*CORPUS, []])
    index.save(tmp_path / "bm25")
    loaded = Bm25.load(tmp_path / "bm25")
    assert not loaded.postings.weights.flags.writeable
    assert not loaded.holdings.items.flags.writeable
    assert dict(loaded.vocabulary) == dict(index.vocabulary)
    asked = [["pilot", "fee"], ["tug"], []]
    np.testing.assert_array_equal(_scores(loaded, asked), _scores(index, asked))
    assert loaded.search(_asked(asked), 2, {}).columns.tolist() == [0, 1, 2]
