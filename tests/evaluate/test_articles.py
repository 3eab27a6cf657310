from __future__ import annotations

import polars as pl

from rulerank.evaluate.articles import by_article
from rulerank.tables import JUDGEMENTS, PASSAGES, RUNS

SECTIONS = {"p1": "3.1.(1)", "p2": "3.1.(2)", "p3": "3.2", "p4": "4"}


def _passages() -> pl.DataFrame:
    return (
        PASSAGES.empty()
        .select("passage_id", "document_id", "section")
        .vstack(
            pl.DataFrame(
                {
                    "passage_id": list(SECTIONS),
                    "document_id": ["rules"] * 4,
                    "section": list(SECTIONS.values()),
                }
            )
        )
    )


def test_passages_of_one_article_count_once_where_the_first_of_them_stands() -> None:
    run = [("run", "q", each, rank, 0.0) for rank, each in enumerate(["p4", "p2", "p1", "p3"], start=1)]
    judged = [("q", "p1", 1), ("q", "p2", 2), ("q", "p3", 1)]
    judgements, runs = by_article(
        pl.DataFrame(judged, schema=dict(JUDGEMENTS.columns), orient="row"),
        pl.DataFrame(run, schema=dict(RUNS.columns), orient="row"),
        _passages(),
    )
    assert judgements.rows() == [("q", "rules 3.1", 2), ("q", "rules 3.2", 1)]
    assert runs.select("passage_id", "rank").rows() == [("rules 4", 1), ("rules 3.1", 2), ("rules 3.2", 3)]


def test_passage_of_no_known_article_stands_for_itself() -> None:
    judged = pl.DataFrame([("q", "elsewhere", 1)], schema=dict(JUDGEMENTS.columns), orient="row")
    judgements, _ = by_article(judged, RUNS.empty(), _passages())
    assert judgements["passage_id"].to_list() == ["elsewhere"]
