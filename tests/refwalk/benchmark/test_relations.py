"""0 cites 1, which cites 2; 3 cites 4 and 5; 6 is alone."""

from __future__ import annotations

import numpy as np
import pytest

from rulerank.ragged import Ragged, collected
from rulerank.refwalk.benchmark.relations import hops_between, reference_sets


@pytest.fixture(scope="module")
def cites() -> Ragged:
    return collected(np.array([0, 1, 3, 3]), np.array([1, 2, 4, 5]), 7)


def test_every_relation_is_what_it_says(cites: Ragged) -> None:
    found = reference_sets(cites, np.ones(7, bool), 50, np.random.default_rng(1))
    passages = {relation: {each.passages for each in sets} for relation, sets in found.items()}
    assert passages["R1"] == {(row,) for row in range(7)}
    assert passages["R2"] <= {(0, 1), (1, 2), (3, 4), (3, 5)}
    assert len(passages["R2"]) == 3
    assert passages["R3"] == {(0, 1, 2)}
    assert {tuple(sorted(each)) for each in passages["R4"]} == {(0, 2), (4, 5)}


def test_hops_are_those_of_the_graph(cites: Ragged) -> None:
    sets = reference_sets(cites, np.ones(7, bool), 50, np.random.default_rng(1))
    for each in (one for relation in sets.values() for one in relation):
        assert hops_between(cites, each.passages) == each.hops
    with pytest.raises(ValueError, match="expected passages that citations join"):
        hops_between(cites, (0, 6))


def test_passage_that_cannot_be_asked_about_is_in_no_set(cites: Ragged) -> None:
    found = reference_sets(cites, np.arange(7) != 1, 50, np.random.default_rng(1))
    assert not any(1 in each.passages for sets in found.values() for each in sets)
    assert found["R3"] == []
