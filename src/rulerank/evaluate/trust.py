"""What judgements are worth, by the share of a question's leaders that is judged."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from rulerank.bundle import ON_NEW_RULES, RANKER
from rulerank.evaluate.report import markdown_table
from rulerank.features.trust import Limits

BINS, DIGITS = 10, 6
"""Bins of `leaders_judged`, of equal width; digits of a mean."""

_PAGE = """\
# How far judgements can be trusted

Training questions ranked by models that have not seen them: those with several relevant passages, unless they
are fewer than 100. `hidden`: the judgements of all their answers are hidden. `judged`: the share of the
leaders that is judged, from this value up; `all` is the mean over these questions. `itself` is the model
`{ranker}`, `new` the model `{new}`, `mean` the mean of their scores, and `trusted` what is answered under the
limits
{limits}.

{table}"""


def table_of(found: pl.DataFrame, ways: Sequence[str]) -> pl.DataFrame:
    """Return the number of questions, and the mean of each way to rank, by the share of judged leaders.

    Parameters
    ----------
    found : polars.DataFrame
        Columns `hidden`, `leaders_judged`, `trusted`, and how good each of the `ways` ranks a question.
    ways : sequence of str
        Names of columns.

    Returns
    -------
    polars.DataFrame
        Columns `hidden`, `judged` (where a bin begins, or "all"), `questions`, the ways and `trusted`.

    """
    # A share is compared with limits in double precision, too.
    binned = (pl.col("leaders_judged").cast(pl.Float64) * BINS).floor().clip(0, BINS - 1) / BINS
    judged = [binned.round(2).cast(pl.String), pl.lit("all")]
    parts = pl.concat([found.with_columns(judged=each) for each in judged])
    # Several threads sum in any order, which the last digits would show.
    means = {way: pl.col(way).mean().round(DIGITS) for way in (*ways, "trusted")}
    return parts.group_by("hidden", "judged").agg(questions=pl.len(), **means).sort("hidden", "judged")


def page(limits: Limits, table: pl.DataFrame) -> str:
    """Return the table as a page of Markdown, with the limits that were chosen."""
    said = ", ".join(f"{name} {half} and {full}" for name, (half, full) in limits.items())
    return _PAGE.format(ranker=RANKER, new=ON_NEW_RULES, limits=said, table=markdown_table(table))
