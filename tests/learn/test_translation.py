"""The table of translations: one round by hand, what it learns from, and what it must not learn from."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from rulerank.learn.out_of_fold import Folds
from rulerank.learn.translation import EMPTY, JudgedTexts, train_table, train_tables
from rulerank.retrieve.bm25 import Bm25
from rulerank.retrieve.translation import Shares, masses
from rulerank.retrieve.translation_table import TranslationTable
from rulerank.settings import Bm25 as Settings
from rulerank.settings import Translation

PASSAGES = [["notify", "harbour"], ["berth"], ["crew", "notify"]]
QUESTIONS = [["tell", "port"], ["tell", "tell", "sailor"]]
RELEVANT = [(0, 0), (1, 2)]


def _judged(
    questions: list[list[str]] = QUESTIONS, relevant: list[tuple[int, int]] = RELEVANT
) -> JudgedTexts:
    bm25 = Bm25.of_terms(PASSAGES, np.ones(len(PASSAGES), np.bool_), Settings())
    rows, columns = np.array(relevant, np.int64).reshape(-1, 2).T
    shape = len(questions), len(PASSAGES)
    matrix = sparse.csr_array((np.ones(len(rows), np.float32), (rows, columns)), shape=shape)
    return JudgedTexts.of(questions, matrix, Shares(bm25, masses(bm25.holdings, bm25.postings.sizes)))


def _chance(table: TranslationTable, said: str, asked: str) -> float:
    """Return the probability that a word of a passage stands for a word of a question."""
    word = table.words[asked]
    items, own = table.sources.of(word), slice(table.sources.starts[word], table.sources.starts[word + 1])
    found = dict(zip(items.tolist(), table.sources.weights[own].tolist(), strict=True))
    return found.get(table.words[said], 0.0)


def test_one_round_by_hand() -> None:
    table = train_table(_judged(), Translation(rounds=1, prior=2))
    assert list(table.words) == ["crew", "harbour", "notify", "port", "sailor", "tell"]
    # Before the round every pair of words has 1 / 6, and half of each passage is either of its words. So each
    # word of a question is explained by 1 / 6 of its passage and by the word of no passage: its share of the
    # questions' four words (the repeated "tell" counts once in a question) times EMPTY.
    tell, once = 1 / 12 / (1 / 6 + EMPTY / 2), 1 / 12 / (1 / 6 + EMPTY / 4)
    assert _chance(table, "notify", "tell") == pytest.approx(2 * tell / (2 * tell + 2 * once + 2))
    assert _chance(table, "notify", "notify") == pytest.approx(2 / (2 * tell + 2 * once + 2))
    assert _chance(table, "harbour", "port") == pytest.approx(once / (tell + once + 2))
    assert _chance(table, "crew", "port") == 0


def test_what_two_questions_agree_on_is_learned() -> None:
    table = train_table(_judged(), Translation(rounds=20, prior=0.1))
    assert _chance(table, "notify", "tell") > 0.8
    assert _chance(table, "harbour", "port") > _chance(table, "harbour", "tell")
    assert _chance(table, "crew", "sailor") > _chance(table, "crew", "tell")


def test_frequencies_are_those_of_the_questions_and_none_is_zero() -> None:
    table = train_table(_judged(), Translation())
    often = {word: table.frequencies[row] for word, row in table.words.items()}
    assert often["tell"] == pytest.approx(2.5 / 7)
    assert often["crew"] == pytest.approx(0.5 / 7)
    assert sum(often.values()) == pytest.approx(1)


def test_a_passage_that_answers_no_question_teaches_nothing() -> None:
    assert "berth" not in _judged().words


def test_no_judgement_leaves_every_word_to_itself() -> None:
    table = train_table(_judged(relevant=[]), Translation())
    assert table.sources.items.tolist() == list(range(3))
    assert table.sources.weights.tolist() == [1, 1, 1]


def test_leak_table_of_a_fold_has_not_seen_its_judgements() -> None:
    folds = Folds(np.array([0, 1]), np.array([[True, False], [False, True]]))
    tables = train_tables(_judged(), folds, Translation())
    assert _chance(tables.without[0], "harbour", "port") == 0
    assert _chance(tables.without[1], "crew", "sailor") == 0
    assert _chance(tables.full, "harbour", "port") > 0
    # Its own words are not counted among those of questions either.
    assert tables.without[0].frequencies[tables.full.words["port"]] == pytest.approx(
        tables.without[0].frequencies[tables.full.words["crew"]]
    )


words = st.lists(st.sampled_from(["tell", "port", "sailor", "crew", "notify"]), max_size=4)
pairs = st.sets(st.tuples(st.integers(0, 2), st.integers(0, 2)), max_size=6)


@given(st.lists(words, min_size=3, max_size=3), pairs)
def test_what_a_word_may_stand_for_has_a_probability_of_at_most_one(
    questions: list[list[str]], relevant: set[tuple[int, int]]
) -> None:
    table = train_table(_judged(questions, sorted(relevant)), Translation(prior=1))
    totals = np.bincount(table.sources.items, table.sources.weights, len(table.words))
    assert (table.sources.weights > 0).all()
    assert (totals <= 1 + 1e-5).all()
    assert (table.frequencies > 0).all()
