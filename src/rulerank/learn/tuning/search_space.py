"""What the search may change: LightGBM's settings, the depth of training, and the features it sees."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from optuna.distributions import (
    BaseDistribution,
    CategoricalDistribution,
    FloatDistribution,
    IntDistribution,
)

from rulerank.learn.ranker.choice import Choice
from rulerank.settings import Ranker

ALWAYS = ("lexical", "fusion")
"""Feature groups that every trial has, because they found the candidates."""

_GROUP = "group."


def search_space(present: Choice) -> dict[str, BaseDistribution]:
    """Return what a trial draws from.

    Parameters
    ----------
    present : Choice
        The choice without a search; it has every group. A setting outside the usual range widens the
        range, since this choice is the first trial.

    """
    ranker = present.ranker
    space: dict[str, BaseDistribution] = {
        "num_leaves": _whole(7, 127, ranker.num_leaves),
        "learning_rate": _real(0.03, 0.2, ranker.learning_rate),
        "min_data_in_leaf": _whole(20, 400, ranker.min_data_in_leaf),
        "feature_fraction": _real(0.15, 0.8, ranker.feature_fraction),
        "lambda_l2": _real(0.1, 50.0, ranker.lambda_l2),
        "max_bin": _whole(31, 255, ranker.max_bin),
        "lambdarank_truncation_level": _whole(5, 40, ranker.lambdarank_truncation_level),
        "bagging_fraction": _real(0.4, 1.0, ranker.bagging_fraction),
        "several_weight": _real(1.0, 10.0, ranker.several_weight),
        "depth": _whole(30, 200, ranker.depth),
    }
    switches = (group for group in present.groups if group not in ALWAYS)
    return {**space, **{f"{_GROUP}{group}": CategoricalDistribution([True, False]) for group in switches}}


def to_parameters(choice: Choice, present: Choice) -> dict[str, Any]:
    """Return a choice as a trial of the search space around `present`."""
    values = choice.ranker.model_dump()
    switches = {f"{_GROUP}{group}": group in choice.groups for group in present.groups}
    return {name: {**values, **switches}[name] for name in search_space(present)}


def to_choice(parameters: Mapping[str, Any], present: Choice) -> Choice:
    """Return the choice that a trial represents; what no trial changes is as in `present`."""
    drawn = {name: value for name, value in parameters.items() if name in Ranker.model_fields}
    return Choice(
        ranker=Ranker(**{**present.ranker.model_dump(), **drawn}),
        groups=tuple(group for group in present.groups if parameters.get(f"{_GROUP}{group}", True)),
    )


def _whole(low: int, high: int, present: int) -> IntDistribution:
    # A logarithmic range has no 0.
    return IntDistribution(min(low, present), max(high, present), log=present > 0)


def _real(low: float, high: float, present: float) -> FloatDistribution:
    return FloatDistribution(min(low, present), max(high, present), log=present > 0)
