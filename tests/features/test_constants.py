"""A feature declares the constants that it uses, so another value makes it another feature."""

from __future__ import annotations

from dataclasses import replace
from types import ModuleType

import numpy as np
import pytest

from rulerank.features import co_judged, evidence, fusion, listing, listwise, neighbours, pairs
from rulerank.features.listing import Listing
from rulerank.features.registry import registered

# Each constant of the features, and a value that must change the harbour's features.
CONSTANTS = [
    (pairs, "WORDS", 0.5),
    (evidence, "SUPPORTERS", 1),
    (evidence, "VOTERS", 1),
    (evidence, "SHARPNESS", 1.0),
    (co_judged, "RESIDUE", 0.4),
    (neighbours, "FEEDBACK", 1),
    (neighbours, "SUPPORTERS", 1),
    (fusion, "AGREED", 1),
    (listing, "LEADERS", 1),
    (listwise, "NEAR", 2),
]


def test_declared_constants_are_those_of_the_modules() -> None:
    declared = {(name, value) for each in registered() for name, value in each.constants.items()}
    assert declared == {(name, getattr(module, name)) for module, name, _ in CONSTANTS}


@pytest.mark.parametrize(
    ("module", "name", "other"), CONSTANTS, ids=lambda each: getattr(each, "__name__", None)
)
def test_feature_that_changes_with_a_constant_declares_it(
    world, monkeypatch: pytest.MonkeyPatch, module: ModuleType, name: str, other: float
) -> None:
    declaring = {each.name for each in registered() if each.constants.get(name) == getattr(module, name)}
    features, listed = registered(), world.pairs()
    before = features.compute(listed)
    monkeypatch.setattr(module, name, other)
    # The first pass has ranked as before; everything else is computed again.
    after = features.compute(Listing(replace(listed.pairs), listed.first_score, listed.probability))
    changed = {
        each.name
        for column, each in enumerate(features)
        if not np.array_equal(before[:, column], after[:, column], equal_nan=True)
    }
    assert changed
    assert changed <= declaring
