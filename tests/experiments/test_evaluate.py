"""The runs that the report of an evaluation tests the ranker against."""

from __future__ import annotations

import polars as pl

from experiments.evaluate import compared
from rulerank.evaluate.measures import MEASURES, average
from rulerank.settings import Settings

NDCG = {"ranker": 1.0, "rrf": 0.5, "bm25": 0.25, "mine": 0.75, "ranker_without_judgement": 0.5}


def _against(single: list[str]) -> list[str]:
    scores = pl.DataFrame(
        [
            {"run": run, "query_id": query, **dict.fromkeys(MEASURES, value)}
            for run, value in NDCG.items()
            for query in ("a", "b")
        ]
    )
    table = compared(scores, average(scores), single, Settings())
    return table.filter(measure="nDCG@10")["baseline"].to_list()


def test_the_best_single_run_may_be_that_of_a_plugged_in_generator() -> None:
    assert _against(["bm25", "dense", "mine"]) == ["mine", "rrf", "ranker_without_judgement"]
    assert _against(["bm25", "dense"]) == ["bm25", "rrf", "ranker_without_judgement"]


def test_without_a_single_run_the_others_are_compared() -> None:
    assert _against(["dense"]) == ["rrf", "ranker_without_judgement"]
