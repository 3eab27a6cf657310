"""The formula of RePASs over models that are plain functions (RegNLP 2025 shared task, evaluate_model.py)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rulerank.arrays import BoolArray, FloatArray

DECIMALS = 5
"""Decimals to which the published code rounds."""

Split = Callable[[str], Sequence[str]]
"""Splits a text into its sentences."""
Infer = Callable[[Sequence[tuple[str, str]]], FloatArray]
"""Maps pairs (premise, hypothesis) to probabilities of contradiction and entailment, shape (pairs, 2)."""
Obliges = Callable[[Sequence[str]], BoolArray]
"""Tells for each sentence whether it states an obligation, shape (sentences,)."""
Covers = Callable[[Sequence[tuple[str, str]]], BoolArray]
"""Tells for each pair (answer sentence, obligation) whether the first entails the second, shape (pairs,)."""


@dataclass(frozen=True)
class Parts:
    """The models that make up RePASs."""

    split: Split
    infer: Infer
    obliges: Obliges
    covers: Covers


class RePASs(NamedTuple):
    """One answer's scores: mean best entailment and contradiction, obligation coverage, and the total."""

    entailment: float
    contradiction: float
    coverage: float
    score: float


class Mean(NamedTuple):
    """The scores of many answers.

    Parameters
    ----------
    answered : int
        Number of answers that were scored.
    of_answered : RePASs
        Their mean, as published; NaN if there are none.
    questions : int
        Number of all questions.
    score_of_all : float
        Mean score in which a question without an answer counts 0; the published mean leaves it out.

    """

    answered: int
    of_answered: RePASs
    questions: int
    score_of_all: float


def repass(passages: Sequence[str], answer: str, parts: Parts) -> RePASs | None:
    """Return the scores of one answer, or None if there is no answer.

    Let S_P be the sentences of the passages, joined by a space, and S_A those of the answer. Entailment and
    contradiction are means over S_A: of the greatest probability, with S_P as premises, that the sentence is
    entailed or contradicted. Coverage is the share of the obligations in S_P that an obligation in S_A
    entails, 0 if there are none. The score is (coverage + entailment - contradiction + 1) / 3.

    Parameters
    ----------
    passages : sequence of str
        The passages from which the answer was made.
    answer : str
        Blank if there is none.
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
    """Average the scores of many questions; None stands for a question without an answer."""
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
