"""The points of an experiment's grid: each compared with its best baseline, and all of them together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from rulerank.evaluate.measures import MEASURE, MEASURES
from rulerank.evaluate.report import markdown_table
from rulerank.evaluate.significance import compare

MODELS = (
    "first_pass",
    "ranker",
    "ranker_on_new_rules",
    "ranker_with_judgement",
    "ranker_without_judgement",
)
"""Runs by trees; every other run is a baseline: a generator, or a fusion of several."""
RANKERS = ("ranker", "ranker_without_judgement")


@dataclass(frozen=True, eq=False)
class Point:
    """One point of a grid that has run.

    Parameters
    ----------
    values : mapping
        The settings that it changes, by dotted key.
    scores : frame of `measures.per_query`
        Scores of the validation questions.

    """

    values: Mapping[str, Any]
    scores: pl.DataFrame

    @property
    def baseline(self) -> str:
        """The best of the runs and fusions that no ranker produced, by mean nDCG@10."""
        means = self.scores.filter(~pl.col("run").is_in(MODELS)).group_by("run").agg(pl.col(MEASURE).mean())
        return str(means.sort(MEASURE, "run", descending=[True, False])["run"][0])


def grid_page(points: Sequence[Point], permutations: int, seed: int) -> str:
    """Return the section on the grid as Markdown.

    If no two points share a question, as when each document is held out in turn, the rankers are also
    compared with the points' baselines over all questions.
    """
    rows = [_row(point, ranker) for point in points for ranker in RANKERS if ranker in _runs(point)]
    questions = [query for point in points for query in point.scores["query_id"].unique().to_list()]
    parts = ["## Grid\n", _ABOUT, markdown_table(pl.DataFrame(rows))]
    if len(points) > 1 and len(set(questions)) == len(questions):
        parts += [_TOGETHER, markdown_table(_together(points, permutations, seed))]
    return "\n".join(parts)


_ABOUT = """\
Validation questions. `baseline` is the best run or fusion of the point by nDCG@10, and `gain` is what a
ranker adds to it.
"""
_TOGETHER = """\
The points have no question in common. Over the questions of all points, each ranker is compared with the
baseline of its point: difference in nDCG@10, its 95 % bootstrap interval, and the p-value of the paired
randomisation test; `mean_gain` is the mean of the points' gains.
"""


def _runs(point: Point) -> list[str]:
    return point.scores["run"].unique().to_list()


def _mean(point: Point, run: str) -> dict[str, float]:
    return point.scores.filter(run=run).select(pl.col(MEASURES).mean()).row(0, named=True)


def _row(point: Point, ranker: str) -> dict[str, Any]:
    found, best = _mean(point, ranker), _mean(point, point.baseline)
    named = {"run": ranker, "questions": point.scores.filter(run=ranker).height, **found}
    gain = {"baseline": point.baseline, "its nDCG@10": best[MEASURE], "gain": found[MEASURE] - best[MEASURE]}
    return {**{key: written(value) for key, value in point.values.items()}, **named, **gain}


def written(value: Any) -> str:
    """Return the value of a setting as a table shows it."""
    return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def _together(points: Sequence[Point], permutations: int, seed: int) -> pl.DataFrame:
    renamed = [
        point.scores.filter(pl.col("run").is_in([point.baseline, *RANKERS])).with_columns(
            run=pl.col("run").replace(point.baseline, "baseline")
        )
        for point in points
    ]
    scores = pl.concat(renamed)
    compared = [
        compare(scores, ranker, ["baseline"], MEASURE, permutations, seed)
        for ranker in RANKERS
        if all(ranker in _runs(point) for point in points)
    ]
    gains = [sum(_row(point, each["run"][0])["gain"] for point in points) / len(points) for each in compared]
    table = pl.concat(compared).select("run", "difference", "low", "high", "p_value", "wins", "losses")
    return table.insert_column(1, pl.Series("mean_gain", gains, pl.Float64))
