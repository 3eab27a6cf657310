from __future__ import annotations

from collections.abc import Callable

import numpy as np
import polars as pl
import pytest


@pytest.fixture(scope="session")
def table_of() -> Callable[..., pl.DataFrame]:
    """Features tables with the columns `signal` and `noise`, from the number of rows of each query."""
    return _table


def _table(sizes: list[int], seed: int = 0, *, noisy: bool = False) -> pl.DataFrame:
    """One relevant row a query, the one with the greatest signal; `noisy` takes the signal away."""
    random = np.random.default_rng(seed)
    queries = np.repeat([f"q{query}" for query in range(len(sizes))], sizes)
    signal = np.concatenate([random.permutation(size) for size in sizes]).astype(np.float32)
    relevance = signal == np.repeat(np.array(sizes) - 1, sizes)
    return pl.DataFrame(
        {
            "query_id": queries,
            "passage_id": [f"p{row}" for row in range(len(queries))],
            "relevance": relevance.astype(np.int8),
            "signal": random.permutation(signal) if noisy else signal,
            "noise": random.random(len(queries)).astype(np.float32),
        }
    )
