"""Whether one run is better than another: paired tests and intervals over queries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl
from numpy.typing import ArrayLike

from rulerank.arrays import DoubleArray

LEVEL = 0.95
"""The share of bootstrap means inside an interval."""
BLOCK = 1000
"""Rounds drawn at once; limits memory without changing the result for a given seed."""


def paired_randomisation(
    first: ArrayLike, second: ArrayLike, permutations: int = 10_000, seed: int = 7
) -> float:
    """Return the two-sided p-value of the mean difference under random swaps within pairs.

    Fisher's randomisation test, as Smucker, Allan and Carterette recommend it for retrieval (CIKM 2007). If
    both runs were equally good, each query's difference could just as well have the opposite sign.

    Parameters
    ----------
    first, second : array-like of shape (queries,)
        One measure of two runs on the same queries, in the same order.
    permutations : int, optional (default=10000)
        Number of random sign patterns.
    seed : int, optional (default=7)
        Seed of the random generator.

    Returns
    -------
    float
        (1 + patterns at least as extreme as the observed one) / (1 + permutations), never 0.

    Raises
    ------
    ValueError
        The two have not the same number of values, or a value is NaN.

    """
    differences = _differences(first, second)
    # Ties contribute nothing under either sign.
    differences = differences[differences != 0]
    tolerance = 1e-12 * np.abs(differences).sum()
    observed = abs(differences.sum()) - tolerance
    generator = np.random.default_rng(seed)
    extreme = 0
    for rounds in _blocks(permutations):
        signs = 2 * generator.integers(0, 2, size=(rounds, differences.size), dtype=np.int8) - 1
        extreme += int((np.abs(signs @ differences) >= observed).sum())
    return (1 + extreme) / (1 + permutations)


def bootstrap_interval(differences: ArrayLike, seed: int = 7, rounds: int = 10_000) -> tuple[float, float]:
    """Return the 95 % percentile bootstrap interval of the mean (Efron and Tibshirani, 1993, chapter 13).

    Parameters
    ----------
    differences : array-like of shape (queries,)
        One value per query; queries are drawn with replacement.
    seed : int, optional (default=7)
        Seed of the random generator.
    rounds : int, optional (default=10000)
        Number of bootstrap samples.

    Raises
    ------
    ValueError
        There is no query, or a value is NaN.

    """
    values = _numbers(differences)
    if values.size == 0:
        raise ValueError("expected at least one query, found none")
    generator = np.random.default_rng(seed)
    means = np.concatenate(
        [
            values[generator.integers(values.size, size=(size, values.size))].mean(1)
            for size in _blocks(rounds)
        ]
    )
    low, high = np.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def compare(
    per_query: pl.DataFrame,
    run: str,
    baselines: Sequence[str],
    measure: str,
    permutations: int = 10_000,
    seed: int = 7,
) -> pl.DataFrame:
    """Compare one run with others on the queries they share, by one measure.

    Parameters
    ----------
    per_query : frame of `measures.per_query`
    run : str
        The run to compare.
    baselines : sequence of str
        The runs to compare it with.
    measure : str
        A column of `per_query`.
    permutations, seed : int, optional
        For the randomisation test; the seed is also used for the interval.

    Returns
    -------
    frame with columns run, baseline, measure, difference, low, high, p_value, wins, ties, losses
        One row per baseline. The difference is run minus baseline; low and high are its 95 %
        bootstrap interval; wins, ties and losses count queries.

    Raises
    ------
    ValueError
        A run is not in `per_query`, has several scores for one query or lacks one, or two runs have no query
        in common.

    """
    scores = {name: _scores(per_query, name, measure) for name in (run, *baselines)}
    rows = []
    for baseline in baselines:
        paired = scores[run].join(scores[baseline], on="query_id", maintain_order="left")
        first, second = paired[measure].to_numpy(), paired[f"{measure}_right"].to_numpy()
        differences = _differences(first, second)
        low, high = bootstrap_interval(differences, seed)
        rows.append(
            {
                "run": run,
                "baseline": baseline,
                "measure": measure,
                "difference": float(differences.mean()),
                "low": low,
                "high": high,
                "p_value": paired_randomisation(first, second, permutations, seed),
                "wins": int((differences > 0).sum()),
                "ties": int((differences == 0).sum()),
                "losses": int((differences < 0).sum()),
            }
        )
    return pl.DataFrame(rows, schema=_COMPARISON)


def holm(p_values: ArrayLike) -> DoubleArray:
    """Return p-values adjusted for multiple comparisons (Holm, 1979), in the given order.

    Parameters
    ----------
    p_values : array-like of shape (comparisons,)
        NaN stands for no comparison: it does not count, and stays.

    """
    values = np.asarray(p_values, dtype=np.float64)
    # NaN is sorted last.
    order = np.argsort(values, kind="stable")[: np.count_nonzero(~np.isnan(values))]
    adjusted = np.full_like(values, np.nan)
    adjusted[order] = np.maximum.accumulate(values[order] * np.arange(order.size, 0, -1))
    return np.minimum(adjusted, 1.0)


def corrected(comparisons: pl.DataFrame, by: Sequence[str] = ()) -> pl.DataFrame:
    """Return comparisons with p_holm after p_value: Holm's correction, for each group of rows or for all.

    Parameters
    ----------
    comparisons : frame with a column p_value
        One row per comparison; null where nothing was compared.
    by : sequence of str, optional
        The columns whose values make a group; by default all rows are one.

    """
    adjusted = pl.col("p_value").map_batches(
        lambda values: pl.Series(holm(values.to_numpy())), return_dtype=pl.Float64
    )
    column = comparisons.select(p_holm=(adjusted.over(by) if by else adjusted).fill_nan(None)).to_series()
    return comparisons.clone().insert_column(comparisons.columns.index("p_value") + 1, column)


_COMPARISON = {
    "run": pl.String,
    "baseline": pl.String,
    "measure": pl.String,
    "difference": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "p_value": pl.Float64,
    "wins": pl.Int64,
    "ties": pl.Int64,
    "losses": pl.Int64,
}


def _numbers(values: ArrayLike) -> DoubleArray:
    numbers: DoubleArray = np.asarray(values, dtype=np.float64)
    # No sum with a NaN is extreme, so that a test would find any difference significant.
    if np.isnan(numbers).any():
        raise ValueError("expected numbers, found NaN among them")
    return numbers


def _differences(first: ArrayLike, second: ArrayLike) -> DoubleArray:
    left, right = _numbers(first), _numbers(second)
    if left.shape != right.shape or left.ndim != 1:
        raise ValueError(f"expected two lists of equal length, found {left.shape} and {right.shape}")
    return left - right


def _scores(per_query: pl.DataFrame, run: str, measure: str) -> pl.DataFrame:
    scores = per_query.filter(pl.col("run") == run).select("query_id", measure)
    if scores.is_empty():
        known = per_query["run"].unique(maintain_order=True).to_list()
        raise ValueError(f"expected one of the runs {known}, found {run!r}")
    # Each would be paired with each: more rows, and so smaller p-values, than there are queries.
    repeated = scores.filter(scores["query_id"].is_duplicated())
    if repeated.height:
        raise ValueError(
            f"expected one score per query of the run {run!r}, found several of {repeated['query_id'][0]!r}"
        )
    return scores


def _blocks(total: int) -> Iterator[int]:
    for start in range(0, total, BLOCK):
        yield min(BLOCK, total - start)
