"""Which passages of a ranking are evidence for its question, and whether there is any."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulerank.answer.linear import Linear, Logistic
from rulerank.answer.membership import LEADERS, NAMES, best_set, membership
from rulerank.arrays import BoolArray, DoubleArray, FloatArray

_DEPTHS = (1, 2, 3, 5, 10)
_STATISTICS = ("mean", "most")

NEARNESS = (
    "most pretrained_score",
    "most bm25_context_score",
    "mean translation_score",
    "most question_familiarity",
)
"""Signals of how near a list is to its question: in meaning, in words, in words that stand for others.

The last, which rankers without judgements lack, is how near the question is to a training question.
"""


@dataclass(frozen=True, eq=False)
class Ranked:
    """The head of one ranking.

    Parameters
    ----------
    log_odds : array of shape (passages,)
        The log-odds that the ranker's own curve gives the scores, highest first; at most `membership.POOL`.
    cites : array of shape (passages, passages)
        1 if the row's passage cites, changes or fills in the column's passage.
    features : mapping of str to array of shape (passages,)
        The features of the ranker by name; NaN for a missing value.

    """

    log_odds: FloatArray
    cites: NDArray[np.float32]
    features: Mapping[str, FloatArray]

    def of_passages(self, names: Sequence[str]) -> DoubleArray:
        """Return the columns of `membership`, then the features `names`, shape (passages, columns)."""
        seen = np.array([self.features[name] for name in names], np.float64)
        # Without names, the array has a single axis.
        columns = seen.reshape(len(names), len(self.log_odds)).T
        return np.hstack([membership(self.log_odds, self.cites), columns])

    def as_whole(self, names: Sequence[str]) -> DoubleArray:
        """Return the columns `signals_of(names)`, shape (1, columns); needs at least one passage."""
        odds = np.asarray(self.log_odds, np.float64)
        chance = np.exp(-np.logaddexp(0, -odds[:LEADERS]))
        seen = np.array([self.features[name][:LEADERS] for name in names], np.float64)
        # Without names, the array has a single axis.
        leading = seen.reshape(len(names), len(odds[:LEADERS]))
        known = ~np.isnan(leading)
        total, count = np.where(known, leading, 0.0).sum(axis=1), known.sum(axis=1)
        means = np.divide(total, count, out=np.full(len(names), np.nan), where=count > 0)
        most = np.where(count > 0, np.where(known, leading, -np.inf).max(axis=1), np.nan)
        ranked = [odds[min(depth, len(odds)) - 1] for depth in _DEPTHS]
        return np.array([[*ranked, np.log(chance.sum()), *means, *most]])


def signals_of(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the signals that say whether a list answers its question.

    These are the log-odds at some ranks, the logarithm of the expected number of relevant leaders, and the
    mean and the greatest value of each feature over the leaders that have it.
    """
    of_features = (f"{statistic} {name}" for statistic in _STATISTICS for name in names)
    return (*(f"log_odds {depth}" for depth in _DEPTHS), "expected", *of_features)


@dataclass(frozen=True)
class Selection:
    """The calibrated tail filter and the answerability model, fitted on training questions out of fold.

    Parameters
    ----------
    member : Logistic
        From the columns `membership.NAMES` and features: the probability that a passage is evidence.
    beta : float
        The weight of recall when a set is chosen.
    answerable : Logistic
        From `signals_of`: the probability that the rulebook answers the question.
    least : float
        The lowest probability at which a question is answered.
    near : Linear
        From some of `signals_of`: below 0, the question is about something else and is not answered.

    """

    member: Logistic
    beta: float
    answerable: Logistic
    least: float
    near: Linear

    @cached_property
    def features(self) -> tuple[str, ...]:
        """The features that are used."""
        return self.member.names[len(NAMES) :]

    @cached_property
    def _seen(self) -> tuple[str, ...]:
        of_features = self.answerable.names[len(signals_of(())) :]
        mean, _ = (f"{statistic} " for statistic in _STATISTICS)
        return tuple(name.removeprefix(mean) for name in of_features if name.startswith(mean))

    @cached_property
    def _of_nearness(self) -> list[int]:
        return [self.answerable.names.index(name) for name in self.near.names]

    def probabilities(self, head: Ranked) -> DoubleArray:
        """Return the probability of each passage, shape (passages,)."""
        return self.member(head.of_passages(self.features))

    def kept(self, probability: FloatArray) -> BoolArray:
        """Return which passages are kept: the set whose F measure is expected to be highest."""
        return best_set(probability, self.beta)

    def answers(self, head: Ranked) -> float:
        """Return the probability that the passages hold an answer; 0 if they are far from the question."""
        if not len(head.log_odds):
            return 0.0
        signals = head.as_whole(self._seen)
        if self.near(signals[:, self._of_nearness])[0] < 0:
            return 0.0
        return float(self.answerable(signals)[0])

    def as_json(self) -> dict[str, Any]:
        """Return everything as a JSON object."""
        return {
            "member": self.member.as_json(),
            "beta": self.beta,
            "answerable": self.answerable.as_json(),
            "least": self.least,
            "near": self.near.as_json(),
        }

    @classmethod
    def read(cls, said: Mapping[str, Any], known: Sequence[str]) -> Selection:
        """Return the selection that `as_json` stated.

        Parameters
        ----------
        said : mapping
            The JSON object.
        known : sequence of str
            The features that the ranker has.

        Raises
        ------
        ValueError, KeyError, TypeError
            It is something else, or uses other features.

        """
        beta, least = float(said["beta"]), float(said["least"])
        if not (np.isfinite(beta) and beta > 0 and 0 <= least <= 1):
            raise ValueError(f"expected a positive beta and a probability, found {beta} and {least}")
        member, answerable = Logistic.read(said["member"]), Logistic.read(said["answerable"])
        selection = cls(member, beta, answerable, least, Linear.read(said["near"]))
        unknown = sorted({*selection.features, *selection._seen} - set(known))
        unknown += sorted(set(selection.near.names) - set(answerable.names))
        whole = answerable.names == signals_of(selection._seen)
        if member.names[: len(NAMES)] != NAMES or not whole or unknown:
            raise ValueError(
                f"expected features of the ranker, found {', '.join(unknown) or 'other columns'}"
            )
        return selection
