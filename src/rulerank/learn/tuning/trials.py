"""The outcome of a search: the best trial, and all of them as a table."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence

import polars as pl
from optuna.trial import FrozenTrial, TrialState

from rulerank.errors import SettingsError

SPREAD = "spread"
"""The attribute of a trial that holds the standard deviation of its folds."""


def best_trial(trials: Iterable[FrozenTrial]) -> FrozenTrial:
    """Return the completed trial with the greatest value, the earliest of equals.

    Raises
    ------
    SettingsError
        No trial is complete.

    """
    complete = [trial for trial in trials if trial.state == TrialState.COMPLETE]
    if not complete:
        raise SettingsError("tune: expected a completed trial, found none. Raise tune.trials in params.yaml.")
    return min(complete, key=lambda trial: (-trial.values[0], trial.number))


def spread(values: Sequence[float]) -> float:
    """Return the sample standard deviation, or 0 for a single value."""
    return statistics.stdev(values) if len(values) > 1 else 0.0


def trials_table(trials: Sequence[FrozenTrial], names: Iterable[str]) -> pl.DataFrame:
    """Return one row per trial: number, state, value, spread, seconds and the parameters with these names.

    The value of a pruned trial is its mean over the folds that it was measured on.
    """
    columns = {
        "number": pl.Int64,
        "state": pl.String,
        "value": pl.Float64,
        SPREAD: pl.Float64,
        "seconds": pl.Float64,
    }
    rows = [
        {
            "number": trial.number,
            "state": trial.state.name.lower(),
            "value": trial.value,
            SPREAD: trial.user_attrs.get(SPREAD),
            "seconds": None if trial.duration is None else trial.duration.total_seconds(),
            **trial.params,
        }
        for trial in trials
    ]
    known = pl.DataFrame([{name: row[name] for name in columns} for row in rows], schema=columns)
    drawn = {name: pl.Series(name, [row.get(name) for row in rows], strict=False) for name in names}
    return known.with_columns(**drawn)
