from __future__ import annotations

import math

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulerank.evaluate.measures import MEASURES, average, by_depth, candidate_recall, per_query
from rulerank.tables import JUDGEMENTS, RUNS


def judged(*rows: tuple[str, str, int]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=dict(JUDGEMENTS.columns), orient="row")


def ranked(run: str, lists: dict[str, list[str]], score: float | None = None) -> pl.DataFrame:
    rows = [
        (run, query, passage, rank, -float(rank) if score is None else score)
        for query, passages in lists.items()
        for rank, passage in enumerate(passages, start=1)
    ]
    return pl.DataFrame(rows, schema=dict(RUNS.columns), orient="row")


def values(frame: pl.DataFrame, run: str, query: str) -> tuple[float, ...]:
    return frame.filter(pl.col("run") == run, pl.col("query_id") == query).select(MEASURES).row(0)


def test_per_query_two_of_three_found_gives_hand_computed_values() -> None:
    judgements = judged(("q", "a", 1), ("q", "b", 1), ("q", "c", 1))
    result = per_query(judgements, ranked("bm25", {"q": ["a", "x", "b"]}))
    ideal = 1 + 1 / math.log2(3) + 1 / 2
    assert values(result, "bm25", "q") == pytest.approx(
        (2 / 3, (1 + 2 / 3) / 3, (1 + 1 / 2) / ideal, 0.0), abs=1e-12
    )


def test_per_query_graded_relevance_has_linear_gains() -> None:
    judgements = judged(("q", "a", 2), ("q", "b", 1), ("q", "c", 0))
    result = per_query(judgements, ranked("bm25", {"q": ["c", "b", "a"]}))
    expected = (1 / math.log2(3) + 2 / 2) / (2 + 1 / math.log2(3))
    assert values(result, "bm25", "q")[2] == pytest.approx(expected, abs=1e-12)


def test_per_query_average_precision_divides_by_all_relevant_passages() -> None:
    relevant = [f"p{number:02}" for number in range(20)]
    judgements = judged(*(("q", passage, 1) for passage in relevant))
    result = per_query(judgements, ranked("perfect", {"q": relevant}))
    assert values(result, "perfect", "q") == pytest.approx((0.5, 0.5, 1.0, 0.0), abs=1e-12)


def test_per_query_full_coverage_needs_every_relevant_passage_at_ten_or_above() -> None:
    judgements = judged(("q", "a", 1), ("q", "b", 2))
    filler = [f"x{number}" for number in range(8)]
    runs = pl.concat(
        [ranked("tenth", {"q": ["a", *filler, "b"]}), ranked("eleventh", {"q": ["a", *filler, "y", "b"]})]
    )
    result = per_query(judgements, runs)
    assert values(result, "tenth", "q")[3] == 1.0
    assert values(result, "eleventh", "q")[3] == 0.0


def test_per_query_counts_a_missed_query_as_zero() -> None:
    judgements = judged(("q1", "a", 1), ("q2", "b", 1))
    result = per_query(judgements, ranked("bm25", {"q1": ["a"]}))
    assert values(result, "bm25", "q2") == (0.0, 0.0, 0.0, 0.0)
    assert average(result).row(0) == ("bm25", 2, 0.5, 0.5, 0.5, 0.5)


def test_per_query_run_below_the_cutoff_alone_still_has_its_rows() -> None:
    deep = ranked("deep", {"q": [f"x{number}" for number in range(12)]}).filter(pl.col("rank") > 10)
    assert values(per_query(judged(("q", "a", 1)), deep), "deep", "q") == (0.0, 0.0, 0.0, 0.0)


def test_per_query_leaves_out_queries_without_a_relevant_passage() -> None:
    judgements = judged(("q1", "a", 1), ("q2", "b", 0))
    result = per_query(judgements, ranked("bm25", {"q1": ["a"], "q2": ["b"], "q3": ["c"]}))
    assert result["query_id"].to_list() == ["q1"]


def test_per_query_order_is_the_rank_whatever_scores_and_rows_say() -> None:
    judgements = judged(("q", "a", 1), ("q", "m", 1), ("q", "z", 1))
    runs = ranked("bm25", {"q": ["m", "z", "x", "a", "y"]})
    constant = runs.with_columns(score=pl.lit(1.0)).sample(fraction=1.0, shuffle=True, seed=3)
    misleading = runs.with_columns(score=pl.col("rank").cast(pl.Float64)).reverse()
    expected = per_query(judgements, runs)
    assert values(expected, "bm25", "q")[1] == pytest.approx((1 + 1 + 3 / 4) / 3)
    assert per_query(judgements, constant).equals(expected)
    assert per_query(judgements, misleading).equals(expected)


