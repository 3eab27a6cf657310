"""What each tail filter keeps of a ranking, and how well that covers the judged passages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import polars as pl

from rulerank.answer.tail_filter import keep, keep_absolute
from rulerank.evaluate.answers.measures import citation_scores
from rulerank.evaluate.answers.protocols import JudgedQuestion, Protocols
from rulerank.ranker.ranking import Ranking

DEPTH = 10
"""The most passages that a filter keeps."""

CALIBRATED = "calibrated"
"""The name of the filter of `Ranker.answer`."""

Filter = Callable[[Ranking], list[str]]


def filters() -> Mapping[str, Filter]:
    """Return every tail filter by name: fixed depths, the published ones, and the calibrated one."""
    first: dict[str, Filter] = {f"first {depth}": _first(depth) for depth in range(1, DEPTH + 1)}
    return {
        **first,
        "min-max (.7 / .2)": lambda ranking: ranking.first(keep(ranking.scores[:DEPTH].tolist())),
        "absolute (.72 / .1)": lambda ranking: ranking.first(keep_absolute(ranking.scores[:DEPTH].tolist())),
        CALIBRATED: lambda ranking: ranking.evidence_of(DEPTH),
    }


def _first(depth: int) -> Filter:
    return lambda ranking: ranking.first(depth)


def kept_of_hybrid(run: pl.DataFrame) -> dict[str, list[str]]:
    """Return the passages from which the hybrid ObliQA system answers: its own run under its own filter.

    Parameters
    ----------
    run : the RUNS table
        The run `hybrid` alone. Its scores are a weighted sum from 0 to 1.

    """
    by_question = run.sort("query_id", "rank").group_by("query_id", maintain_order=True)
    listed = by_question.agg(pl.col("passage_id", "score").head(DEPTH))
    return {query: ids[: keep_absolute(scores)] for query, ids, scores in listed.iter_rows()}


def filtered(
    rankings: Mapping[str, Ranking],
    questions: Sequence[JudgedQuestion],
    protocols: Protocols,
    of_hybrid: Mapping[str, Sequence[str]],
) -> pl.DataFrame:
    """Return precision, recall, F1, completeness, TCA and size of what each filter keeps, by question.

    `of_hybrid` comes from `kept_of_hybrid`. It is the one list that is not the ranker's.
    """
    rows = []
    for question in questions:
        ranking = rankings[question.query_id]
        kept_by = {name: kept(ranking) for name, kept in filters().items()}
        kept_by["hybrid, absolute (.72 / .1)"] = list(of_hybrid.get(question.query_id, ()))
        for name, found in kept_by.items():
            scores = citation_scores(found, question.relevant)
            controls = float(protocols.controls(found, question.relevant))
            size = float(len(found))
            rows.append({"run": name, "query_id": question.query_id, **scores, "tca": controls, "size": size})
    return pl.DataFrame(rows)
