"""How well obligations are recognised among sentences: accuracy and F1 over folds, with standard errors."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rulerank.arrays import BoolArray, FloatArray
from rulerank.learn.obligations.fit import FOLDS, fit, split
from rulerank.learn.obligations.labelled import Labelled
from rulerank.obligations.classifier import are_obligations

KEYWORDS = re.compile(r"\b(?:must|shall|required|have to|need to|obliged)\b", re.IGNORECASE)
"""The floor: a sentence with one of these words is an obligation."""


@dataclass(frozen=True)
class Estimate:
    """The mean over folds and its standard error."""

    mean: float
    error: float

    def __str__(self) -> str:
        return f"{self.mean:.4f} ± {self.error:.4f}"


@dataclass(frozen=True)
class Measured:
    """How well one way of recognising obligations does on sentences that it has not seen."""

    accuracy: Estimate
    f1: Estimate


Predict = Callable[[Sequence[str]], BoolArray]


def cross_validate(labelled: Labelled, seed: int) -> Mapping[str, Measured]:
    """Measure the keywords, the rules of modality and the classifier on the same folds of distinct texts.

    The classifier is trained, and its settings are chosen, without the fold on which it is measured.
    """
    scores: dict[str, list[tuple[float, float]]] = {"keywords": [], "rules": [], "classifier": []}
    for learned, measured in split(labelled.obligations, FOLDS, seed):
        trained, _ = fit(
            [labelled.sentences[place] for place in learned], labelled.obligations[learned], seed
        )
        ways: Mapping[str, Predict] = {
            "keywords": _have_keywords,
            "rules": are_obligations,
            "classifier": lambda sentences, trained=trained: are_obligations(sentences, trained),  # type: ignore[misc]
        }
        sentences = [labelled.sentences[place] for place in measured]
        for name, predict in ways.items():
            scores[name].append(_scores(predict(sentences), labelled.obligations[measured]))
    return {name: Measured(*map(_estimate, zip(*each, strict=True))) for name, each in scores.items()}


def _have_keywords(sentences: Sequence[str]) -> BoolArray:
    return np.array([KEYWORDS.search(sentence) is not None for sentence in sentences], np.bool_)


def _scores(predicted: BoolArray, obligations: BoolArray) -> tuple[float, float]:
    """Return accuracy and F1 = 2 TP / (2 TP + FP + FN)."""
    hits = int((predicted & obligations).sum())
    wrong = int((predicted != obligations).sum())
    return 1 - wrong / len(obligations), 2 * hits / max(2 * hits + wrong, 1)


def _estimate(values: Sequence[float]) -> Estimate:
    each: FloatArray = np.array(values)
    return Estimate(float(each.mean()), float(each.std(ddof=1) / np.sqrt(len(each))))
