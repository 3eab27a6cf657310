"""What a run of the pipeline measured: the means and their standard errors."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import polars as pl

from rulerank.evaluate.measures import MEASURES
from rulerank.files import read_json


@dataclass(frozen=True)
class Results:
    """The measurements of a run of the pipeline.

    Parameters
    ----------
    data : str
        Name of the data set.
    queries : mapping of str to int
        Number of questions in each split.
    runs : mapping of str to mapping
        The measures, by split and run.
    errors : mapping of str to mapping
        The standard error of each measure, by split and run.

    """

    data: str
    queries: dict[str, int]
    runs: dict[str, dict[str, dict[str, float]]]
    errors: dict[str, dict[str, dict[str, float]]]


def read_results(outputs: Path) -> Results:
    """Read the results of a pipeline run from its folder `outputs`."""
    metrics = read_json(outputs / "evaluation/metrics.json")
    scores = pl.read_parquet(outputs / "evaluation/per_query.parquet", glob=False)
    return Results(
        read_json(outputs / "tables/provenance.json")["name"],
        {split: measured["queries"] for split, measured in metrics.items()},
        {split: measured["runs"] for split, measured in metrics.items()},
        standard_errors(scores),
    )


def standard_errors(scores: pl.DataFrame) -> dict[str, dict[str, dict[str, float]]]:
    """Return the standard error of the mean of each measure, s / sqrt(n), by split and run.

    Parameters
    ----------
    scores : frame of `measures.per_query`
        With the column split. A run that answered only one question has no standard error.

    """
    error = pl.col(MEASURES).std() / pl.len().sqrt()
    rows = scores.group_by("split", "run", maintain_order=True).agg(error)
    errors: dict[str, dict[str, dict[str, float]]] = {}
    for row in rows.to_dicts():
        stated = {name: row[name] for name in MEASURES if row[name] is not None}
        errors.setdefault(row["split"], {})[row["run"]] = stated
    return errors
