"""The figures of the ranker on held-out questions, with intervals, from a finished evaluation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl

from rulerank.bundle import RANKER
from rulerank.errors import InputError
from rulerank.evaluate.measures import MEASURES
from rulerank.evaluate.significance import bootstrap_interval

PER_QUERY = "per_query.parquet"


def held_out_figures(evaluation: Path) -> dict[str, dict[str, dict[str, Any]]]:
    """Return the ranker's mean of each measure by split, with its 95 % bootstrap interval and question count.

    Parameters
    ----------
    evaluation : Path
        The folder that the stage evaluate writes.

    Raises
    ------
    InputError
        The folder holds no evaluation.

    """
    path = evaluation / PER_QUERY
    try:
        scores = pl.read_parquet(path, columns=["run", "split", *MEASURES], glob=False)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise InputError(path, "expected the figures of an evaluation. Run `dvc repro evaluate`.") from error
    measured = scores.filter(pl.col("run") == RANKER)
    return {
        split: {name: _mean(measured.filter(pl.col("split") == split)[name]) for name in MEASURES}
        for split in measured["split"].unique(maintain_order=True)
    }


def _mean(values: pl.Series) -> dict[str, Any]:
    low, high = bootstrap_interval(values.to_numpy())
    return {"mean": float(values.to_numpy().mean()), "low": low, "high": high, "n": len(values)}
