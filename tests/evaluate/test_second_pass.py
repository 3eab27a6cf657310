from __future__ import annotations

import numpy as np
import polars as pl

from rulerank.arrays import FloatArray, IntArray
from rulerank.evaluate.second_pass import second_pass
from rulerank.tables import RUNS

PASSAGES = pl.Series(["a", "b", "c", "d"])
QUERIES = pl.DataFrame({"query_id": ["q1", "q2"], "text": ["up", "down"]})


def _score(text: str, passages: IntArray) -> FloatArray:
    """Score by place in the corpus, with 0 and 1 equal; in reverse for "down"."""
    places = np.maximum(passages, 1).astype(np.float32)
    return places if text == "up" else -places


def test_each_question_is_ordered_anew_and_ties_stay() -> None:
    rows = [("ranker", "q1", each, rank, 1.0) for rank, each in enumerate("badc", start=1)]
    rows += [("ranker", "q2", each, rank, 1.0) for rank, each in enumerate("cab", start=1)]
    first = RUNS.check(pl.DataFrame(rows, schema=dict(RUNS.columns), orient="row"), "first")
    again = RUNS.check(second_pass("again", first, QUERIES, PASSAGES, _score), "again")
    order = again.sort("query_id", "rank").group_by("query_id", maintain_order=True).agg("passage_id")
    assert order.rows() == [("q1", ["d", "c", "b", "a"]), ("q2", ["a", "b", "c"])]
    assert again["run"].unique().to_list() == ["again"]
    assert again.filter(query_id="q2").sort("rank")["score"].to_list() == [-1, -1, -2]
