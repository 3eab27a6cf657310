from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulerank.arrays import IntArray
from rulerank.retrieve.hits import Hits, best_hits, joined, lookup, union

WIDTH = 6
PAIRS = st.sets(st.tuples(st.integers(0, 3), st.integers(0, WIDTH - 1)), max_size=15)
SCORED = st.dictionaries(
    st.tuples(st.integers(0, 3), st.integers(0, WIDTH - 1)),
    st.sampled_from([-1.0, 0.0, 0.5, 2.0]),
    max_size=15,
)
Scored = dict[tuple[int, int], float]


def _ends(pairs: object) -> tuple[IntArray, IntArray]:
    rows, columns = np.array(sorted(pairs), np.int64).reshape(-1, 2).T
    return rows, columns


def _hits(scored: Scored, depth: int = WIDTH) -> Hits:
    rows, columns = _ends(scored)
    scores = np.array([scored[pair] for pair in sorted(scored)], np.float32)
    return best_hits(rows, columns, scores, depth)


def _best(scored: Scored, depth: int) -> list[tuple[int, int]]:
    """Return the first pairs of each question, one by one."""
    ordered = sorted(scored, key=lambda pair: (pair[0], -scored[pair], pair[1]))
    return [
        pair
        for pair in ordered
        if [each[0] for each in ordered[: ordered.index(pair)]].count(pair[0]) < depth
    ]


def test_ranks_count_from_one_within_each_question() -> None:
    hits = Hits(np.array([0, 0, 2, 2, 2]), np.array([5, 1, 4, 0, 3]), np.array([9, 8, 7, 7, 1.0]))
    assert hits.ranks.tolist() == [1, 2, 1, 2, 3]
    assert hits.first(1).columns.tolist() == [5, 4]
    assert hits.ranks_of(np.array([0, 0, 1, 2]), np.array([1, 4, 1, 3]), WIDTH).tolist() == pytest.approx(
        [2, np.nan, np.nan, 3], nan_ok=True
    )


@given(SCORED, st.integers(1, WIDTH))
def test_best_hits_are_the_first_by_score_then_by_passage(scored: Scored, depth: int) -> None:
    hits = _hits(scored, depth)
    found = list(zip(hits.rows.tolist(), hits.columns.tolist(), strict=True))
    assert found == _best(scored, depth)
    assert hits.scores.tolist() == [scored[pair] for pair in found]


@given(SCORED, st.integers(1, WIDTH))
def test_first_of_all_hits_are_the_best_hits(scored: Scored, depth: int) -> None:
    first, best = _hits(scored).first(depth), _hits(scored, depth)
    assert first.rows.tolist() == best.rows.tolist()
    assert first.columns.tolist() == best.columns.tolist()


@given(SCORED, PAIRS)
def test_ranks_of_pairs_are_those_of_their_hits(scored: Scored, pairs: set[tuple[int, int]]) -> None:
    hits = _hits(scored)
    found = zip(hits.rows.tolist(), hits.columns.tolist(), hits.ranks.tolist(), strict=True)
    place = {(row, column): rank for row, column, rank in found}
    expected = [place.get(pair, np.nan) for pair in sorted(pairs)]
    np.testing.assert_array_equal(hits.ranks_of(*_ends(pairs), WIDTH), expected)


@given(st.lists(PAIRS, max_size=4))
def test_union_holds_each_pair_of_some_run_once_in_order(runs: list[set[tuple[int, int]]]) -> None:
    rows, columns = union([Hits(*_ends(pairs), np.zeros(len(pairs), np.float32)) for pairs in runs], WIDTH)
    assert list(zip(rows.tolist(), columns.tolist(), strict=True)) == sorted(set().union(*runs))


@given(st.dictionaries(st.integers(0, 20), st.integers(-5, 5)), st.lists(st.integers(-2, 23)))
def test_lookup_is_that_of_a_dictionary(values: dict[int, int], wanted: list[int]) -> None:
    keys = np.array(sorted(values), np.int64)
    said = lookup(
        keys, np.array([values[key] for key in sorted(values)], np.float32), np.array(wanted, np.int64)
    )
    np.testing.assert_array_equal(said, [values.get(key, np.nan) for key in wanted])
    assert said.dtype == np.float32


def test_lookup_gives_what_stands_for_a_missing_key() -> None:
    assert lookup(np.array([3]), np.ones(1, np.float32), np.array([2, 3]), missing=-np.inf).tolist() == [
        -np.inf,
        1,
    ]


def test_joined_numbers_the_questions_and_keeps_those_without_a_hit() -> None:
    nothing = np.empty(0, np.int64), np.empty(0, np.float32)
    one = np.array([4, 2]), np.array([2, 1], np.float32)
    hits = joined([nothing, one, nothing, one])
    assert hits.rows.tolist() == [1, 1, 3, 3]
    assert hits.columns.tolist() == [4, 2, 4, 2]
    assert not len(joined([]).rows)
