from __future__ import annotations

from collections.abc import Callable

import numpy as np
import polars as pl
import pytest

from rulerank.tables import FEATURES


@pytest.fixture(scope="session")
def table_of() -> Callable[..., pl.DataFrame]:
    """Features tables with the columns `signal` and `noise`, from the number of rows of each query."""
    return _table


@pytest.fixture(scope="session")
def training_of() -> Callable[..., pl.DataFrame]:
    """Training tables of questions in folds, in which `unigram_hits` says what is relevant."""
    return _training


def _table(sizes: list[int], seed: int = 0, *, noisy: bool = False) -> pl.DataFrame:
    """One relevant row per query, the one with the greatest signal; `noisy` removes the signal."""
    random = np.random.default_rng(seed)
    queries = np.repeat([f"q{query}" for query in range(len(sizes))], sizes)
    signal = np.concatenate([random.permutation(size) for size in sizes]).astype(np.float32)
    relevance = signal == np.repeat(np.array(sizes) - 1, sizes)
    table = pl.DataFrame(
        {
            "query_id": queries,
            "passage_id": [f"p{row}" for row in range(len(queries))],
            "relevance": relevance.astype(np.int8),
            "signal": random.permutation(signal) if noisy else signal,
            "noise": random.random(len(queries)).astype(np.float32),
        }
    )
    return FEATURES.check(table, "test")


def _training(
    questions: int, candidates: int, folds: int, *, doubt: float, useless: tuple[str, ...] = ("bm25_rank",)
) -> pl.DataFrame:
    """One relevant candidate per question; `doubt` is the deviation of the noise in `unigram_hits`."""
    random = np.random.default_rng(7)
    relevance = np.zeros((questions, candidates), np.int8)
    relevance[np.arange(questions), random.integers(candidates, size=questions)] = 1
    pairs = relevance.size
    return pl.DataFrame(
        {
            "query_id": np.repeat([f"q{number:02}" for number in range(questions)], candidates),
            "passage_id": [f"p{number}" for number in range(candidates)] * questions,
            "relevance": relevance.ravel(),
            "fold": np.repeat(np.arange(questions) % folds, candidates),
            "own": True,
            "unigram_hits": relevance.ravel() + random.normal(0, doubt, pairs).astype(np.float32),
            **{name: random.integers(1, 9, pairs).astype(np.float32) for name in useless},
        }
    )
