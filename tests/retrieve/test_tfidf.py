from __future__ import annotations

import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer

from rulerank.retrieve.hits import NOTHING
from rulerank.retrieve.tfidf import TfIdf
from rulerank.text import analyse
from tests.retrieve.material import all_pairs, material_of, queries_of

TEXTS = ["A pilot must keep a log.", "", "The fee of a pilot is a fee.", "Tugs and logs, logs and tugs."]
ASKED = ["Which fee must the pilot pay?", "logs logs tugs", "nothing known"]


@pytest.fixture
def generator() -> TfIdf:
    material = material_of(TEXTS, [], [])
    return TfIdf.of_passages(material.terms, material.has_text)


def test_scores_are_the_cosines_that_scikit_learn_computes(generator: TfIdf) -> None:
    vectors = TfidfVectorizer(analyzer=lambda text: analyse([text])[0], sublinear_tf=True)
    expected = (vectors.fit_transform(TEXTS) @ vectors.transform(ASKED).T).T.toarray()
    rows, columns = all_pairs(len(ASKED), len(TEXTS))

    scores = generator.score(queries_of(ASKED), rows, columns)

    assert scores.reshape(expected.shape) == pytest.approx(expected, abs=1e-6)


def test_search_gives_the_passages_that_share_a_term(generator: TfIdf) -> None:
    hits = generator.search(queries_of(ASKED), 10, NOTHING)

    assert [hits.columns[hits.rows == row].tolist() for row in range(len(ASKED))] == [[2, 0], [3, 0], []]


def test_a_passage_asked_for_in_its_own_words_scores_one(generator: TfIdf) -> None:
    score = generator.score(queries_of([TEXTS[2]]), np.array([0]), np.array([2]))

    assert score == pytest.approx([1.0], abs=1e-6)
