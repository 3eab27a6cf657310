"""What every feature must keep, those to come included."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from rulerank.arrays import FloatArray
from rulerank.features.feature_set import Feature
from rulerank.features.pairs import Pairs
from rulerank.features.registry import GROUPS, registered

DEPTHS = (1, 3, 150)

every_feature = pytest.mark.parametrize("each", list(registered()), ids=lambda each: each.name)


@pytest.fixture(scope="module")
def batches(world) -> list[Pairs]:
    """All questions at once, at several depths."""
    return [world.pairs(depth=depth) for depth in DEPTHS]


@pytest.fixture(scope="module")
def backwards(world) -> list[Pairs]:
    """The same in the opposite order."""
    return [world.pairs(world.queries.ids[::-1], depth) for depth in DEPTHS]


@pytest.fixture(scope="module")
def one_by_one(world) -> list[list[Pairs]]:
    """Each question by itself, at the same depths."""
    return [[world.pairs([query], depth) for query in world.queries.ids] for depth in DEPTHS]


def _by_query(each: Feature, pairs: Pairs) -> Iterator[FloatArray]:
    values = each.function(pairs)
    for row in range(len(pairs.queries)):
        yield values[pairs.rows == row]


def _same(left: FloatArray, right: FloatArray) -> bool:
    return left.shape == right.shape and np.allclose(left, right, atol=1e-6, rtol=1e-6, equal_nan=True)


@every_feature
def test_feature_gives_one_finite_float32_a_pair(each: Feature, batches: list[Pairs]) -> None:
    for pairs in batches:
        values = each.function(pairs)
        assert values.shape == pairs.rows.shape
        assert values.dtype == np.float32
        assert not np.isinf(values).any()


@every_feature
def test_feature_is_missing_only_where_its_definition_says_so(each: Feature, batches: list[Pairs]) -> None:
    missing = any(np.isnan(each.function(pairs)).any() for pairs in batches)
    assert not missing or "missing" in each.definition


@every_feature
def test_feature_is_the_same_twice_and_changes_nothing(each: Feature, world, batches: list[Pairs]) -> None:
    first = each.function(batches[0]).tobytes()
    assert each.function(batches[0]).tobytes() == first
    assert each.function(world.pairs(depth=DEPTHS[0])).tobytes() == first


@every_feature
def test_feature_of_a_batch_is_that_of_its_questions_one_by_one(
    each: Feature, batches: list[Pairs], one_by_one: list[list[Pairs]]
) -> None:
    for pairs, singles in zip(batches, one_by_one, strict=True):
        for values, single in zip(_by_query(each, pairs), singles, strict=True):
            assert _same(values, each.function(single))


@every_feature
def test_feature_does_not_depend_on_the_order_of_the_questions(
    each: Feature, batches: list[Pairs], backwards: list[Pairs]
) -> None:
    for pairs, other in zip(batches, backwards, strict=True):
        for values, same in zip(_by_query(each, pairs), [*_by_query(each, other)][::-1], strict=True):
            assert _same(values, same)


@every_feature
def test_feature_round_trips_by_its_description(each: Feature) -> None:
    said = next(one for one in registered().describe() if one["name"] == each.name)
    assert registered().named([str(said["name"])]).features == (each,)
    assert (said["group"], said["monotone"]) == (each.group, each.monotone)
    assert each.group in GROUPS
    assert each.definition.endswith(".")


def test_no_questions_give_an_empty_matrix(world) -> None:
    nobody = world.pairs([])
    assert registered().compute(nobody).shape == (0, len(registered()))
