"""The calibrated tail filter and abstention, fitted on training questions out of fold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from rulerank.answer.linear import Linear, Logistic
from rulerank.answer.membership import NAMES, best_sets
from rulerank.answer.selection import NEARNESS, Ranked, Selection, signals_of
from rulerank.arrays import BoolArray, DoubleArray

BETAS = (0.6, 0.8, 1.0, 1.2, 1.4, 1.7, 2.0)
STRENGTHS = (0.001, 0.003, 0.01, 0.03, 0.1)
"""The inverses of the penalty to try."""

ANSWERED = 3
"""A list answers its question if a relevant passage is among this many first ranks."""

FAR = 0.01
"""Share of the answered training questions that may be too far from their lists for `Selection.near`.

They count among those that may be declined. A larger share declines more questions from other fields, and
fewer of those that only lack their passages.
"""

FLOOR = 1e-9
"""The lowest value of `Selection.least`: what is beyond the border has probability 0 and is declined."""

SEVERAL = 100
"""The fewest training questions with several relevant passages on which alone the filter may be fitted."""

ROUNDING = 1e-6
"""Features are in single precision: a column that varies less than this share of its size holds one value."""


@dataclass(frozen=True, eq=False)
class ScoredList:
    """One training question and its list, by a model that has not seen it.

    Parameters
    ----------
    fold : int
        Fold of the question.
    ranked : Ranked
        The head of the list.
    relevant : boolean array of shape (passages,)
        Whether each passage is relevant.
    sought : int
        Number of the question's relevant passages, found or not.

    """

    fold: int
    ranked: Ranked
    relevant: BoolArray
    sought: int


def fit_selection(
    lists: Sequence[ScoredList], emptied: Sequence[ScoredList], names: Sequence[str], wrong: float
) -> tuple[Selection, dict[str, Any]] | None:
    """Fit both models; all choices are made on held-out folds.

    Parameters
    ----------
    lists : sequence of ScoredList
        The training questions.
    emptied : sequence of ScoredList
        Training questions ranked as if the passages that answer them were missing from the corpus.
    names : sequence of str
        The features that the filter looks at.
    wrong : float
        Share of the answerable questions that may be declined.

    Returns
    -------
    selection : Selection
        Fitted on every fold.
    figures : dict
        Its measures on the held-out folds.

    None if there is nothing to learn from, because there are no relevant or no other passages.

    """
    chosen = _saying_how_many(lists)
    labels = np.concatenate([each.relevant for each in chosen] or [np.empty(0, bool)])
    if labels.all() or not labels.any() or not emptied:
        return None
    member, likely = _out_of_fold(
        (*NAMES, *names),
        [each.ranked.of_passages(names) for each in chosen],
        [each.relevant for each in chosen],
        [each.fold for each in chosen],
        [True] * len(chosen),
    )
    quality = {beta: _mean_f1(chosen, likely, beta) for beta in BETAS}
    beta = max(BETAS, key=lambda each: quality[each])
    answers = np.array([each.relevant[:ANSWERED].any() for each in lists])
    if not answers.any():
        return None
    both = [*lists, *emptied]
    named, signals = signals_of(names), [each.ranked.as_whole(names) for each in both]
    answerable, chances = _out_of_fold(
        named,
        signals,
        [np.array([place < len(lists)]) for place in range(len(both))],
        [each.fold for each in both],
        # A list whose answer is too far down is no example of either kind.
        [*answers.tolist(), *[True] * len(emptied)],
    )
    columns = [place for place, name in enumerate(named) if name in NEARNESS]
    described = np.vstack(signals[: len(lists)])[:, columns]
    near = _nearness([named[place] for place in columns], described, answers, min(FAR, wrong))
    stated = np.concatenate(chances) * (near(np.vstack(signals)[:, columns]) >= 0)
    least = max(FLOOR, float(np.quantile(stated[: len(lists)], wrong)))
    figures = {
        "questions": len(chosen),
        "beta": beta,
        "f1": round(quality[beta], 4),
        "least": round(least, 4),
        "declined_without_their_passages": round(float(np.mean(stated[len(lists) :] < least)), 4),
    }
    return Selection(member, beta, answerable, least, near), figures


def _saying_how_many(lists: Sequence[ScoredList]) -> Sequence[ScoredList]:
    """Return the questions whose judgements say how many passages are evidence.

    If most have a single relevant passage, they were made from passages, as in ObliQA, and not judged against
    all of them. Then only the rest says how many there are.
    """
    several = [each for each in lists if each.sought > 1]
    return several if SEVERAL <= len(several) < len(lists) / 2 else lists


def _out_of_fold(
    names: Sequence[str],
    inputs: Sequence[DoubleArray],
    labels: Sequence[BoolArray],
    folds: Sequence[int],
    examples: Sequence[bool],
) -> tuple[Logistic, list[DoubleArray]]:
    """Fit a model on the lists that are examples, and estimate each list by models without its fold."""
    x, y, sizes = np.vstack(inputs), np.concatenate(labels), [len(each) for each in inputs]
    fold, example = np.repeat(np.asarray(folds, np.int64), sizes), np.repeat(np.asarray(examples), sizes)
    tried = {strength: _held_out(names, x, y, fold, example, strength) for strength in STRENGTHS}
    best = min(STRENGTHS, key=lambda each: _log_loss(tried[each][example], y[example]))
    return _fit(names, x[example], y[example], best), np.split(tried[best], np.cumsum(sizes)[:-1])


def _held_out(
    names: Sequence[str],
    x: DoubleArray,
    y: BoolArray,
    fold: NDArray[np.int64],
    example: BoolArray,
    strength: float,
) -> DoubleArray:
    stated = np.full(len(y), y[example].mean())
    for each in np.unique(fold):
        own, shown = fold == each, (fold != each) & example
        if y[shown].any() and not y[shown].all():
            stated[own] = _fit(names, x[shown], y[shown], strength)(x[own])
    return stated


def _fit(names: Sequence[str], x: DoubleArray, y: BoolArray, strength: float) -> Logistic:
    """Fit a logistic regression to columns of mean 0 and deviation 1, with missing values at the mean."""
    mean, scale = _location(x)
    filled = np.where(np.isnan(x), mean, x)
    # Few columns and many rows: Newton needs a tenth of the steps of the default solver.
    model = LogisticRegression(C=strength, solver="newton-cholesky").fit((filled - mean) / scale, y)
    weights = model.coef_[0] / scale
    intercept = float(model.intercept_[0] - weights @ mean)
    return Logistic(tuple(names), tuple(weights.tolist()), intercept, tuple(mean.tolist()))


def _nearness(names: Sequence[str], x: DoubleArray, answered: BoolArray, far: float) -> Linear:
    """Fit a sum of the columns in standard deviations that is below 0 for a share `far` of the answered."""
    mean, scale = _location(x[answered])
    total = Linear(tuple(names), tuple((1 / scale).tolist()), 0.0, tuple(mean.tolist()))
    return replace(total, intercept=0.0 - float(np.quantile(total(x[answered]), far)))


def _location(x: DoubleArray) -> tuple[DoubleArray, DoubleArray]:
    """Return the mean of each column and its standard deviation, or 1 if it holds one value."""
    known = ~np.isnan(x)
    mean = np.where(known, x, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    filled = np.where(known, x, mean)
    deviation = filled.std(axis=0)
    varies = deviation > ROUNDING * np.abs(filled).max(axis=0, initial=0.0)
    return mean, np.where(varies, deviation, 1.0)


def _log_loss(stated: DoubleArray, y: BoolArray) -> float:
    chance = np.clip(np.where(y, stated, 1 - stated), 1e-12, None)
    return float(-np.log(chance).mean())


def _mean_f1(lists: Sequence[ScoredList], stated: Sequence[DoubleArray], beta: float) -> float:
    scores = [
        2 * float((kept & each.relevant).sum()) / (float(kept.sum()) + each.sought)
        for each, kept in zip(lists, best_sets(stated, beta), strict=True)
    ]
    return float(np.mean(scores))
