"""A ranker small enough to train here, with splits on thresholds, zeros and missing values."""

from __future__ import annotations

import lightgbm
import numpy as np
import pytest

from rulerank.arrays import FloatArray
from rulerank.engines import PORTABLE
from rulerank.engines.columns import Portable
from rulerank.trees import Trees, mean_of

NAMES = [
    "bm25_score",
    "bm25_context_score",
    "dense_score",
    "pretrained_score",
    "pr",
    "deg",
    "tier",
    "superseded",
]


@pytest.fixture(scope="session")
def rows() -> FloatArray:
    """600 candidates: words and facts from 0 up, cosines on both sides of 0, some tiers missing."""
    random, size = np.random.default_rng(3), 600
    matrix = np.column_stack(
        [
            random.gamma(3, 3, size) * (random.random(size) < 0.7),
            random.gamma(3, 4, size),
            random.normal(0.4, 0.3, size).clip(-1, 1),
            random.normal(0.0, 0.3, size).clip(-1, 1),
            random.random(size) * 1e-4,
            random.integers(0, 9, size),
            random.integers(1, 6, size),
            random.random(size) < 0.1,
        ]
    ).astype(np.float32)
    matrix[random.random(size) < 0.2, 6] = np.nan
    return matrix


@pytest.fixture(scope="session")
def small(rows: FloatArray) -> Portable:
    """The mean of two models of those candidates; most of their splits saw nothing missing."""
    worth = (
        rows[:, 2] * 3 + rows[:, 0] / 9 + np.nan_to_num(rows[:, 6], nan=9) / 4 + rows[:, 7] + 3e3 * rows[:, 4]
    )
    settings = {"verbosity": -1, "num_threads": 1, "num_leaves": 31, "min_data_in_leaf": 5}
    noise = np.random.default_rng(4).normal(size=(2, len(rows))) / 10
    models = [
        lightgbm.train(settings, lightgbm.Dataset(rows, worth + each, feature_name=NAMES), 8)
        for each in noise
    ]
    trees = mean_of([Trees(model.model_to_string()) for model in models])
    columns = tuple(PORTABLE[name] for name in NAMES)
    return Portable(Trees(trees.text), columns, 1.2, 0.75, {"dense_vector": 8, "pretrained_vector": 4})
