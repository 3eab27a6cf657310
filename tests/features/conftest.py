"""The harbour, and a first pass over its passages."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import lightgbm
import pytest

from rulerank.features.first_pass import FirstPass
from rulerank.features.registry import registered
from rulerank.trees import Trees
from tests.features.world import Row, World, build_world

MADE_OF = ("bm25_score", "dense_score", "fused_rank", "relevance_prior")
"""The columns of the first pass."""


@pytest.fixture(scope="session")
def world() -> World:
    """The harbour, its judgements, and an adapter that does nothing."""
    return build_world()


@pytest.fixture(scope="session")
def larger_world() -> Callable[[Sequence[tuple[int, Row]]], World]:
    """Build the harbour with further passages at some places of the table."""
    return build_world


@pytest.fixture(scope="session")
def first_pass(world: World) -> FirstPass:
    """A few small trees that learn how well a question and a passage agree."""
    features, pairs = registered().named(list(MADE_OF)), world.pairs().pairs
    small = {"num_leaves": 6, "min_data_in_leaf": 1, "min_data_in_bin": 1, "verbose": -1, "num_threads": 1}
    columns = lightgbm.Dataset(features.compute(pairs), pairs.fused, feature_name=list(MADE_OF))
    booster = lightgbm.train(small, columns, num_boost_round=20)
    return FirstPass(Trees(booster.model_to_string()), features, {"slope": 8.0, "intercept": -4.0})
