"""Scores of passages in the words of questions, by hand, and what holds for any table."""

from __future__ import annotations

from math import log
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulerank.arrays import IntArray
from rulerank.ragged import Ragged
from rulerank.retrieve.bm25 import Bm25
from rulerank.retrieve.queries import Queries
from rulerank.retrieve.translation import Shares, Translation, masses
from rulerank.retrieve.translation_table import TranslationTable, load_table
from rulerank.settings import Bm25 as Settings

PASSAGES = [["notify", "harbour"], ["notify", "notify", "crew", "crew"], ["crew"], []]
WORDS = ["crew", "notify", "sailor", "tell"]
# "tell" is said by "notify" with .5, "sailor" by "crew" with .25; every word may also mean itself.
TABLE = TranslationTable(
    {word: row for row, word in enumerate(WORDS)},
    Ragged(
        np.array([0, 1, 2, 4, 6], np.int32),
        np.array([0, 1, 0, 2, 1, 3], np.int32),
        np.array([0.75, 0.5, 0.25, 1, 0.5, 1], np.float32),
    ),
    np.array([0.4, 0.1, 0.3, 0.2], np.float32),
    0.2,
)


def _index(passages: list[list[str]]) -> Bm25:
    has_text = np.array([bool(terms) for terms in passages])
    return Bm25.of_terms(passages, has_text, Settings())


def _translation(table: TranslationTable = TABLE) -> Translation:
    return Translation(table, _shares())


def _shares() -> Shares:
    bm25 = _index(PASSAGES)
    return Shares(bm25, masses(bm25.holdings, bm25.postings.sizes))


def _asked(*questions: list[str]) -> Queries:
    return Queries([str(row) for row in range(len(questions))], questions, np.zeros((len(questions), 2)))


def _scores(translation: Translation, *questions: list[str]) -> np.ndarray:
    rows = np.repeat(np.arange(len(questions)), len(PASSAGES))
    columns = np.tile(np.arange(len(PASSAGES)), len(questions))
    return translation.score(_asked(*questions), rows, columns).reshape(len(questions), -1)


def test_the_share_of_a_term_is_its_saturated_frequency_over_those_of_the_passage() -> None:
    shares = _translation().shares
    owner, terms, weights = shares.of(np.array([0, 1]))
    assert owner.tolist() == [0, 0, 1, 1]
    assert [list(shares.bm25.vocabulary)[term] for term in terms] == ["harbour", "notify", "crew", "notify"]
    assert weights.tolist() == pytest.approx([0.5, 0.5, 0.5, 0.5], abs=1e-6)


def test_dividing_by_the_idf_gives_the_saturated_frequency() -> None:
    shares = _shares()
    # k1 = 1.2, b = .75; the mean length is 7 / 4, so a single term of a passage of one weighs 1 / (1 + K).
    length = 1.2 * (1 - 0.75 + 0.75 / (7 / 4))
    assert shares.masses[2] == pytest.approx(1 / (1 + length), abs=1e-6)
    assert shares.masses[3] == 0
    crew = shares.bm25.vocabulary["crew"]
    assert shares.idf[crew] == pytest.approx(log(1 + (4 - 2 + 0.5) / (2 + 0.5)))


def test_a_score_is_the_mean_of_log_odds_by_hand() -> None:
    tell = [log(1 + 0.8 * 0.5 * 0.5 / (0.2 * 0.2))] * 2
    sailor = [0.0, log(1 + 0.8 * 0.25 * 0.5 / (0.2 * 0.3)), log(1 + 0.8 * 0.25 / (0.2 * 0.3)), 0.0]
    scores = _scores(_translation(), ["tell"], ["tell", "sailor", "tell"])
    assert scores[0] == pytest.approx([*tell, 0, 0], abs=1e-6)
    assert scores[1] == pytest.approx(np.mean([[*tell, 0, 0], sailor], axis=0), abs=1e-6)


def test_a_word_outside_the_table_means_itself_and_is_as_rare_as_the_rarest() -> None:
    scores = _scores(_translation(), ["harbour"], ["zebra"])
    assert scores[0] == pytest.approx([log(1 + 0.8 * 0.5 / (0.2 * 0.1)), 0, 0, 0], abs=1e-6)
    assert scores[1].tolist() == [0, 0, 0, 0]


def test_an_empty_table_compares_words_with_themselves() -> None:
    nothing = Ragged(np.zeros(1, np.int32), np.empty(0, np.int32), np.empty(0, np.float32))
    table = TranslationTable({}, nothing, np.empty(0, np.float32), 0.5)
    assert _scores(_translation(table), ["crew"])[0] == pytest.approx([0, log(1.5), log(2), 0], abs=1e-6)


def test_a_question_without_terms_and_a_batch_without_pairs_score_nothing() -> None:
    translation, none = _translation(), np.empty(0, np.int64)
    assert _scores(translation, [])[0].tolist() == [0, 0, 0, 0]
    assert translation.score(_asked(["tell"]), none, none).shape == (0,)


def test_translating_words_in_parts_changes_no_score(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = _scores(_translation(), [*WORDS, "harbour", "zebra"])
    monkeypatch.setattr("rulerank.retrieve.translation.AT_ONCE", 2)
    assert _scores(_translation(), [*WORDS, "harbour", "zebra"]) == pytest.approx(whole, abs=1e-6)


@given(st.lists(st.sampled_from([*WORDS, "harbour", "zebra"]), max_size=6), st.permutations(range(4)))
def test_a_score_depends_on_no_other_pair(question: list[str], order: list[int]) -> None:
    translation, columns = _translation(), np.array(order, np.int64)
    both = _asked(["tell", "crew"], question)
    rows: IntArray = np.repeat([0, 1], len(columns))
    together = translation.score(both, rows, np.tile(columns, 2))[len(columns) :]
    for column, score in zip(columns, together, strict=True):
        alone = translation.score(_asked(question), np.zeros(1, np.int64), np.array([column]))
        assert alone[0] == score


def test_a_table_is_read_as_it_was_written(tmp_path: Path) -> None:
    TABLE.save(tmp_path)
    again = load_table(tmp_path)
    assert again.words == TABLE.words
    assert again.smoothing == pytest.approx(0.2)
    before, after = _scores(_translation(), WORDS), _scores(_translation(again), WORDS)
    assert after == pytest.approx(before, abs=1e-6)
