"""The figures of an evaluation as plain Markdown."""

from __future__ import annotations

import re
from collections.abc import Mapping

import polars as pl

from rulerank.evaluate.significance import corrected

_SMALLEST = 1e-4


def markdown_table(frame: pl.DataFrame, digits: int = 4) -> str:
    """Return `frame` as a Markdown table, with decimals rounded to `digits` and nulls as a dash.

    Parameters
    ----------
    frame : polars frame
    digits : int, optional (default=4)
        Decimals of the floating-point columns.

    """
    head = "| " + " | ".join(frame.columns) + " |"
    rule = "|" + "|".join("---:" if kind.is_numeric() else "---" for kind in frame.dtypes) + "|"
    rows = ("| " + " | ".join(_cell(value, digits) for value in row) + " |" for row in frame.iter_rows())
    return "\n".join([head, rule, *rows]) + "\n"


def results_markdown(
    averages: Mapping[str, pl.DataFrame], comparisons: pl.DataFrame, about: Mapping[str, object]
) -> str:
    """Return the report of one evaluation.

    Parameters
    ----------
    averages : mapping of str to frame
        Frames of `measures.average` by their headings, such as "validation" or "validation, by level".
        Columns that are null throughout are left out.
    comparisons : frame
        Rows of `significance.compare`, possibly of several measures; if empty, the section is left out.
    about : mapping
        What must accompany every number: data, split, queries, model, seed, threads, nDCG flavour.

    """
    parts = ["# Results\n", "; ".join(f"{name}: {value}" for name, value in about.items()) + ".\n"]
    for heading, frame in averages.items():
        stated = [column for column in frame.columns if frame[column].null_count() < frame.height]
        parts += [f"## {heading}\n", markdown_table(frame.select(stated))]
    if comparisons.height:
        parts += ["## Paired comparisons\n", COMPARED, markdown_table(with_holm(comparisons))]
    return "\n".join(parts)


COMPARED = (
    "Difference of the means with its 95 % bootstrap interval; two-sided p-value of the paired\n"
    "randomisation test, and the same after Holm's correction for the number of rows; queries won,\n"
    "tied and lost.\n"
)


def with_holm(comparisons: pl.DataFrame) -> pl.DataFrame:
    """Return rows of `significance.compare`: p_value as text, and p_holm, after Holm's correction."""
    shown = pl.col("p_value", "p_holm").map_elements(_p_value, return_dtype=pl.String)
    return corrected(comparisons).with_columns(shown)


def _p_value(value: float) -> str:
    return f"< {_SMALLEST:g}" if value < _SMALLEST else f"{value:.4f}"


def _cell(value: object, digits: int) -> str:
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.{digits}f}"
    # The text of a question must not act as markup: no cell border, no link, no picture.
    return re.sub(r"([|\[])", r"\\\1", " ".join(str(value).split()))
