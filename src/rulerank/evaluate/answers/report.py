"""The report of the stage `answers`, in Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

import polars as pl

from rulerank.evaluate.answers.split import STATED, WRONG, MeasuredSplit
from rulerank.evaluate.report import markdown_table

_HEAD = """\
# Answers

{name}, {as_of}. Answers in the rules' own words, without a language model. Precision, recall and F1 compare
the passages cited with those judged relevant; a question without an answer counts 0. `rule_`: the same for
the rules that the passages belong to. `tca`: whether what is cited controls, and nothing voided is cited
without what voids it.

Protocols: `served`, the question alone; `oracle`, the judged passages are given; `noise`, only these and
others can be found, their neighbours first, ten in all; `partial`, the most relevant judged passage cannot
be found; `unanswerable`, none can. Declined from other fields: {other[declined]:.0%} of {other[questions]}
questions.
"""

_BY_MODELS = {
    "repass": "RePASs of what is served, over what was shown",
    "claim_f1": (
        "Claim F1 of what is served, compared with what is stated under `oracle`, without the questions "
        "whose judgement could not be read (`unread`)"
    ),
}


def answers_report(
    name: str,
    as_of: date,
    other: Mapping[str, float],
    splits: Mapping[str, MeasuredSplit],
    against: Mapping[str, pl.DataFrame],
) -> str:
    """Return the report.

    Parameters
    ----------
    name : str
        The corpus.
    as_of : date
        The day of all answers; `date.max` if no passage is dated.
    other : mapping
        `questions` of other fields, and the share of them that was `declined`.
    splits : mapping
        What was measured, by split.
    against : mapping
        The tests of `MeasuredSplit.against`, by split.

    """
    day = "no passage of it dated" if as_of == date.max else f"as of {as_of}"
    parts = [_HEAD.format(name=name, as_of=day, other=other)]
    for split, measured in splits.items():
        parts += [f"## {split}\n", *_of_split(measured, against[split])]
    return "\n".join(parts)


def _of_split(measured: MeasuredSplit, against: pl.DataFrame) -> Iterator[str]:
    figures = measured.figures
    yield markdown_table(pl.DataFrame([{"protocol": n, **row} for n, row in figures["protocols"].items()]))
    yield (
        f"Expected calibration error of the probability stated of the first {STATED}: "
        f"{figures['calibration_error']:.4f}.\n"
    )
    declined = figures["declined"]
    yield (
        f"Unanswerable questions declined: {declined['unanswerable']:.1%}, at {declined['served']:.1%} wrong "
        f"abstentions; {figures['declined_at_wrong']:.1%} would be, were {WRONG:.0%} of the answerable ones "
        "declined.\n"
    )
    yield from _by_models(figures)
    yield "### What the tail filters keep\n"
    sizes = measured.kept.group_by("run", maintain_order=True).agg(pl.exclude("query_id").mean())
    yield markdown_table(sizes.rename({"run": "filter"}))
    yield markdown_table(against)


def _by_models(figures: Mapping[str, Any]) -> Iterator[str]:
    """Yield the tables of what models measured."""
    for name, title in _BY_MODELS.items():
        if name in figures:
            yield f"### {title}\n"
            yield markdown_table(pl.DataFrame([figures[name]]))
