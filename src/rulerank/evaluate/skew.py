"""Served features against those of training, and questions and scores over time."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from rulerank.bundle import RANKER, WITH_JUDGEMENT, Bundle
from rulerank.bundle.reference import Distribution, shares
from rulerank.errors import InputError
from rulerank.ranker import Ranker
from rulerank.text import Analyser

RARE = 1e-4
"""The least share that counts: an empty bin would make the index infinite."""

MIDDLE = (1, 5, 9)
"""The deciles that are shown of ten."""

_WINDOW = re.compile(r"[1-9]\d{0,3}(?:m|h|d|w|mo|y)")


@dataclass(frozen=True)
class Replay:
    """What the questions of a log give when they are asked again.

    Parameters
    ----------
    questions : int
        Asked again.
    other : int
        Left out, since another bundle had answered them.
    lost : int
        Candidates that are no longer found, or that were not found then.
    difference : float
        The greatest difference of a value, of features and scores; 0 where nothing has changed.
    worst : str
        Where that is.

    """

    questions: int
    other: int
    lost: int
    difference: float
    worst: str

    @property
    def same(self) -> bool:
        """Whether everything came out as it was."""
        return self.lost == 0 and self.difference == 0


def stability_index(expected: NDArray[np.float64], found: NDArray[np.float64]) -> float:
    """Return the population stability index of two distributions over the same bins.

    The sum over bins of (f - e) ln(f / e) (Siddiqi 2006, Credit Risk Scorecards). By the usual rule of thumb
    a population has not changed below 0.1 and has changed above 0.25.

    Parameters
    ----------
    expected, found : arrays of shape (bins,)
        Shares; one below `RARE` counts as that.

    """
    then, now = np.maximum(expected, RARE), np.maximum(found, RARE)
    return float(((now - then) * np.log(now / then)).sum())


def feature_skew(log: pl.DataFrame, reference: Mapping[str, Distribution]) -> pl.DataFrame:
    """Compare logged features with training.

    Parameters
    ----------
    log : polars.DataFrame
        What `read_log` returns.
    reference : mapping of str to Distribution
        By feature.

    Returns
    -------
    frame with columns feature, psi, missing, missing_in_training and three quantiles of each
        The least stable feature first.

    """
    rows = []
    for name, trained in reference.items():
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
    """Follow questions and scores over time.

    Parameters
    ----------
    log : polars.DataFrame
        What `read_log` returns.
    vocabulary : mapping
        The terms that the corpus has.
    analyser : Analyser
        What made them, and makes those of the questions.
    window : str
        Length of a window: `1d`, `1w`, `6h`.

    Returns
    -------
    frame with columns start, questions, terms, unknown, candidates, top_score, psi
        One row a window: the median number of terms of a question, the share of terms that the corpus does
        not have, the median number of candidates and of the best candidate's score, and the stability index
        of the best scores against the first window.

    Raises
    ------
    InputError
        The window is no length of time.

    """
    terms = analyser(log["question"].to_list())
    unknown = [sum(term not in vocabulary for term in each) for each in terms]
    asked = log.select(
        _truncated(log["time"], window).alias("start"),
        pl.Series("terms", [len(each) for each in terms]),
        pl.Series("unknown", unknown),
        pl.col("passage_id").list.len().alias("candidates"),
        pl.col("score").list.first().alias("top_score"),
    ).sort("start", maintain_order=True)
    windows = asked.partition_by("start", maintain_order=True)
    first = Distribution.of(_scores(windows[0]))
    rows = [
        {
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


def _scores(window: pl.DataFrame) -> NDArray[np.float64]:
    return window["top_score"].fill_null(float("nan")).to_numpy()


def replay(log: pl.DataFrame, ranker: Ranker) -> Replay:
    """Ask the questions of a log again, and compare every feature and score of every candidate."""
    bundle = ranker.bundle
    own = log.filter(pl.col("bundle") == bundle.manifest["digest"])
    lost, difference, worst = 0, 0.0, ""
    for row in own.iter_rows(named=True):
        ranking = ranker.ranking(row["question"], model=_asked(bundle, row["model"]), as_of=row["as_of"])
        now = {passage: place for place, passage in enumerate(ranking.first(len(ranking.rows)))}
        then = [place for place, passage in enumerate(row["passage_id"]) if passage in now]
        lost += len(now) + len(row["passage_id"]) - 2 * len(then)
        order = [now[row["passage_id"][place]] for place in then]
        found = {"score": ranking.scores[order]}
        found |= dict(zip(bundle.features.names, ranking.matrix[order].T, strict=True))
        before = {"score": row["score"], **row["features"]}
        for name, values in found.items():
            off = _difference(values, np.array(before[name], np.float64)[then])
            if off > difference:
                difference, worst = off, f"{name} of {row['question']!r}"
    return Replay(own.height, log.height - own.height, lost, difference, worst)


def _asked(bundle: Bundle, answering: str) -> str:
    """Return the model to ask for the trees that answered, whatever the question."""
    return WITH_JUDGEMENT if answering == RANKER and WITH_JUDGEMENT in bundle.names else answering


def _difference(now: NDArray[np.floating], then: NDArray[np.float64]) -> float:
    """Return the greatest difference; infinite where one of two values is missing."""
    if (np.isnan(now) != np.isnan(then)).any():
        return float("inf")
    return float(np.nanmax(np.abs(now - then), initial=0))
