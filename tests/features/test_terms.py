from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rulerank.features.terms import bigram_keys, build_bigrams

VOCABULARY = {"fee": 0, "pilot": 1, "vessel": 2}
_TEXTS = st.lists(st.lists(st.sampled_from(["fee", "pilot", "vessel", "zebra"]), max_size=6), max_size=6)


def test_keys_are_the_distinct_adjacent_pairs_of_known_terms() -> None:
    texts = [
        ["vessel", "fee", "vessel", "fee"],
        ["pilot", "zebra", "fee"],  # a term next to an unknown one makes no pair
        ["pilot"],
        [],
    ]
    # Left term x 3 + right term: fee vessel is 2, vessel fee is 6.
    assert [keys.tolist() for keys in bigram_keys(texts, VOCABULARY)] == [[2, 6], [], [], []]


def test_bigrams_list_the_passages_that_hold_them() -> None:
    bigrams = build_bigrams([["fee", "pilot"], [], ["vessel", "fee", "pilot"], ["fee", "pilot"]], VOCABULARY)
    assert bigrams.keys.tolist() == [1, 6]  # fee pilot, vessel fee
    assert [bigrams.postings.of(place).tolist() for place in (0, 1)] == [[0, 2, 3], [2]]


def test_hits_count_the_distinct_bigrams_of_each_question() -> None:
    bigrams = build_bigrams([["fee", "pilot"], [], ["vessel", "fee", "pilot"], ["fee", "pilot"]], VOCABULARY)
    asked = [np.array([1, 6]), np.array([], np.int64), np.array([0, 6, 8])]
    columns, bounds = np.array([0, 1, 2, 0, 2, 2, 3]), np.array([0, 3, 5, 7])
    assert bigrams.hits(asked, columns, bounds).tolist() == [1, 0, 2, 0, 0, 1, 0]


def test_corpus_without_bigrams_has_no_hits() -> None:
    bigrams = build_bigrams([["fee"], []], VOCABULARY)
    assert len(bigrams.keys) == 0
    assert bigrams.hits([np.array([1])], np.array([0, 1]), np.array([0, 2])).tolist() == [0, 0]


@given(passages=_TEXTS, questions=_TEXTS)
def test_hits_are_those_of_a_search_text_by_text(
    passages: list[list[str]], questions: list[list[str]]
) -> None:
    def pairs(text: list[str]) -> set[tuple[str, str]]:
        known = set(VOCABULARY)
        return {(left, right) for left, right in itertools.pairwise(text) if {left, right} <= known}

    bigrams = build_bigrams(passages, VOCABULARY)
    columns = np.tile(np.arange(len(passages)), len(questions))
    bounds = np.arange(len(questions) + 1) * len(passages)
    found = bigrams.hits(bigram_keys(questions, VOCABULARY), columns, bounds)
    assert found.tolist() == [
        len(pairs(question) & pairs(passage)) for question in questions for passage in passages
    ]
