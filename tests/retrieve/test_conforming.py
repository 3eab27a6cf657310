from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import pytest

from rulerank.errors import InputError
from rulerank.retrieve.conforming import require_hits, require_scores
from rulerank.retrieve.generator import Generator
from rulerank.retrieve.hits import Found, Hits
from rulerank.retrieve.queries import Queries
from rulerank.retrieve.search import retrieve
from rulerank.settings import Candidates
from tests.retrieve.material import QUERIES, TEXTS


@dataclass
class _Careless:
    """Its arrays have no type of their own where it finds nothing."""

    name = "careless"
    floor = 0.0

    def __len__(self) -> int:
        return len(TEXTS)

    def search(self, queries: Queries, depth: int, found: Found) -> Hits:
        return Hits(np.array([]), np.array([]), np.array([]))


GENERATOR = cast("Generator", _Careless())
CLASS = "tests.retrieve.test_conforming:_Careless"


def _hits(rows: list[float], columns: list[float], scores: list[float]) -> Hits:
    return Hits(np.array(rows), np.array(columns), np.array(scores, float))


GOOD = _hits([0, 0, 2], [3, 5, 0], [2, 2, 1])
ORDERED = (
    "expected the questions in order, the best passages of each first, and passages with equal scores "
    "in their own order; found hit 0 out of order"
)


@pytest.mark.parametrize(
    ("hits", "said"),
    [
        (_hits([], [], []), "expected rows of int64, found float64"),
        (_hits([0], [1.0], [1]), "expected columns of int64, found float64"),
        (Hits(np.array([0]), np.array([1]), np.array([1])), "expected scores of floats, found int64"),
        (
            _hits([0, 1], [1], [1]),
            "expected rows, columns and scores of one length, found shapes (2,), (1,) and (1,)",
        ),
        (_hits([0, 4], [1, 1], [1, 1]), "expected rows from 0 to 3, found 4"),
        (_hits([0], [-1], [1]), "expected columns from 0 to 8, found -1"),
        (_hits([0], [9], [1]), "expected columns from 0 to 8, found 9"),
        (_hits([0], [1], [np.nan]), "expected a finite number as each score, found nan"),
        (_hits([0, 0], [1, 2], [np.inf, 1]), "expected a finite number as each score, found inf"),
        (_hits([1, 0], [1, 1], [1, 1]), ORDERED),
        (_hits([0, 0], [1, 2], [1, 2]), ORDERED),
        (_hits([0, 0], [2, 1], [1, 1]), ORDERED),
        (
            _hits([2, 2], [1, 1], [2, 1]),
            "expected a passage once for a question, found passage 1 more than once for question 2",
        ),
        (
            _hits([1] * 3, [1, 2, 3], [3, 2, 1]),
            "expected at most 2 hits for a question, found 3 for question 1",
        ),
    ],
)
def test_hits_that_a_generator_must_not_return_are_named(hits: Hits, said: str) -> None:
    with pytest.raises(InputError) as error:
        require_hits(hits, GENERATOR, questions=4, depth=2)
    assert str(error.value) == f"run careless: {said}. Correct `search` of {CLASS}."


@pytest.mark.parametrize("hits", [GOOD, Hits(GOOD.rows[:0], GOOD.columns[:0], GOOD.scores[:0])])
def test_hits_that_keep_the_promise_pass(hits: Hits) -> None:
    require_hits(hits, GENERATOR, questions=4, depth=2)


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        ([1.0, 2.0], "expected an array of scores, found list"),
        (np.array([1, 2]), "expected scores of floats, found int64"),
        (np.array([1.0]), "expected scores of shape (2,), found (1,)"),
        (np.array([[1.0], [2.0]]), "expected scores of shape (2,), found (2, 1)"),
        (np.array([1, np.inf]), "expected a finite number, the floor or NaN as each score, found inf"),
        (np.array([-np.inf, 1]), "expected a finite number, the floor or NaN as each score, found -inf"),
    ],
)
def test_scores_that_a_generator_must_not_return_are_named(scores: Any, said: str) -> None:
    with pytest.raises(InputError) as error:
        require_scores(scores, GENERATOR, pairs=2)
    assert str(error.value) == f"run careless: {said}. Correct `score` of {CLASS}."


@pytest.mark.parametrize("scores", [[1.5, 0], [np.nan, -2]])
def test_scores_that_keep_the_promise_pass(scores: list[float]) -> None:
    require_scores(np.array(scores), GENERATOR, pairs=2)


@pytest.mark.parametrize("absent", [[], [3]])
def test_search_names_the_run_whose_generator_returns_something_else(absent: list[int]) -> None:
    with pytest.raises(InputError, match=r"^run careless: expected rows of int64, found float64"):
        retrieve([GENERATOR], QUERIES, Candidates(), np.array(absent, np.int64))
