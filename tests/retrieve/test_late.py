from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulerank.arrays import normalise_rows
from rulerank.retrieve import late
from rulerank.retrieve.late import Late
from rulerank.retrieve.matched import LateMaps, Matched
from rulerank.retrieve.product import ASKED_STEPS, STEPS
from rulerank.retrieve.queries import Queries
from rulerank.retrieve.tokens import Tokens

WIDTH = 4
EYE = np.eye(WIDTH, dtype=np.float32)


def _tokens(sizes: list[int], seed: int, width: int = WIDTH) -> Tokens:
    starts = np.cumsum([0, *sizes])
    vectors = np.random.default_rng(seed).normal(size=(starts[-1], width)).astype(np.float32)
    return Tokens(normalise_rows(vectors).astype(np.float16), starts)


def _asked(tokens: Tokens | None, count: int = 1) -> Queries:
    size = count if tokens is None else len(tokens)
    return Queries([f"q{row}" for row in range(size)], [[]] * size, np.zeros((size, 2), np.float32), tokens)


PASSAGES = _tokens([2, 1, 5, 3, 2], seed=1)
QUESTIONS = _tokens([1, 4, 2, 9], seed=2)
QUERIES = _asked(QUESTIONS)
MAPS = LateMaps(*np.random.default_rng(3).normal(size=(2, WIDTH, 3)).astype(np.float32))
ALL = np.ones(5, bool)
INDEX = Late.of(Matched(PASSAGES, MAPS, EYE), ALL)
ROUNDED = np.sqrt(3) / 2 * (1 / STEPS + 1 / ASKED_STEPS) + 1e-3
"""What a cosine of three elements may be off by: half a step of each, of the passage's and the question's."""


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
    mean, least = INDEX.match(QUERIES, rows, columns)
    assert mean.shape == least.shape == (len(pairs),)
    assert mean.dtype == least.dtype == np.float32
    expected = np.array([_one(*pair) for pair in sorted(pairs)]).reshape(-1, 2)
    np.testing.assert_allclose(np.stack([mean, least], axis=1), expected, atol=ROUNDED)


@pytest.mark.parametrize("question", range(4))
def test_match_of_a_question_does_not_depend_on_the_others(question: int) -> None:
    rows, columns = np.repeat(np.arange(4), 5), np.tile(np.arange(5), 4)
    together = np.stack(INDEX.match(QUERIES, rows, columns))[:, rows == question]
    alone = QUERIES.slice(question, question + 1)
    np.testing.assert_array_equal(INDEX.match(alone, np.zeros(5, np.int64), np.arange(5)), together)


def test_match_by_hand() -> None:
    questions = Tokens(np.array([[1, 0], [0, 1]], np.float16), np.array([0, 2]))
    passages = Tokens(np.array([[1, 0], [0.6, 0.8], [0, -1]], np.float16), np.array([0, 2, 3]))
    two = np.eye(2, dtype=np.float32)
    index = Late.of(Matched(passages, LateMaps(two, two), two), np.ones(2, bool))
    mean, least = index.match(_asked(questions), np.array([0, 0]), np.array([0, 1]))
    # The first passage matches the tokens with 1 and 0.8, the second with 0 and -1.
    assert mean.tolist() == pytest.approx([0.9, -0.5], abs=1 / STEPS)
    assert least.tolist() == pytest.approx([0.8, -1], abs=1 / STEPS)


def test_question_without_a_pair_takes_none_from_the_next() -> None:
    mean, _ = INDEX.match(QUERIES, np.array([0, 3]), np.array([4, 2]))
    assert mean.tolist() == pytest.approx([_one(0, 4)[0], _one(3, 2)[0]], abs=ROUNDED)


def test_no_pairs_give_no_scores() -> None:
    nothing = np.empty(0, np.int64)
    for questions in (QUERIES, QUERIES.slice(0, 0)):
        mean, least = INDEX.match(questions, nothing, nothing)
        assert len(mean) == len(least) == 0


