from __future__ import annotations

import math

import polars as pl
import pytest

from rulerank.evaluate.out_of_fold import measured


def test_training_questions_are_measured_by_the_scores_given_and_all_their_judgements() -> None:
    rows = pl.DataFrame({"query_id": ["a", "a", "a", "b", "b"], "passage_id": ["1", "2", "3", "1", "2"]})
    rows = rows.with_columns(score=pl.Series([0.1, 0.3, 0.2, 5.0, 4.0]))
    judgements = pl.DataFrame(
        [("a", "3", 1), ("a", "9", 1), ("b", "1", 1), ("b", "2", 0), ("c", "1", 1)],
        schema={"query_id": pl.String(), "passage_id": pl.String(), "relevance": pl.Int8()},
        orient="row",
    )
    found = measured(rows, judgements, "ranker")
    relevant = [("ranker", "a", 2), ("ranker", "b", 1), ("ranker", "c", 1)]
    assert found.select("run", "query_id", "relevant").rows() == relevant
    # Passage 3 is ranked second; passage 9 and that of question c were not found at all.
    second = 1 / math.log2(3)
    assert found["nDCG@10"].to_list() == pytest.approx([second / (1 + second), 1, 0])
    assert found["Recall@10"].to_list() == [0.5, 1, 0]
