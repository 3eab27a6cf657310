from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulerank.evaluate.measures import per_query
from rulerank.learn.ranker.ndcg import dcg, ideals

SIZE = 13


@given(st.lists(st.lists(st.integers(0, 2), min_size=SIZE, max_size=SIZE), min_size=1, max_size=4))
def test_dcg_over_ideals_is_the_ndcg_of_the_evaluation(relevance: list[list[int]]) -> None:
    labels = np.array(relevance).ravel()
    queries = [f"q{query}" for query in range(len(relevance))]
    scores = np.random.default_rng(labels.sum()).random(len(labels))
    table = pl.DataFrame(
        {
            "query_id": np.repeat(queries, SIZE),
            "passage_id": [f"p{row}" for row in range(len(labels))],
            "relevance": labels.astype(np.int8),
        }
    )
    unfound = {"query_id": queries, "passage_id": ["unfound"] * len(queries), "relevance": [2] * len(queries)}
    judged = pl.concat([table.filter(pl.col("relevance") > 0), pl.DataFrame(unfound, schema=table.schema)])
    found = (
        dcg(scores, labels, np.full(len(queries), SIZE)) / ideals(judged).sort("query_id")["ideal"].to_numpy()
    )
    run = table.select("query_id", "passage_id", run=pl.lit("run"), score=pl.Series(scores))
    run = run.with_columns(rank=pl.col("score").rank("ordinal", descending=True).over("query_id"))
    measured = per_query(judged, run.cast({"rank": pl.Int32})).sort("query_id")
    assert found == pytest.approx(measured["nDCG@10"].to_numpy())


def test_dcg_by_hand_takes_equal_scores_in_row_order() -> None:
    values = dcg(np.array([0.5, 0.5, 0.1, 0.2, 0.9]), np.array([0, 1, 2, 0, 1]), np.array([3, 2]))
    assert values == pytest.approx([1 / np.log2(3) + 2 / np.log2(4), 1.0])


def test_row_without_a_score_comes_last() -> None:
    assert dcg(np.array([1.0, np.nan, 2.0]), np.array([0, 1, 0]), np.array([3])).tolist() == [0.5]
