"""Rows of the bench: what was measured, and the spread of the measurements."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from time import perf_counter, process_time
from typing import TypeVar

import numpy as np
import polars as pl

from rulerank.arrays import DoubleArray

SCHEMA = {
    "measurement": pl.String(),
    "unit": pl.String(),
    "threads": pl.Int64(),
    "p50": pl.Float64(),
    "p95": pl.Float64(),
    "least": pl.Float64(),
    "greatest": pl.Float64(),
    "processor": pl.Float64(),
    "repeats": pl.Int64(),
}
"""Columns of the bench. `least` and `greatest` are those of the repeats; for timed calls, of their medians.
`processor` is the median by the processor time of all threads, which depends less on other programs.
"""

Row = dict[str, object]
Item = TypeVar("Item")
Result = TypeVar("Result")


def call_row(name: str, threads: int, seconds: DoubleArray) -> Row:
    """Return the row of single calls.

    Parameters
    ----------
    name : str
        What was called.
    threads : int
        Number of threads.
    seconds : array of shape (repeats, calls, 2)
        The time of each call, by the clock and by the processors.

    """
    clock, processor = np.moveaxis(1000 * seconds, -1, 0)
    p50, p95 = np.percentile(clock, [50, 95])
    return _row(name, "ms", threads, p50, p95, np.median(clock, axis=1), float(np.median(processor)))


def call_rows(repeated: Sequence[Mapping[str, DoubleArray]], threads: int) -> list[Row]:
    """Return the row of each named call; each repeat has its seconds, of shape (calls, 2)."""
    return [call_row(name, threads, np.stack([each[name] for each in repeated])) for name in repeated[0]]


def rate_row(name: str, unit: str, threads: int, amount: int, seconds: DoubleArray) -> Row:
    """Return the row of an amount of work per second; `seconds` has shape (repeats, 2), as in `timed`."""
    clock, processor = amount / seconds.T
    return _row(name, unit, threads, float(np.median(clock)), None, clock, float(np.median(processor)))


def value_row(name: str, unit: str, threads: int, values: Sequence[float]) -> Row:
    """Return the row of any other value measured once per repeat: seconds, a size, a share."""
    return _row(name, unit, threads, float(np.median(values)), None, np.asarray(values), None)


def timed(call: Callable[[Item], Result], items: Sequence[Item]) -> tuple[list[Result], DoubleArray]:
    """Call a function with each item; return the results and the seconds of each call.

    Returns
    -------
    results : list
        What each call returned.
    seconds : array of shape (items, 2)
        By the clock and by the processors.

    """
    results, seconds = [], np.empty((len(items), 2))
    for place, item in enumerate(items):
        start, used = perf_counter(), process_time()
        results.append(call(item))
        seconds[place] = perf_counter() - start, process_time() - used
    return results, seconds


def _row(
    name: str,
    unit: str,
    threads: int,
    p50: float,
    p95: float | None,
    repeats: DoubleArray,
    processor: float | None,
) -> Row:
    extremes = float(repeats.min()), float(repeats.max())
    values = (name, unit, threads, float(p50), p95, *extremes, processor, len(repeats))
    return dict(zip(SCHEMA, values, strict=True))
