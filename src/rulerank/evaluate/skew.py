"""Served features compared with those of training, and questions and scores over time."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from rulerank.arrays import DoubleArray
from rulerank.bundle.reference import Distribution, shares
from rulerank.errors import InputError
from rulerank.ranker import Ranker
from rulerank.text import Analyser

RARE = 1e-4
"""The least share that counts, because an empty bin would make the index infinite."""

MIDDLE = (1, 5, 9)
"""Which of the deciles are shown."""

_WINDOW = re.compile(r"[1-9]\d{0,3}(?:m|h|d|w|mo|y)")


@dataclass(frozen=True)
class Replay:
    """The result of asking the questions of a log again.

    Parameters
    ----------
    questions : int
        Number of questions asked again.
    lost : int
        Number of candidates that are no longer found, or were not found then.
    difference : float
        The greatest difference between two values of a feature or score; 0 if nothing has changed.
    worst : str
        Where that difference occurred.

    """

    questions: int
    lost: int
    difference: float
    worst: str

    @property
    def same(self) -> bool:
        """Whether everything came out as before."""
        return self.lost == 0 and self.difference == 0


def stability_index(expected: DoubleArray, found: DoubleArray) -> float:
    """Return the population stability index of two distributions over the same bins.

    It is the sum over bins of (f - e) ln(f / e) (Siddiqi 2006, Credit Risk Scorecards). By the usual rule of
    thumb, a population has not changed if the index is below 0.1 and has changed if it is above 0.25.

    Parameters
    ----------
    expected, found : arrays of shape (bins,)
        Shares; a share below `RARE` counts as `RARE`.

    """
    then, now = np.maximum(expected, RARE), np.maximum(found, RARE)
    return float(((now - then) * np.log(now / then)).sum())


def feature_skew(log: pl.DataFrame, reference: Mapping[str, Distribution]) -> pl.DataFrame:
    """Compare logged features with those of training.

    Parameters
    ----------
    log : polars.DataFrame
        The rankings of one ranker, as `read_log` returns them. Features do not depend on the model asked.
    reference : mapping of str to Distribution
        The training distribution, by feature; features that are not in the log are left out.

    Returns
    -------
    frame with columns feature, psi, missing, missing_in_training and three quantiles of each
        The least stable feature first.

    """
    rows = []
    logged = log["features"].struct.fields
    for name in (each for each in reference if each in logged):
        trained = reference[name]
        values = log["features"].struct.field(name).explode().fill_null(float("nan")).to_numpy()
        served = Distribution.of(values)
        row = {"feature": name, "psi": stability_index(trained.shares, shares(values, trained.edges))}
        for suffix, each in (("", served), ("_in_training", trained)):
            row[f"missing{suffix}"] = float(each.shares[-1])
            for decile in MIDDLE:
                row[f"q{10 * decile}{suffix}"] = float(each.quantiles[decile])
        rows.append(row)
    return pl.DataFrame(rows).sort("psi", descending=True, maintain_order=True)


def drift(log: pl.DataFrame, vocabulary: Mapping[str, int], analyser: Analyser, window: str) -> pl.DataFrame:
    """Follow questions and scores over time, for each model that was asked.

    Parameters
    ----------
    log : polars.DataFrame
        The rankings of one ranker, as `read_log` returns them.
    vocabulary : mapping
        The terms of the corpus.
    analyser : Analyser
        The analyser that made these terms; it also analyses the questions.
    window : str
        Length of a window, such as `1d`, `1w` or `6h`.

    Returns
    -------
    frame with columns model, start, questions, terms, unknown, candidates, top_score, psi
        One row per model and window: the median number of terms of a question, the share of terms that the
        corpus lacks, the medians of the number of candidates and of the best candidate's score, and the
        stability index of the best scores against the model's first window.

    Raises
    ------
    InputError
        The window is not a length of time.

    """
    terms = analyser(log["question"].to_list())
    unknown = [sum(term not in vocabulary for term in each) for each in terms]
    asked = log.select(
        "model",
        _truncated(log["time"], window).alias("start"),
        pl.Series("terms", [len(each) for each in terms]),
        pl.Series("unknown", unknown),
        pl.col("passage_id").list.len().alias("candidates"),
        pl.col("score").list.first().alias("top_score"),
    ).sort("model", "start", maintain_order=True)
    rows = []
    # Each model has its own scale of scores.
    for of_model in asked.partition_by("model", maintain_order=True):
        windows = of_model.partition_by("start", maintain_order=True)
        first = Distribution.of(_scores(windows[0]))
        rows += [
            {
                "model": each["model"][0],
                "start": each["start"][0],
                "questions": each.height,
                "terms": each["terms"].median(),
                "unknown": float(each["unknown"].sum()) / max(float(each["terms"].sum()), 1),
                "candidates": each["candidates"].median(),
                "top_score": each["top_score"].median(),
                "psi": stability_index(first.shares, shares(_scores(each), first.edges)),
            }
            for each in windows
        ]
    return pl.DataFrame(rows)


def _truncated(times: pl.Series, window: str) -> pl.Series:
    if not _WINDOW.fullmatch(window):
        raise InputError(
            "--window", f"expected a length of time such as 1d, 1w or 6h, found {window!r}. Give one."
        )
    return times.dt.truncate(window)


def _scores(window: pl.DataFrame) -> DoubleArray:
    return window["top_score"].fill_null(float("nan")).to_numpy()


def replay(log: pl.DataFrame, ranker: Ranker) -> Replay:
    """Ask a ranker the questions of its log again, and compare every feature and score of every candidate."""
    lost, difference, worst = 0, 0.0, ""
    for row in log.iter_rows(named=True):
        ranking = ranker.ranking(row["question"], model=row["model"], as_of=row["as_of"])
        now = {passage: place for place, passage in enumerate(ranking.first(len(ranking.rows)))}
        then = [place for place, passage in enumerate(row["passage_id"]) if passage in now]
        lost += len(now) + len(row["passage_id"]) - 2 * len(then)
        order = [now[row["passage_id"][place]] for place in then]
        found = {"score": ranking.scores[order]}
        found |= dict(zip(ranker.features, ranking.matrix[order].T, strict=True))
        before = {"score": row["score"], **row["features"]}
        for name, values in found.items():
            off = _difference(values, np.array(before[name], np.float64)[then])
            if off > difference:
                difference, worst = off, f"{name} of {row['question']!r}"
    return Replay(log.height, lost, difference, worst)


def _difference(now: NDArray[np.floating], then: DoubleArray) -> float:
    """Return the greatest difference; infinite if one of two values is missing."""
    if (np.isnan(now) != np.isnan(then)).any():
        return float("inf")
    return float(np.nanmax(np.abs(now - then), initial=0))