def test_per_query_table_has_the_promised_schema_and_order() -> None:
    judgements = judged(("q2", "a", 1), ("q1", "b", 1))
    runs = pl.concat([ranked("rrf", {"q1": ["b"], "q2": ["c"]}), ranked("bm25", {"q1": ["b"]})])
    result = per_query(judgements, runs)
    assert dict(result.schema) == {
        "run": pl.String,
        "query_id": pl.String,
        **dict.fromkeys(MEASURES, pl.Float64),
    }
    assert result.select("run", "query_id").rows() == [
        ("rrf", "q2"),
        ("rrf", "q1"),
        ("bm25", "q2"),
        ("bm25", "q1"),
    ]


def test_per_query_without_runs_is_an_empty_table() -> None:
    result = per_query(judged(("q", "a", 1)), RUNS.empty())
    assert result.columns == ["run", "query_id", *MEASURES]
    assert result.is_empty()


def test_average_by_level_keeps_each_value_apart() -> None:
    judgements = judged(("q1", "a", 1), ("q2", "b", 1), ("q3", "c", 1))
    result = per_query(judgements, ranked("bm25", {"q1": ["a"], "q2": ["x"], "q3": ["c"]}))
    levels = pl.DataFrame({"query_id": ["q1", "q2", "q3"], "level": ["L1", "L1", None]})
    found = average(result.join(levels, on="query_id", maintain_order="left"), by=["level"])
    assert found.select("run", "level", "queries", "Recall@10").rows() == [
        ("bm25", "L1", 2, 0.5),
        ("bm25", None, 1, 1.0),
    ]


def test_candidate_recall_averages_over_judged_queries() -> None:
    judgements = judged(("q1", "a", 1), ("q1", "b", 2), ("q1", "z", 0), ("q2", "c", 1))
    candidates = pl.DataFrame({"query_id": ["q1", "q1", "q3"], "passage_id": ["b", "z", "c"]})
    assert candidate_recall(judgements, candidates) == 0.25


def test_candidate_recall_without_judgements_is_nan() -> None:
    assert math.isnan(candidate_recall(JUDGEMENTS.empty(), RUNS.empty()))


def test_recall_by_depth_grows_to_the_share_found() -> None:
    judgements = judged(("q1", "a", 1), ("q1", "b", 1), ("q2", "c", 1))
    runs = pl.concat([ranked("bm25", {"q1": ["a", "x", "b"]}), ranked("blind", {"q1": ["x"]})])
    found = by_depth(judgements, runs, [1, 3]).select("run", "depth", "recall")
    assert found.rows() == [("bm25", 1, 0.25), ("bm25", 3, 0.5), ("blind", 1, 0.0), ("blind", 3, 0.0)]


def test_map_at_20_counts_what_stands_below_the_tenth_rank() -> None:
    judgements = judged(("q1", "a", 1), ("q1", "b", 1), ("q2", "c", 1))
    order = ["a", *(f"x{number}" for number in range(10)), "b"]
    found = by_depth(judgements, ranked("bm25", {"q1": order, "q2": ["y", "c"]}), [10, 20])
    assert found["map"].to_list() == pytest.approx([(1 / 2 + 1 / 2) / 2, ((1 + 2 / 12) / 2 + 1 / 2) / 2])


@given(st.permutations([f"p{number}" for number in range(12)]), st.sets(st.integers(0, 11), min_size=1))
def test_depth_10_has_the_measures_at_10(order: list[str], chosen: set[int]) -> None:
    judgements = judged(*(("q", f"p{number}", 1) for number in sorted(chosen)))
    runs = ranked("run", {"q": order})
    at_10 = per_query(judgements, runs).row(0, named=True)
    _, _, recall, mean_precision = by_depth(judgements, runs, [10]).row(0)
    assert (recall, mean_precision) == pytest.approx((at_10["Recall@10"], at_10["MAP@10"]))


@settings(deadline=None)
@given(st.permutations([f"p{number}" for number in range(14)]), st.sets(st.integers(0, 13), min_size=1))
def test_measures_of_any_ranking_agree_with_the_plain_formulas(order: list[str], chosen: set[int]) -> None:
    relevant = {f"p{number}" for number in chosen}
    judgements = judged(*(("q", passage, 1) for passage in sorted(relevant)))
    hits = [passage in relevant for passage in order[:10]]
    precision = sum(sum(hits[:rank]) / rank for rank in range(1, 11) if hits[rank - 1])
    gain = sum(hit / math.log2(rank + 1) for rank, hit in enumerate(hits, start=1))
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(len(relevant), 10) + 1))
    expected = (
        sum(hits) / len(relevant),
        precision / len(relevant),
        gain / ideal,
        float(sum(hits) == len(relevant)),
    )
    found = values(per_query(judgements, ranked("run", {"q": order})), "run", "q")
    assert found == pytest.approx(expected, abs=1e-9)
