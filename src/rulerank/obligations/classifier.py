"""Whether a sentence is an obligation: logistic regression on TF-IDF, trained on labelled sentences.

Scoring needs only numpy. With term frequency tf and inverse document frequency idf, a sentence is
the vector (1 + ln tf) idf, scaled to unit length; the probability is the logistic function of its product
with the weights, plus the intercept. That is scikit-learn's `TfidfVectorizer(sublinear_tf=True)` before
`LogisticRegression`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file, save_file

from rulerank.arrays import BoolArray, DoubleArray
from rulerank.errors import InputError
from rulerank.files import read_json, replacing_folder, write_json
from rulerank.obligations.modality import modal
from rulerank.obligations.terms import VERSION, terms
from rulerank.retrieve.term_weights import count_terms

BINDING = frozenset({"obligation", "prohibition"})
"""The modalities that count as obligations if no classifier decides: a recommendation does not bind."""

DESCRIPTION, WEIGHTS = "classifier.json", "weights.safetensors"


@dataclass(frozen=True, eq=False)
class ObligationClassifier:
    """A trained classifier of sentences.

    Parameters
    ----------
    vocabulary : mapping of str to int
        Row of each of V terms.
    idf, weights : array of shape (V,), float64
        Inverse document frequency of each term, and what it adds to the log-odds.
    intercept : float
        The log-odds of a sentence without a known term.

    """

    vocabulary: Mapping[str, int]
    idf: DoubleArray
    weights: DoubleArray
    intercept: float

    def probabilities(self, sentences: Sequence[str]) -> DoubleArray:
        """Return the probability that each sentence is an obligation, shape (sentences,)."""
        counts = count_terms([terms(sentence) for sentence in sentences], self.vocabulary)
        weighed = (1 + np.log(counts.weights.astype(np.float64))) * self.idf[counts.items]
        lengths = np.sqrt(np.bincount(counts.owners, weighed**2, len(sentences)))
        scores = np.bincount(counts.owners, weighed * self.weights[counts.items], len(sentences))
        odds = scores / np.where(lengths > 0, lengths, 1) + self.intercept
        probabilities: DoubleArray = np.exp(-np.logaddexp(0, -odds))
        return probabilities


def are_obligations(sentences: Sequence[str], classifier: ObligationClassifier | None = None) -> BoolArray:
    """Tell which sentences are obligations or prohibitions, shape (sentences,).

    A classifier decides by its probability, at .5. Without one, the rules of modality decide.
    """
    if classifier is not None:
        return classifier.probabilities(sentences) >= 0.5
    stated = [modal(" ".join(sentence.split())) for sentence in sentences]
    return np.array([each is not None and each.modality in BINDING for each in stated], np.bool_)


def save_classifier(classifier: ObligationClassifier | None, folder: Path) -> None:
    """Replace a folder by one that holds a classifier, or states that there is none."""
    with replacing_folder(folder) as temporary:
        if classifier is None:
            write_json(temporary / DESCRIPTION, None)
            return
        write_json(
            temporary / DESCRIPTION,
            {
                "terms_version": VERSION,
                "intercept": classifier.intercept,
                "vocabulary": list(classifier.vocabulary),
            },
        )
        save_file({"idf": classifier.idf, "weights": classifier.weights}, temporary / WEIGHTS)


def load_classifier(folder: Path) -> ObligationClassifier | None:
    """Read what `save_classifier` wrote.

    Raises
    ------
    InputError
        A file is missing, or the classifier was trained on the terms of another version.

    """
    described = read_json(folder / DESCRIPTION)
    if described is None:
        return None
    if described["terms_version"] != VERSION:
        raise InputError(
            folder / DESCRIPTION,
            f"expected a classifier on terms of version {VERSION}, found version "
            f"{described['terms_version']}. Train it again: dvc repro obligations.",
        )
    arrays = load_file(folder / WEIGHTS)
    vocabulary = {term: row for row, term in enumerate(described["vocabulary"])}
    return ObligationClassifier(vocabulary, arrays["idf"], arrays["weights"], described["intercept"])
