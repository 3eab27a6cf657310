"""Rules that every feature must keep, including future ones."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from rulerank.arrays import FloatArray
from rulerank.features.feature_set import Feature
from rulerank.features.listing import Listing
from rulerank.features.registry import GROUPS, registered
from tests.features.plugged import TfIdf

DEPTHS = (1, 3, 150)

every_feature = pytest.mark.parametrize("each", list(registered([TfIdf.name])), ids=lambda each: each.name)


@pytest.fixture(scope="module")
def world(world):
    """The harbour with a run from outside the package, which gets the features of every run."""
    return world.with_tfidf()


@pytest.fixture(scope="module")
def batches(world) -> list[Listing]:
    """All questions at once, at several depths."""
    return [world.pairs(depth=depth) for depth in DEPTHS]


@pytest.fixture(scope="module")
def backwards(world) -> list[Listing]:
    """The same in the opposite order."""
    return [world.pairs(world.queries.ids[::-1], depth) for depth in DEPTHS]


@pytest.fixture(scope="module")
def one_by_one(world) -> list[list[Listing]]:
    """Each question by itself, at the same depths."""
    return [[world.pairs([query], depth) for query in world.queries.ids] for depth in DEPTHS]


def _by_query(each: Feature, listing: Listing) -> Iterator[FloatArray]:
    values = each.of(listing)
    for row in range(len(listing.pairs.queries)):
        yield values[listing.rows == row]


def _same(left: FloatArray, right: FloatArray) -> bool:
    return left.shape == right.shape and np.allclose(left, right, atol=1e-6, rtol=1e-6, equal_nan=True)


@every_feature
def test_feature_gives_one_finite_float32_a_pair(each: Feature, batches: list[Listing]) -> None:
    for listing in batches:
        values = each.of(listing)
        assert values.shape == listing.rows.shape
        assert values.dtype == np.float32
        assert not np.isinf(values).any()


@every_feature
def test_feature_is_missing_only_where_its_definition_says_so(each: Feature, batches: list[Listing]) -> None:
    missing = any(np.isnan(each.of(listing)).any() for listing in batches)
    assert not missing or "missing" in each.definition


@every_feature
def test_feature_is_the_same_twice_and_changes_nothing(each: Feature, world, batches: list[Listing]) -> None:
    first = each.of(batches[0]).tobytes()
    assert each.of(batches[0]).tobytes() == first
    assert each.of(world.pairs(depth=DEPTHS[0])).tobytes() == first


@every_feature
def test_feature_of_a_batch_is_that_of_its_questions_one_by_one(
    each: Feature, batches: list[Listing], one_by_one: list[list[Listing]]
) -> None:
    for listing, singles in zip(batches, one_by_one, strict=True):
        for values, single in zip(_by_query(each, listing), singles, strict=True):
            assert _same(values, each.of(single))


@every_feature
def test_feature_does_not_depend_on_the_order_of_the_questions(
    each: Feature, batches: list[Listing], backwards: list[Listing]
) -> None:
    for listing, other in zip(batches, backwards, strict=True):
        for values, same in zip(_by_query(each, listing), [*_by_query(each, other)][::-1], strict=True):
            assert _same(values, same)


@every_feature
def test_feature_round_trips_by_its_description(each: Feature) -> None:
    everything = registered([TfIdf.name])
    said = next(one for one in everything.describe() if one["name"] == each.name)
    assert everything.named([str(said["name"])]).identities == [each.identity]
    assert said == {**each.identity, "definition": each.definition}
    assert each.group in GROUPS
    assert each.definition.endswith(".")


@every_feature
def test_question_without_candidates_gives_no_value(each: Feature, world) -> None:
    # With words only, a question of stop words finds nothing.
    listing = world.pairs(["empty"], runs=("bm25",))
    assert not len(listing.rows)
    assert each.of(listing).shape == (0,)


def test_no_questions_give_an_empty_matrix(world) -> None:
    nobody = world.pairs([])
    assert registered().compute(nobody).shape == (0, len(registered()))
