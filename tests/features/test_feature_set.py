from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from rulerank.errors import SettingsError
from rulerank.features.chosen import chosen
from rulerank.features.feature_set import FeatureSet
from rulerank.features.registry import GROUPS, registered
from rulerank.settings import Extract, Settings


def test_named_keeps_the_order_asked_for() -> None:
    chosen = registered().named(["deg", "q_len"])
    assert chosen.names == ["deg", "q_len"]
    assert registered().named(registered().names).describe() == registered().describe()


def test_named_of_an_unknown_feature_names_it() -> None:
    with pytest.raises(ValueError, match=r"found \['no_such_feature'\]"):
        registered().named(["deg", "no_such_feature"])


def test_without_drops_one_group() -> None:
    rest = registered().without("judgement")
    assert {each.group for each in rest} == set(GROUPS) - {"judgement"}
    dropped = len([each for each in registered() if each.group == "judgement"])
    assert len(rest) == len(registered()) - dropped > 0


@pytest.mark.parametrize(
    "change", [{"name": "x"}, {"group": "fusion"}, {"monotone": -1}, {"definition": "Other."}]
)
def test_digest_changes_with_every_part_of_a_declaration(change: dict[str, object]) -> None:
    first, *rest = registered()
    assert FeatureSet((first, *rest)).digest == registered().digest
    assert FeatureSet((replace(first, **change), *rest)).digest != registered().digest


def test_digest_changes_with_the_order() -> None:
    assert FeatureSet(tuple(reversed(list(registered())))).digest != registered().digest


def test_frame_names_the_columns(world) -> None:
    chosen = registered().named(["d_len", "tier"])
    pairs = world.pairs(["pilot"], depth=1)
    frame = chosen.frame(chosen.compute(pairs))
    assert frame.schema == {"d_len": pl.Float32(), "tier": pl.Float32()}
    assert frame.rows() == [(7, 1), (4, 1)]
    assert np.array_equal(frame.to_numpy(), chosen.compute(pairs))


def test_features_of_the_second_pass_alone_are_refused() -> None:
    settings = Settings(extract=Extract(features=("first_score",)))
    with pytest.raises(SettingsError, match=r"the first pass can learn from, found .*: first_score"):
        chosen(settings)
    both = Settings(extract=Extract(features=("first_score", "deg")))
    assert chosen(both).names == ["first_score", "deg"]
