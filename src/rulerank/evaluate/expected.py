"""Whether a run gives the figures recorded of it earlier, and reaches the bars set for it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import polars as pl
from pydantic import Field

from rulerank.errors import InputError
from rulerank.files import read_json
from rulerank.settings import Section

TOLERANCE = 0.005
"""How far a mean may lie from the recorded one: other processors and thread counts round differently."""


class Expectation(Section):
    """What is expected of one measure of one run."""

    value: float | None = None
    """As it was measured."""
    within: float = Field(TOLERANCE, ge=0)
    """How far from `value` it may be, to either side."""
    at_least: float | None = None
    """A bar, which a recording leaves as it is."""

    def met(self, found: float | None) -> bool:
        """Return whether a figure is as expected; a missing one never is."""
        if found is None:
            return False
        # Both are decimal fractions: a difference of exactly `within` shall pass.
        near = self.value is None or abs(found - self.value) <= self.within + 1e-9
        return near and (self.at_least is None or found >= self.at_least)

    def __str__(self) -> str:
        near = [] if self.value is None else [f"{self.value:.4f} ± {self.within:g}"]
        return ", ".join([*near, *([] if self.at_least is None else [f"at least {self.at_least:g}"])])


class Expected(Section):
    """A file of `experiments/expected`: of which questions, and by run and measure what is expected."""

    data: str
    """Name of the data set, as `provenance.json` has it."""
    split: str
    queries: int
    runs: dict[str, dict[str, Expectation]]


@dataclass(frozen=True)
class Found:
    """What a run of the pipeline measured.

    Parameters
    ----------
    data : str
        Name of the data set.
    queries : mapping of str to int
        Questions of each split.
    runs : mapping of str to mapping
        By split and run, the measures.

    """

    data: str
    queries: dict[str, int]
    runs: dict[str, dict[str, dict[str, float]]]


def read_found(outputs: Path) -> Found:
    """Read the results of a pipeline run from its folder `outputs`."""
    metrics = read_json(outputs / "evaluation/metrics.json")
    return Found(
        read_json(outputs / "tables/provenance.json")["name"],
        {split: measured["queries"] for split, measured in metrics.items()},
        {split: measured["runs"] for split, measured in metrics.items()},
    )


def check(expected: Expected, found: Found, source: Path) -> pl.DataFrame:
    """Hold a run against what is expected of it.

    Parameters
    ----------
    expected : Expected
    found : Found
    source : path
        Where `expected` stands; named in the error.

    Returns
    -------
    frame with columns run, measure, found, expected, ok
        One row an expectation; `found` is null where the run has no such figure.

    Raises
    ------
    InputError
        The run is of other questions: its figures say nothing about these.

    """
    meant = f"{expected.data}, {expected.split}, {expected.queries} questions"
    here = f"{found.data}, {expected.split}, {found.queries.get(expected.split, 0)} questions"
    if meant != here:
        raise InputError(source, f"expected results of {meant}, found {here}. Give DATA={expected.data}.")
    measured = found.runs[expected.split]
    rows = [
        (run, measure, value := measured.get(run, {}).get(measure), str(each), each.met(value))
        for run, measures in expected.runs.items()
        for measure, each in measures.items()
    ]
    schema = {
        "run": pl.String(),
        "measure": pl.String(),
        "found": pl.Float64(),
        "expected": pl.String(),
        "ok": pl.Boolean(),
    }
    return pl.DataFrame(rows, schema=schema, orient="row")


def recorded(found: Found, split: str, earlier: Expected | None = None) -> Expected:
    """Return what a run measured on a split as what is expected from now on.

    Bars and tolerances of the earlier expectations stay: they were decided, not measured.
    """
    if split not in found.runs:
        raise InputError("metrics.json", f"expected the split {split}, found {sorted(found.runs)}.")
    before = earlier.runs if earlier else {}
    runs: dict[str, dict[str, Expectation]] = {}
    for run in {**found.runs[split], **before}:
        measured, known = found.runs[split].get(run, {}), before.get(run, {})
        bars = {measure for measure, each in known.items() if each.at_least is not None}
        runs[run] = {
            measure: known.get(measure, Expectation()).model_copy(update={"value": measured.get(measure)})
            for measure in sorted({*measured, *bars})
        }
    runs = {run: measures for run, measures in runs.items() if measures}
    return Expected(data=found.data, split=split, queries=found.queries[split], runs=runs)
