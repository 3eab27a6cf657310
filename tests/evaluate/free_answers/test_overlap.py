from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulerank.evaluate.free_answers import Rouge, rouge
from rulerank.evaluate.free_answers.overlap import longest_common

TERMS = st.lists(st.sampled_from("abc"), max_size=70)


def test_rouge_of_two_sentences_computed_by_hand() -> None:
    answer = ["the", "keeper", "must", "store", "the", "key"]
    expected = ["the", "key", "must", "stay", "with", "the", "keeper"]

    # Shared terms: the (twice), keeper, must, key; pairs: "the keeper", "the key"; in order: the, must, the.
    assert rouge(answer, expected) == Rouge(
        rouge_1=pytest.approx(10 / 13), rouge_2=pytest.approx(4 / 11), rouge_l=pytest.approx(6 / 13)
    )


@pytest.mark.parametrize(("answer", "expected"), [([], ["a"]), (["a"], []), ([], []), (["a"], ["b"])])
def test_nothing_shared_scores_0(answer: list[str], expected: list[str]) -> None:
    assert rouge(answer, expected) == Rouge(0, 0, 0)


@given(TERMS, TERMS)
def test_longest_common_subsequence_is_that_of_the_usual_table(one: list[str], other: list[str]) -> None:
    row = [0] * (len(one) + 1)
    for term in other:
        above = row
        row = [0]
        for place, each in enumerate(one):
            row.append(above[place] + 1 if each == term else max(row[-1], above[place + 1]))

    assert longest_common(one, other) == row[-1]


@given(TERMS, TERMS)
def test_rouge_is_symmetric_and_1_for_the_same_text(one: list[str], other: list[str]) -> None:
    assert rouge(one, other) == rouge(other, one)
    if len(one) > 1:
        assert rouge(one, one) == Rouge(1, 1, 1)
