"""Whether a run gives the figures recorded of it earlier, and reaches the bars set for it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
from pydantic import Field

from rulerank.errors import InputError
from rulerank.evaluate.results import Results
from rulerank.settings import Section

LEXICAL = ("bm25", "bm25_context")
"""Runs of words alone: they learn nothing, so that no processor moves them."""

ALLOWED = 1.5
"""Standard errors of a mean that the same recipe may be off by on another processor; `tolerance` says why."""


class Expectation(Section):
    """What is expected of one measure of one run."""

    value: float | None = None
    """The mean over the questions, as it was measured."""
    standard_error: float | None = Field(None, ge=0)
    """Of that mean; where it is unknown, the greatest that a mean of values from 0 to 1 can have is taken."""
    at_least: float | None = None
    """A bar, which a recording leaves as it is."""

    def met(self, measured: float | None, tolerance: float) -> bool:
        """Return whether a figure is as expected; a missing one never is."""
        if measured is None:
            return False
        # Both are decimal fractions: a difference of exactly the tolerance shall pass.
        near = self.value is None or abs(measured - self.value) <= tolerance + 1e-9
        return near and (self.at_least is None or measured >= self.at_least)

    def said(self, tolerance: float) -> str:
        """Return the expectation in words."""
        near = [] if self.value is None else [f"{self.value:.4f} ± {tolerance:.4f}"]
        return ", ".join([*near, *([] if self.at_least is None else [f"at least {self.at_least:g}"])])


class Expected(Section):
    """A file of `experiments/expected`: of which questions, and by run and measure what is expected."""

    data: str
    """Name of the data set, as `provenance.json` has it."""
    split: str
    queries: int = Field(gt=0)
    runs: dict[str, dict[str, Expectation]]


def tolerance(run: str, expectation: Expectation, queries: int) -> float:
    """Return how far a measure may lie from its recorded value on another machine.

    Two runs of one recipe on one set of n questions are compared in pairs. With standard error s of one mean
    and correlation r between their values per question, the difference has standard error s sqrt(2 (1 - r)):
    s / 2 where r is 7/8. So `ALLOWED` standard errors of the mean are three of the paired difference, which
    one figure in four hundred exceeds by chance: an experiment has dozens of figures, and all must pass. One
    question can move a mean by 1 / n, so the tolerance is never less than that. It is just that for the
    lexical runs: they learn nothing, and only ties can differ in them.

    Parameters
    ----------
    run : str
        Its name.
    expectation : Expectation
        What was recorded of one measure.
    queries : int
        n.

    """
    least = 1 / queries
    if run in LEXICAL or expectation.value is None:
        return least
    # A mean m of values from 0 to 1 has a variance of m (1 - m) / n at most (Bhatia and Davis, 2000).
    greatest = float(np.sqrt(max(expectation.value * (1 - expectation.value), 0) / queries))
    error = greatest if expectation.standard_error is None else expectation.standard_error
    return max(least, ALLOWED * error)


def check(expected: Expected, results: Results, source: Path) -> pl.DataFrame:
    """Compare a run with what is expected of it.

    Parameters
    ----------
    expected : Expected
    results : Results
    source : path
        Where `expected` was read from; named in the error.

    Returns
    -------
    frame with columns run, measure, value, expected, ok
        One row per expectation; `value` is null where the run has no such figure.

    Raises
    ------
    InputError
        The run is of other questions: its figures say nothing about these.

    """
    meant = f"{expected.data}, {expected.split}, {expected.queries} questions"
    here = f"{results.data}, {expected.split}, {results.queries.get(expected.split, 0)} questions"
    if meant != here:
        raise InputError(source, f"expected results of {meant}, found {here}. Give DATA={expected.data}.")
    rows = []
    for run, measures in expected.runs.items():
        for measure, each in measures.items():
            value = results.runs[expected.split].get(run, {}).get(measure)
            within = tolerance(run, each, expected.queries)
            rows.append((run, measure, value, each.said(within), each.met(value, within)))
    schema = {
        "run": pl.String(),
        "measure": pl.String(),
        "value": pl.Float64(),
        "expected": pl.String(),
        "ok": pl.Boolean(),
    }
    return pl.DataFrame(rows, schema=schema, orient="row")


def recorded(results: Results, split: str, earlier: Expected | None = None) -> Expected:
    """Return what a run measured on a split as what is expected from now on.

    Bars of the earlier expectations stay: they were decided, not measured.
    """
    if split not in results.runs:
        raise InputError("metrics.json", f"expected the split {split}, found {sorted(results.runs)}.")
    before = earlier.runs if earlier else {}
    runs: dict[str, dict[str, Expectation]] = {}
    for run in {**results.runs[split], **before}:
        measured, known = results.runs[split].get(run, {}), before.get(run, {})
        errors = results.errors.get(split, {}).get(run, {})
        bars = {measure: each.at_least for measure, each in known.items() if each.at_least is not None}
        runs[run] = {
            measure: Expectation(
                value=measured.get(measure),
                standard_error=errors.get(measure),
                at_least=bars.get(measure),
            )
            for measure in sorted({*measured, *bars})
        }
    runs = {run: measures for run, measures in runs.items() if measures}
    return Expected(data=results.data, split=split, queries=results.queries[split], runs=runs)
