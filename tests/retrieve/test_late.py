from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulerank.arrays import normalise_rows
from rulerank.retrieve.late import LateMaps, build_late
from rulerank.retrieve.tokens import Tokens

WIDTH = 4
EYE = np.eye(WIDTH, dtype=np.float32)


def _tokens(sizes: list[int], seed: int) -> Tokens:
    starts = np.cumsum([0, *sizes])
    vectors = np.random.default_rng(seed).normal(size=(starts[-1], WIDTH)).astype(np.float32)
    return Tokens(normalise_rows(vectors).astype(np.float16), starts)


PASSAGES = _tokens([2, 1, 5, 3, 2], seed=1)
QUESTIONS = _tokens([1, 4, 2, 9], seed=2)
MAPS = LateMaps(*np.random.default_rng(3).normal(size=(2, WIDTH, 3)).astype(np.float32))
INDEX = build_late(PASSAGES, MAPS, EYE)


def _one(question: int, passage: int) -> tuple[float, float]:
    """Match one question with one passage, token by token."""
    asked, said = (
        normalise_rows(tokens.slice(row, row + 1).vectors.astype(np.float32) @ matrix).tolist()
        for tokens, row, matrix in ((QUESTIONS, question, MAPS.query), (PASSAGES, passage, MAPS.passage))
    )
    met = sorted(max(sum(a * b for a, b in zip(q, p, strict=True)) for p in said) for q in asked)
    quarter = met[: max(1, len(met) // 4)]
    return sum(met) / len(met), sum(quarter) / len(quarter)


@given(st.sets(st.tuples(st.integers(0, 3), st.integers(0, 4))))
def test_match_is_that_of_a_loop_over_the_tokens(pairs: set[tuple[int, int]]) -> None:
    rows, columns = (np.array([pair[place] for pair in sorted(pairs)], np.int64) for place in range(2))
    mean, least = INDEX.match(QUESTIONS, rows, columns)
    assert mean.shape == least.shape == (len(pairs),)
    assert mean.dtype == least.dtype == np.float32
    expected = np.array([_one(*pair) for pair in sorted(pairs)]).reshape(-1, 2)
    np.testing.assert_allclose(np.stack([mean, least], axis=1), expected, atol=3e-3)


@pytest.mark.parametrize("question", range(4))
def test_match_of_a_question_does_not_depend_on_the_others(question: int) -> None:
    rows, columns = np.repeat(np.arange(4), 5), np.tile(np.arange(5), 4)
    together = np.stack(INDEX.match(QUESTIONS, rows, columns))[:, rows == question]
    alone = QUESTIONS.slice(question, question + 1)
    single = np.stack(INDEX.match(alone, np.zeros(5, np.int64), np.arange(5)))
    np.testing.assert_allclose(single, together, atol=1e-3)


def test_match_by_hand() -> None:
    questions = Tokens(np.array([[1, 0], [0, 1]], np.float16), np.array([0, 2]))
    passages = Tokens(np.array([[1, 0], [0.6, 0.8], [0, -1]], np.float16), np.array([0, 2, 3]))
    two = np.eye(2, dtype=np.float32)
    index = build_late(passages, LateMaps(two, two), two)
    mean, least = index.match(questions, np.array([0, 0]), np.array([0, 1]))
    # The first passage meets the tokens by 1 and 0.8, the second by 0 and -1.
    assert mean.tolist() == pytest.approx([0.9, -0.5], abs=1e-3)
    assert least.tolist() == pytest.approx([0.8, -1], abs=1e-3)


def test_question_without_a_pair_takes_none_from_the_next() -> None:
    mean, _ = INDEX.match(QUESTIONS, np.array([0, 3]), np.array([4, 2]))
    assert mean.tolist() == pytest.approx([_one(0, 4)[0], _one(3, 2)[0]], abs=3e-3)


def test_no_pairs_give_no_scores() -> None:
    nothing = np.empty(0, np.int64)
    for questions in (QUESTIONS, QUESTIONS.slice(0, 0)):
        mean, least = INDEX.match(questions, nothing, nothing)
        assert len(mean) == len(least) == 0


def test_build_late_keeps_the_passages_at_unit_length_in_half_precision() -> None:
    assert INDEX.passages.vectors.dtype == np.float16
    assert INDEX.passages.vectors.shape == (13, 3)
    lengths = np.linalg.norm(INDEX.passages.vectors.astype(np.float32), axis=1)
    assert lengths == pytest.approx(np.ones(13), abs=2e-3)
