"""The one place where features plug in.

A feature is a pure function from `Pairs` to one float32 value a pair, NaN where it has no value:

    @feature("lexical", monotone=+1)
    def idf_overlap_sum(pairs: Pairs) -> FloatArray:
        '''Sum of idf over the question's terms that the passage holds.'''

Its name, group, monotone sign and first docstring line are its declaration: they drive the matrix, the
constraints, docs/features.md, the MLflow signature and the exported ranker.

A feature of the second pass looks at the list that the first pass made: it is a function from `Listing`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from rulerank.features.feature_set import Feature, FeatureFunction, FeatureSet, Pass, Sign

Declared = TypeVar("Declared", bound=FeatureFunction)

GROUPS = (
    "lexical",
    "fusion",
    "late",
    "centrality",
    "neighbours",
    "closure",
    "authority",
    "structure",
    "obligation",
    "judgement",
    "listwise",
)
"""The feature groups, in the order of the matrix; features of the second pass come after all others."""


_REGISTRY: dict[str, Feature] = {}


def feature(
    group: str, *, monotone: Sign = 0, name: str | None = None, in_pass: Pass = 1
) -> Callable[[Declared], Declared]:
    """Declare a function as a feature.

    Parameters
    ----------
    group : str
        One of `GROUPS`.
    monotone : {-1, 0, 1}, optional (default=0)
        The direction in which the value may move the score, all else equal; 0 leaves it free.
    name : str, optional
        The feature's name, by default the function's.
    in_pass : {1, 2}, optional (default=1)
        2 for a function from `Listing`.

    Raises
    ------
    ValueError
        The group is unknown, the name is taken, or the function has no docstring to define it.

    """

    def declare(function: Declared) -> Declared:
        own = name or function.__name__
        if group not in GROUPS:
            raise ValueError(f"feature {own!r}: expected a group of {GROUPS}, found {group!r}")
        if own in _REGISTRY:
            raise ValueError(f"feature {own!r} is declared twice; give one of them another name")
        if not function.__doc__:
            raise ValueError(f"feature {own!r}: expected a docstring that defines it, found none")
        definition = function.__doc__.strip().splitlines()[0]
        _REGISTRY[own] = Feature(own, group, monotone, definition, function, in_pass)
        return function

    return declare


def registered() -> FeatureSet:
    """Return every declared feature, by pass, group and then order of declaration."""
    from rulerank import features

    features.declare_all()
    order = {group: place for place, group in enumerate(GROUPS)}
    return FeatureSet(tuple(sorted(_REGISTRY.values(), key=lambda each: (each.in_pass, order[each.group]))))