def test_questions_without_tokens_are_refused() -> None:
    with pytest.raises(ValueError, match="expected questions with tokens, found none"):
        INDEX.search(_asked(None), 3, {})


def test_heading_without_text_is_neither_found_nor_matched() -> None:
    index = Late.of(Matched(PASSAGES, MAPS, EYE), np.array([True, False, True, True, False]))
    assert sorted(set(index.search(QUERIES, 5, {}).columns.tolist())) == [0, 2, 3]
    rows, columns = np.zeros(5, np.int64), np.arange(5)
    values = np.stack(index.match(QUERIES, rows, columns))
    assert np.isnan(values[:, [1, 4]]).all()
    np.testing.assert_array_equal(
        values[:, [0, 2, 3]], np.stack(INDEX.match(QUERIES, rows, columns))[:, [0, 2, 3]]
    )


def test_texts_are_kept_at_unit_length_in_8_bits() -> None:
    assert INDEX.texts.vectors.dtype == np.int8
    assert INDEX.texts.vectors.shape == (13, 3)
    lengths = np.linalg.norm(INDEX.texts.vectors / STEPS, axis=1)
    assert lengths == pytest.approx(np.ones(13), abs=np.sqrt(3) / 2 / STEPS)


def test_scores_hardly_move_by_rounding() -> None:
    passages, questions = (_tokens([30] * count, seed=seed, width=64) for count, seed in ((50, 4), (10, 5)))
    eye = np.eye(64, dtype=np.float32)
    index = Late.of(Matched(passages, LateMaps(eye, eye), eye), np.ones(50, bool))
    rows, columns = np.repeat(np.arange(10), 50), np.tile(np.arange(50), 10)
    cosines = questions.vectors.astype(np.float64) @ passages.vectors.astype(np.float64).T
    exact = cosines.reshape(10, 30, 50, 30).max(axis=3).mean(axis=1)
    assert np.std(index.score(_asked(questions), rows, columns) - exact.ravel()) < 1e-3


@pytest.mark.parametrize("words", [1, 5, 13, 30])
def test_passages_of_the_same_tokens_share_one_text_and_one_score(words: int) -> None:
    random = np.random.default_rng(0)
    width = 48
    said = [_tokens([int(random.integers(2, 60))], seed=seed, width=width).vectors for seed in range(40)]
    copies = random.integers(40, size=700)
    parts = [said[copy] for copy in copies]
    passages = Tokens(np.concatenate(parts), np.cumsum([0, *map(len, parts)]))
    maps = LateMaps(*random.normal(size=(2, width, 32)).astype(np.float32))
    index = Late.of(Matched(passages, maps, np.eye(width, dtype=np.float32)), np.ones(700, bool))
    assert len(index.texts) == 40
    question = _asked(_tokens([words], seed=99, width=width))
    scores = index.score(question, np.zeros(700, np.int64), np.arange(700))
    hits = index.search(question, 700, {})
    for copy in range(40):
        same = np.flatnonzero(copies == copy)
        assert len(np.unique(scores[same])) == 1
        # They are found next to each other, in their own order.
        assert hits.columns[np.isin(hits.columns, same)].tolist() == same.tolist()
    assert hits.scores.tolist() == scores[hits.columns].tolist()


@pytest.mark.parametrize("block", [1, 2, 3, 5])
def test_size_of_a_block_changes_no_hit(monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    whole = INDEX.search(QUERIES, 3, {})
    monkeypatch.setattr(late, "BLOCK", block)
    cut = INDEX.search(QUERIES, 3, {})
    assert cut.columns.tolist() == whole.columns.tolist()
    assert cut.scores.tolist() == whole.scores.tolist()


def test_loaded_index_maps_its_tokens_into_memory(tmp_path: Path) -> None:
    INDEX.save(tmp_path / "late")
    loaded = Late.load(tmp_path / "late")
    assert not loaded.texts.vectors.flags.writeable
    assert loaded.texts.vectors.dtype == np.int8
    np.testing.assert_array_equal(loaded.texts.vectors, INDEX.texts.vectors)
    np.testing.assert_array_equal(loaded.axes, EYE)
