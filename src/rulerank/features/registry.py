"""The one place where features plug in.

A feature is a pure function from `Pairs` to one float32 value per pair, NaN where it has no value:

    @feature("lexical")
    def idf_overlap_sum(pairs: Pairs) -> FloatArray:
        '''Sum of idf over the question's terms that the passage contains.'''

Its name, group, pass, version and constants are its identity. A ranker is served with the features that it
was trained with, or not at all. A feature needs a new version whenever a change makes it compute something
else. The golden questions of an exported ranker reveal a forgotten one. The first docstring line documents a
feature.

A feature of the second pass looks at the list that the first pass made. It is a function from `Listing`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from rulerank.features.feature_set import Feature, FeatureFunction, FeatureSet, Pass

Declared = TypeVar("Declared", bound=FeatureFunction)

GROUPS = (
    "lexical",
    "fusion",
    "late",
    "translation",
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
    group: str,
    *,
    in_pass: Pass = 1,
    version: int = 1,
    constants: Mapping[str, float] | None = None,
) -> Callable[[Declared], Declared]:
    """Declare a function as a feature.

    Parameters
    ----------
    group : str
        One of `GROUPS`.
    in_pass : {1, 2}, optional (default=1)
        2 for a function from `Listing`.
    version : int, optional (default=1)
        Increased with every change of what the function computes.
    constants : mapping of str to number, optional
        The constants it computes with; another value makes another feature.

    Raises
    ------
    ValueError
        The group is unknown, the name is taken, or the function has no docstring to define it.

    """

    def declared(function: Declared) -> Declared:
        own = str(getattr(function, "__name__", ""))
        if not function.__doc__:
            raise ValueError(f"feature {own!r}: expected a docstring that defines it, found none")
        definition = function.__doc__.strip().splitlines()[0]
        declare(Feature(own, group, definition, function, in_pass, version, constants or {}))
        return function

    return declared


def declare(each: Feature) -> None:
    """Enter a feature in the registry.

    Raises
    ------
    ValueError
        Its group is unknown, or its name is taken.

    """
    if each.group not in GROUPS:
        raise ValueError(f"feature {each.name!r}: expected a group of {GROUPS}, found {each.group!r}")
    if each.name in _REGISTRY:
        raise ValueError(f"feature {each.name!r} is declared twice; give one of them another name")
    _REGISTRY[each.name] = each


def registered(plugged_in: Iterable[str] = ()) -> FeatureSet:
    """Return every declared feature, by pass, group and then order of declaration.

    Parameters
    ----------
    plugged_in : iterable of str, optional
        Name of a generator from outside the package; its run has the features of every run.

    Raises
    ------
    ValueError
        A feature of such a run has the name of another feature.

    """
    # These modules import this one.
    from rulerank import features
    from rulerank.features.runs import run_features

    features.declare_all()
    order = {group: place for place, group in enumerate(GROUPS)}
    every = list(_REGISTRY.values())
    for run in plugged_in:
        added, taken = run_features(run), {each.name for each in every}
        if repeated := [each.name for each in added if each.name in taken]:
            raise ValueError(
                f"expected a generator whose features have names of their own, found {run!r} with "
                f"{', '.join(repeated)}; give it another name"
            )
        every.extend(added)
    return FeatureSet(tuple(sorted(every, key=lambda each: (each.in_pass, order[each.group]))))
