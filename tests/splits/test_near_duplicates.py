import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulerank.splits.near_duplicates import near_duplicates
from tests.splits.questions import OTHERS, QUESTION, TEXTS, WORDS


def _cosines(texts: list[str]) -> np.ndarray:
    """TF-IDF cosines the plain way: dense, one text at a time."""
    terms = [[word for word in text.split() if word != "the"] for text in texts]
    vectors = np.zeros((len(texts), len(WORDS)))
    for row, words in enumerate(terms):
        for word in words:
            frequency = sum(word in other for other in terms)
            vectors[row, WORDS.index(word)] += np.log((len(texts) + 1) / (frequency + 1)) + 1
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors = np.divide(vectors, norms, out=np.zeros_like(vectors), where=norms > 0)
    return vectors @ vectors.T


@pytest.mark.parametrize(
    "changed",
    [
        QUESTION.upper(),
        "- " + QUESTION.replace(",", ";").replace("?", " ?!"),
        QUESTION.replace("every", "each"),
    ],
)
def test_same_question_in_other_dress_is_a_duplicate(changed) -> None:
    assert near_duplicates([*OTHERS, QUESTION, changed], 0.9).tolist() == [[3, 4]]


def test_question_with_one_word_changed_is_a_duplicate() -> None:
    changed = QUESTION.replace("calendar", "lunar")

    assert near_duplicates([*OTHERS, QUESTION, changed], 0.8).tolist() == [[3, 4]]


def test_other_questions_are_no_duplicates() -> None:
    assert near_duplicates([*OTHERS, QUESTION], 0.5).shape == (0, 2)


def test_texts_of_stopwords_alone_are_duplicates_only_when_equal() -> None:
    assert near_duplicates(["who is it", "Who  is IT", "what was that", ""], 0.9).tolist() == [[0, 1]]


@given(TEXTS, st.sampled_from([0.3, 0.5, 0.7, 0.9, 1.0]))
def test_duplicates_are_exactly_the_pairs_at_or_above_the_threshold(texts, threshold) -> None:
    cosines = _cosines(texts)
    expected = [
        [left, right]
        for left in range(len(texts))
        for right in range(left + 1, len(texts))
        if cosines[left, right] >= threshold - 1e-9 or texts[left] == texts[right]
    ]

    assert near_duplicates(texts, threshold).tolist() == expected


def test_no_texts_have_no_duplicates() -> None:
    assert near_duplicates([], 0.9).shape == (0, 2)


def test_duplicates_are_found_across_blocks() -> None:
    filler = [f"number{place} stands alone" for place in range(2_500)]

    assert near_duplicates([QUESTION, *filler, QUESTION.lower()], 0.9).tolist() == [[0, 2_501]]


def test_rarity_is_counted_over_the_counted_texts_alone() -> None:
    texts = ["audit ledger", "audit levy", *["audit premium"] * 98]
    # idf of "audit" is 1, of a word that one of two texts holds ln(3 / 2) + 1.
    assert near_duplicates(texts[:2], 0.33).tolist() == [[0, 1]]
    assert near_duplicates(texts[:2], 0.34).size == 0
    assert [0, 1] not in near_duplicates(texts, 0.33).tolist()
    counted = [True, True, *[False] * 98]
    assert [0, 1] in near_duplicates(texts, 0.33, counted).tolist()
    assert [0, 1] not in near_duplicates(texts, 0.34, counted).tolist()
