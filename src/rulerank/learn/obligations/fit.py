"""TF-IDF and logistic regression by scikit-learn, with settings chosen within the training sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from rulerank.arrays import BoolArray, IntArray
from rulerank.obligations.classifier import ObligationClassifier
from rulerank.obligations.terms import terms

FOLDS, INNER_FOLDS = 5, 3
STRENGTHS = (10.0, 30.0, 100.0, 300.0)
"""The inverse strengths of the L2 penalty (scikit-learn's C) to try."""
FREQUENCIES = (1, 2)
"""The least numbers of sentences with a term to try."""


@dataclass(frozen=True)
class ClassifierSettings:
    """Settings of one training."""

    strength: float
    frequency: int


def split(obligations: BoolArray, folds: int, seed: int) -> Iterator[tuple[IntArray, IntArray]]:
    """Yield the sentences to train on and those to measure, with proportional labels in every fold."""
    # scikit-learn takes seconds to import, and without labelled sentences nothing needs it.
    from sklearn.model_selection import StratifiedKFold

    places = np.zeros(len(obligations))
    yield from StratifiedKFold(folds, shuffle=True, random_state=seed).split(places, obligations)


def fit(
    sentences: Sequence[str], obligations: BoolArray, seed: int
) -> tuple[ObligationClassifier, ClassifierSettings]:
    """Train a classifier with the settings that are best on folds of only these sentences.

    Parameters
    ----------
    sentences : sequence of str
        The training sentences, without repeats.
    obligations : array of shape (sentences,), bool
        Their labels.
    seed : int
        Seed of the folds.

    Returns
    -------
    tuple of ObligationClassifier and ClassifierSettings
        The classifier, trained on all sentences, and its settings. They have the highest accuracy; the first
        of equals is taken, in the order of `STRENGTHS` and `FREQUENCIES`.

    """
    known = [terms(sentence) for sentence in sentences]
    choice = _choose(known, obligations, seed)
    return exported(train(known, obligations, choice)), choice


def train(known: Sequence[Sequence[str]], obligations: BoolArray, choice: ClassifierSettings) -> Any:
    """Fit scikit-learn's pipeline to analysed sentences."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    weighed = TfidfVectorizer(analyzer=list, sublinear_tf=True, min_df=choice.frequency)
    model = make_pipeline(weighed, LogisticRegression(C=choice.strength, solver="liblinear", max_iter=1000))
    return model.fit(known, obligations)


def exported(pipeline: Any) -> ObligationClassifier:
    """Return a fitted pipeline as a classifier that does not need scikit-learn."""
    weighed, model = (step for _, step in pipeline.steps)
    vocabulary: Mapping[str, int] = weighed.vocabulary_
    ordered = sorted(vocabulary, key=vocabulary.__getitem__)
    return ObligationClassifier(
        {term: row for row, term in enumerate(ordered)},
        np.asarray(weighed.idf_, np.float64),
        np.asarray(model.coef_[0], np.float64),
        float(model.intercept_[0]),
    )


def _choose(known: Sequence[Sequence[str]], obligations: BoolArray, seed: int) -> ClassifierSettings:
    """Return the settings that classify most sentences correctly when their fold is left out."""
    choices = [ClassifierSettings(*pair) for pair in product(STRENGTHS, FREQUENCIES)]
    correct = np.zeros(len(choices))
    for learned, measured in split(obligations, INNER_FOLDS, seed):
        for number, choice in enumerate(choices):
            model = train([known[place] for place in learned], obligations[learned], choice)
            correct[number] += (
                model.predict([known[place] for place in measured]) == obligations[measured]
            ).sum()
    return choices[int(correct.argmax())]
