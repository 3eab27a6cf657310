"""Whether a run reproduces the figures recorded for it earlier, and reaches the bars set for it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
from pydantic import Field

from rulerank.errors import InputError
from rulerank.evaluate.results import Results
from rulerank.settings import Section

LEXICAL = ("bm25", "bm25_context")
"""Runs by words alone. They learn nothing, so the processor does not affect them."""

ALLOWED = 1.5
"""How many standard errors a mean of one recipe may be off on another processor; see `tolerance`."""


class Expectation(Section):
    """The expectation for one measure of one run."""

    value: float | None = None
    """The measured mean over the questions."""
    standard_error: float | None = Field(None, ge=0)
    """That mean's. If unknown, the greatest that a mean of values from 0 to 1 can have is used."""
    at_least: float | None = None
    """A bar, which a new recording leaves unchanged."""

    def met(self, measured: float | None, tolerance: float) -> bool:
        """Return whether a figure is as expected; a missing one never is."""
        if measured is None:
            return False
        # Both are decimal fractions. A difference of exactly the tolerance must pass.
        near = self.value is None or abs(measured - self.value) <= tolerance + 1e-9
        return near and (self.at_least is None or measured >= self.at_least)

    def said(self, tolerance: float) -> str:
        """Return the expectation in words."""
        near = [] if self.value is None else [f"{self.value:.4f} ± {tolerance:.4f}"]
        return ", ".join([*near, *([] if self.at_least is None else [f"at least {self.at_least:g}"])])


class Expected(Section):
    """A file of `experiments/expected`: the questions, and the expectations by run and measure."""

    data: str
    """Name of the data set, as in `provenance.json`."""
    split: str
    queries: int = Field(gt=0)
    runs: dict[str, dict[str, Expectation]]


def tolerance(run: str, expectation: Expectation, queries: int) -> float:
    """Return how far a measure may lie from its recorded value on another machine.

    Two runs of one recipe on one set of n questions are compared in pairs. If s is the standard error of one
    mean and r the correlation between their values per question, the difference has the standard error
    s sqrt(2 (1 - r)), which is s / 2 where r is 7/8. So `ALLOWED` standard errors of the mean are three of
    the paired difference. One figure in four hundred exceeds that by chance; an experiment has dozens of
    figures, and all must pass. One question can move a mean by 1 / n, so the tolerance is never less. For the
    lexical runs it is exactly that: they learn nothing, and only ties can differ.

    Parameters
    ----------
    run : str
        Name of the run.
    expectation : Expectation
        The record of one measure.
    queries : int
        The number n of questions.

    """
    least = 1 / queries
    if run in LEXICAL or expectation.value is None:
        return least
    # A mean m of values from 0 to 1 has a variance of at most m (1 - m) / n (Bhatia and Davis, 2000).
    greatest = float(np.sqrt(max(expectation.value * (1 - expectation.value), 0) / queries))
    error = greatest if expectation.standard_error is None else expectation.standard_error
    return max(least, ALLOWED * error)


def check(expected: Expected, results: Results, source: Path) -> pl.DataFrame:
    """Compare a run with its expectations.

    Parameters
    ----------
    expected : Expected
    results : Results
    source : path
        The file that `expected` was read from; named in the error.

    Returns
    -------
    frame with columns run, measure, value, expected, ok
        One row per expectation; `value` is null if the run has no such figure.

    Raises
    ------
    InputError
        The run has other questions, so its figures say nothing about these.

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
    """Return the figures that a run measured on a split as the new expectations.

    Bars of the earlier expectations stay, because they were decided, not measured.

    Raises
    ------
    InputError
        The run did not measure the split.

    """
    if split not in results.runs:
        raise InputError(
            "metrics.json",
            f"expected the split {split}, found {sorted(results.runs)}. Record one of them with "
            "`python experiments/check.py NAME --record --split SPLIT`.",
        )
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
