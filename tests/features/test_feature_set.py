from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from rulerank.features.feature_set import Feature, FeatureSet
from rulerank.features.registry import GROUPS, registered


def test_named_keeps_the_order_asked_for() -> None:
    chosen = registered().named(["deg", "q_len"])
    assert chosen.names == ["deg", "q_len"]
    assert registered().named(registered().names).describe() == registered().describe()


def test_named_of_an_unknown_feature_names_it() -> None:
    with pytest.raises(ValueError, match=r"found \['no_such_feature'\]"):
        registered().named(["deg", "no_such_feature"])


def test_places_are_the_columns_of_the_named_features() -> None:
    chosen = registered().named(["deg", "q_len", "d_len"])
    assert chosen.places(["d_len", "deg"]) == [2, 0]
    assert chosen.places([]) == []


def test_without_drops_one_group() -> None:
    rest = registered().without("judgement")
    assert {each.group for each in rest} == set(GROUPS) - {"judgement"}
    dropped = len([each for each in registered() if each.group == "judgement"])
    assert len(rest) == len(registered()) - dropped > 0


@pytest.mark.parametrize(
    "change",
    [
        {"name": "x"},
        {"group": "fusion"},
        {"in_pass": 2},
        {"version": 2},
        {"constants": {"LEADERS": 20}},
    ],
)
def test_digest_and_identity_change_with_every_part_of_a_declaration(change: dict[str, object]) -> None:
    first, *rest = registered()
    assert FeatureSet((first, *rest)).digest == registered().digest
    assert replace(first, **change).identity != first.identity
    assert FeatureSet((replace(first, **change), *rest)).digest != registered().digest


@pytest.mark.parametrize(
    "each", [each for each in registered() if each.constants], ids=lambda each: each.name
)
def test_digest_changes_with_each_constant(each: Feature) -> None:
    for name, value in each.constants.items():
        other = replace(each, constants={**each.constants, name: value + 1})
        assert FeatureSet((other,)).digest != FeatureSet((each,)).digest
        assert other.identity["constants"][name] == value + 1


def test_rewording_a_definition_leaves_digest_and_identity_as_they_are() -> None:
    features = list(registered())
    reworded = [replace(each, definition="Said in other words.") for each in features]
    assert [each.identity for each in reworded] == [each.identity for each in features]
    assert FeatureSet(tuple(reworded)).digest == registered().digest
    assert FeatureSet(tuple(reworded)).describe() != registered().describe()


def test_identity_is_plain_data() -> None:
    said = registered(["tfidf"]).describe()
    assert json.loads(json.dumps(said)) == said


def test_joined_holds_each_feature_once_and_those_of_the_second_pass_last() -> None:
    one, other = registered().named(["first_rank", "deg", "q_len"]), registered().named(["q_len", "kind"])
    assert one.joined(other).names == ["deg", "q_len", "kind", "first_rank"]


def test_of_pass_keeps_the_order() -> None:
    some = registered().named(["first_rank", "deg", "first_gap", "q_len"])
    assert (some.of_pass(1).names, some.of_pass(2).names) == (["deg", "q_len"], ["first_rank", "first_gap"])


def test_compute_of_pairs_is_that_of_their_listing(world) -> None:
    listing, alone = world.pairs(), registered().of_pass(1)
    assert alone.compute(listing.pairs).tobytes() == alone.compute(listing).tobytes()


def test_compute_of_pairs_refuses_a_feature_of_the_second_pass(world) -> None:
    with pytest.raises(ValueError, match="expected a Listing for 'first_rank', found pairs without an order"):
        registered().named(["deg", "first_rank"]).compute(world.pairs(["pilot"]).pairs)


def test_digest_changes_with_the_order() -> None:
    assert FeatureSet(tuple(reversed(list(registered())))).digest != registered().digest


def test_frame_names_the_columns(world) -> None:
    chosen = registered().named(["d_len", "tier"])
    pairs = world.pairs(["pilot"], depth=1)
    frame = chosen.frame(chosen.compute(pairs))
    assert frame.schema == {"d_len": pl.Float32(), "tier": pl.Float32()}
    assert frame.rows() == [(7, 1), (4, 1)]
    assert np.array_equal(frame.to_numpy(), chosen.compute(pairs))
