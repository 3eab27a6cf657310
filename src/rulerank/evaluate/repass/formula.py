"""The formula of RePASs over models that are plain functions (RegNLP 2025 shared task, evaluate_model.py)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rulerank.arrays import BoolArray, FloatArray

DECIMALS = 5
"""To which the published code rounds."""

Split = Callable[[str], Sequence[str]]
"""From a text to its sentences."""
Infer = Callable[[Sequence[tuple[str, str]]], FloatArray]
"""From pairs (premise, hypothesis) to the probabilities of contradiction and entailment, shape (pairs, 2)."""
Obliges = Callable[[Sequence[str]], BoolArray]
"""From sentences to whether each states an obligation, shape (sentences,)."""
Covers = Callable[[Sequence[tuple[str, str]]], BoolArray]
"""From pairs (sentence of the answer, obligation) to whether the first entails the second, shape (pairs,)."""


@dataclass(frozen=True)
class Parts:
    """The models that RePASs is made of."""

    split: Split
    infer: Infer
    obliges: Obliges
    covers: Covers


class RePASs(NamedTuple):
    """One answer's scores: mean best entailment and contradiction, obligations covered, and all together."""

    entailment: float
    contradiction: float
    coverage: float
    score: float


class Mean(NamedTuple):
    """The scores of many answers.

    Parameters
    ----------
    answered : int
        Answers that were scored.
    of_answered : RePASs
        Their mean, as published; NaN without any.
    questions : int
        All of them.
    score_of_all : float
        Mean score where a question without an answer counts 0, which the published mean leaves out.

    """

    answered: int
    of_answered: RePASs
    questions: int
    score_of_all: float


def repass(passages: Sequence[str], answer: str, parts: Parts) -> RePASs | None:
    """Return the scores of one answer, None where there is no answer.

    With S_P and S_A the sentences of the passages, joined by a space, and of the answer: entailment and
    contradiction are the means over S_A of the greatest probability, among S_P as premises, that the sentence
    is entailed or contradicted; coverage is the share of the obligations in S_P that an obligation in S_A
    entails, 0 where there are none. The score is (coverage + entailment - contradiction + 1) / 3.

    Parameters
    ----------
    passages : sequence of str
        What the answer was made from.
    answer : str
        Blank for none.
    parts : Parts
        The models.

    """
    if not answer.strip():
        return None
    given, said = list(parts.split(" ".join(passages))), list(parts.split(answer))
    contradiction, entailment = _best(given, said, parts.infer)
    coverage = _coverage(given, said, parts)
    score = round((coverage + entailment - contradiction + 1) / 3, DECIMALS)
    return RePASs(entailment, contradiction, coverage, score)


def mean_of(scores: Sequence[RePASs | None]) -> Mean:
    """Average the scores of many questions, None for one without an answer."""
    found = [score for score in scores if score is not None]
    means = np.mean(found, axis=0) if found else np.full(4, np.nan)
    total = sum(score.score for score in found)
    return Mean(
        len(found), RePASs(*map(float, means)), len(scores), total / len(scores) if scores else float("nan")
    )


def _best(given: Sequence[str], said: Sequence[str], infer: Infer) -> tuple[float, float]:
    if not given or not said:
        return 0.0, 0.0
    pairs = [(premise, hypothesis) for premise in given for hypothesis in said]
    chances = infer(pairs).reshape(len(given), len(said), 2)
    contradiction, entailment = chances.max(axis=0).mean(axis=0).astype(np.float64)
    return round(float(contradiction), DECIMALS), round(float(entailment), DECIMALS)


def _coverage(given: Sequence[str], said: Sequence[str], parts: Parts) -> float:
    wanted, stated = _obligations(given, parts.obliges), _obligations(said, parts.obliges)
    if not wanted or not stated:
        return 0.0
    pairs = [(sentence, obligation) for obligation in wanted for sentence in stated]
    covered = parts.covers(pairs).reshape(len(wanted), len(stated)).any(axis=1)
    return float(covered.mean())


def _obligations(sentences: Sequence[str], obliges: Obliges) -> list[str]:
    if not sentences:
        return []
    return [sentence for sentence, duty in zip(sentences, obliges(sentences), strict=True) if duty]
