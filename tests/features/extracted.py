"""The harbour's questions with their candidates and features, as in training and serving."""

from __future__ import annotations

import numpy as np
import polars as pl

from rulerank.features.extract import Batch, extract, named_pairs
from rulerank.features.feature_set import FeatureSet
from rulerank.features.index import DESCRIBED
from rulerank.features.registry import registered
from rulerank.features.withheld import of_clusters
from rulerank.settings import Candidates

SETTINGS = Candidates(runs=DESCRIBED, depth=3)
ALONE = registered().of_pass(1)
LISTED = registered().of_pass(2)


def table_of(described: list[Batch], features: FeatureSet) -> pl.DataFrame:
    """One row per pair: question, passage and features."""
    return pl.concat(named_pairs(each.pairs).hstack(features.frame(each.matrix)) for each in described)


def extracted(world, features: FeatureSet = ALONE, settings: Candidates = SETTINGS, **how) -> list[Batch]:
    return list(
        extract(world.index, world.queries, of_clusters(np.array(world.held_out)), features, settings, **how)
    )
