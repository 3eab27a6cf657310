from __future__ import annotations

import math

import polars as pl
import pytest

from rulerank.evaluate.search_measures import SEARCH_MEASURES, search_measures
from rulerank.tables import JUDGEMENTS, RUNS

JUDGED = pl.DataFrame(
    [("q", "a", 1), ("q", "b", 2), ("q", "x", 0), ("missed", "a", 1)],
    schema=dict(JUDGEMENTS.columns),
    orient="row",
)


def ranked(run: str, passages: list[str]) -> pl.DataFrame:
    rows = [(run, "q", passage, rank, 0.0) for rank, passage in enumerate(passages, start=1)]
    return pl.DataFrame(rows, schema=dict(RUNS.columns), orient="row")


def values(frame: pl.DataFrame, query: str = "q", run: str = "bm25") -> dict[str, float]:
    row = frame.filter(pl.col("run") == run, pl.col("query_id") == query)
    return row.select(SEARCH_MEASURES).row(0, named=True)


def test_hand_computed_values_of_one_list() -> None:
    found = values(search_measures(JUDGED, ranked("bm25", ["x", "b", "y", "z", "a"])))

    assert {name: found[name] for name in ("R@1", "R@2", "R@3", "R@5", "R@100")} == {
        "R@1": 0.0,
        "R@2": 0.5,
        "R@3": 0.5,
        "R@5": 1.0,
        "R@100": 1.0,
    }
    assert (found["All@3"], found["All@5"]) == (0.0, 1.0)
    assert found["MRR"] == 1 / 2
    ideal = 1 + 1 / math.log2(3)
    assert found["nDCG@20"] == pytest.approx((1 / math.log2(3) + 1 / math.log2(6)) / ideal)


def test_what_stands_beyond_rank_100_or_20_does_not_count() -> None:
    fill = [f"p{rank}" for rank in range(100)]

    late = values(search_measures(JUDGED, ranked("bm25", [*fill, "a"])))
    deep = values(search_measures(JUDGED, ranked("bm25", [*fill[:30], "a"])))

    assert set(late.values()) == {0.0}
    assert (deep["nDCG@20"], deep["R@50"], deep["MRR"]) == (0.0, 0.5, 1 / 31)


def test_a_query_that_a_run_misses_scores_nothing() -> None:
    found = search_measures(JUDGED, pl.concat([ranked("bm25", ["a"]), ranked("dense", ["b", "a"])]))

    assert found.select("run", "query_id").rows() == [
        ("bm25", "q"),
        ("bm25", "missed"),
        ("dense", "q"),
        ("dense", "missed"),
    ]
    assert set(values(found, "missed").values()) == {0.0}
    assert values(found, run="dense")["All@2"] == 1.0
