from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from rulerank.errors import InputError
from rulerank.obligations.classifier import (
    ObligationClassifier,
    are_obligations,
    load_classifier,
    save_classifier,
)
from rulerank.obligations.terms import terms


@pytest.fixture
def by_hand() -> ObligationClassifier:
    vocabulary = {"must": 0, "may": 1, "call": 2}
    return ObligationClassifier(vocabulary, np.array([1.0, 2.0, 1.0]), np.array([3.0, -4.0, 1.0]), -0.5)


def test_terms_are_words_pairs_and_what_the_rules_say() -> None:
    assert terms("Pilots  MUST call.") == [
        *("^", "pilots", "must", "call", "$"),
        *("^ pilots", "pilots must", "must call", "call $"),
        "=obligation",
    ]


def test_probability_is_the_logistic_of_unit_tf_idf_times_weights(by_hand: ObligationClassifier) -> None:
    # "must call": (1, 0, 1) / sqrt(2); "may may": (0, 2 (1 + ln 2), 0) to unit length; "rest": nothing known.
    scores = np.array([(3 + 1) / np.sqrt(2), -4, 0]) - 0.5
    expected = 1 / (1 + np.exp(-scores))
    assert by_hand.probabilities(["Must call.", "May, may", "rest"]) == pytest.approx(expected, abs=1e-7)


def test_frequency_of_a_term_counts_by_its_logarithm(by_hand: ObligationClassifier) -> None:
    row = np.array([1 + np.log(3), 0, 1.0])
    expected = 1 / (1 + np.exp(0.5 - row @ np.array([3.0, -4.0, 1.0]) / np.linalg.norm(row)))
    assert by_hand.probabilities(["must must must call"])[0] == pytest.approx(expected, abs=1e-6)


def test_classifier_decides_where_there_is_one(by_hand: ObligationClassifier) -> None:
    assert are_obligations(["may", "must"], by_hand).tolist() == [False, True]


def test_rules_decide_where_there_is_no_classifier() -> None:
    sentences = ["Pilots must call.", "No pilot may sleep.", "Pilots should rest.", "Pilots may rest.", ""]
    assert are_obligations(sentences).tolist() == [True, True, False, False, False]


def test_no_sentences_have_no_probabilities(by_hand: ObligationClassifier) -> None:
    assert by_hand.probabilities([]).shape == are_obligations([]).shape == (0,)


def test_saved_classifier_is_read_as_it_was(by_hand: ObligationClassifier, tmp_path: Path) -> None:
    save_classifier(by_hand, tmp_path / "kept")
    read = load_classifier(tmp_path / "kept")
    assert read is not None
    sentences = ["must call", "may", "call call"]
    assert read.probabilities(sentences).tolist() == by_hand.probabilities(sentences).tolist()


def test_absence_of_a_classifier_is_saved_too(by_hand: ObligationClassifier, tmp_path: Path) -> None:
    save_classifier(by_hand, tmp_path / "kept")
    save_classifier(None, tmp_path / "kept")
    assert load_classifier(tmp_path / "kept") is None
    assert [path.name for path in (tmp_path / "kept").iterdir()] == ["classifier.json"]


def test_classifier_on_other_terms_is_refused(by_hand: ObligationClassifier, tmp_path: Path) -> None:
    save_classifier(by_hand, tmp_path / "kept")
    path = tmp_path / "kept/classifier.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "terms_version": 0}))
    with pytest.raises(InputError, match="expected a classifier on terms of version 5, found version 0"):
        load_classifier(tmp_path / "kept")
