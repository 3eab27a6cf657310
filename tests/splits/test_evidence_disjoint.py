import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulerank.errors import InputError
from rulerank.splits.evidence_disjoint import SHARED, evidence_disjoint
from rulerank.tables import JUDGEMENTS, QUERIES

Rows = list[tuple[str, str | None, str, str]]


def _tables(rows: Rows, clusters: list[int] | None = None) -> tuple[pl.DataFrame, ...]:
    """Questions q0, q1, ... from (split, text, collection, letters of the relevant passages)."""
    ids = [f"q{place}" for place in range(len(rows))]
    queries = pl.DataFrame(
        [(name, text, split, own, None, None) for name, (split, text, own, _) in zip(ids, rows, strict=True)],
        schema=dict(QUERIES.columns),
        orient="row",
    )
    judged = [
        (name, passage, 1) for name, (*_, passages) in zip(ids, rows, strict=True) for passage in passages
    ]
    judgements = pl.DataFrame(judged, schema=dict(JUDGEMENTS.columns), orient="row")
    numbers = clusters or list(range(len(rows)))
    return queries, judgements, pl.DataFrame({"query_id": ids, "cluster": pl.Series(numbers, dtype=pl.Int32)})


def _splits(queries: pl.DataFrame) -> dict[str, str]:
    return dict(queries.select("query_id", "split").iter_rows())


def _rest(count: int) -> Rows:
    """Training questions that share nothing with others."""
    return [("train", "?", "other", chr(ord("m") + place)) for place in range(count)]


def test_training_question_of_a_shared_passage_is_dropped_with_its_judgements() -> None:
    rows: Rows = [("validation", "?", "own", "ab"), ("train", None, "own", "bc"), *_rest(4)]
    split = evidence_disjoint(*_tables(rows))
    assert split.dropped.rows() == [("q1", "q0", SHARED)]
    assert "q1" not in split.queries["query_id"]
    assert "q1" not in split.judgements["query_id"]
    assert split.figures == {"components": 5, "largest_component": 2, "dropped_evidence": 1}


def test_held_out_questions_stay_as_they_were_published() -> None:
    rows: Rows = [
        ("validation", "?", "own", "a"),
        ("test", "?", "own", "ab"),
        ("train", "?", "x", "b"),
        *_rest(1),
    ]
    split = evidence_disjoint(*_tables(rows))
    assert _splits(split.queries) == {"q0": "validation", "q1": "test", "q3": "train"}


def test_what_is_tied_at_one_remove_stays() -> None:
    rows: Rows = [("validation", "?", "own", "a"), ("train", "?", "own", "ab"), ("train", "?", "own", "bc")]
    assert _splits(evidence_disjoint(*_tables(rows)).queries) == {"q0": "validation", "q2": "train"}


def test_near_duplicate_goes_even_without_a_shared_passage() -> None:
    rows: Rows = [("validation", "?", "own", "a"), ("train", "?", "other", "b"), *_rest(5)]
    split = evidence_disjoint(*_tables(rows, clusters=[0, 0, 2, 3, 4, 5, 6]))
    assert split.dropped["query_id"].to_list() == ["q1"]


def test_passages_judged_unrelated_tie_nothing() -> None:
    queries, judgements, clusters = _tables(
        [("validation", "?", "own", "ab"), ("train", "?", "other", "bc"), *_rest(4)]
    )
    unrelated = pl.when(pl.col("passage_id") == "b").then(0).otherwise("relevance").cast(pl.Int8)
    split = evidence_disjoint(queries, judgements.with_columns(relevance=unrelated), clusters)
    assert split.dropped.height == 0


def test_evidence_that_all_hangs_together_is_refused() -> None:
    rows: Rows = [("validation", "?", "own", "a"), *(("train", "?", "own", "a") for _ in range(5))]
    with pytest.raises(InputError, match=r"found none\. Set prepare\.protocol to published"):
        evidence_disjoint(*_tables(rows))


ROWS = st.lists(
    st.tuples(
        st.sampled_from(["train", "train", "train", "validation", "test"]),
        st.sampled_from(["?", "?", None]),
        st.sampled_from(["own", "other"]),
        st.sets(st.sampled_from("abcdefghijklmnop"), max_size=3).map(lambda each: "".join(sorted(each))),
    ),
    min_size=3,
    max_size=30,
)


@given(ROWS, st.lists(st.integers(0, 8), min_size=30, max_size=30))
def test_no_passage_is_relevant_and_no_cluster_stands_in_training_and_held_out(
    rows: Rows, numbers: list[int]
) -> None:
    queries, judgements, clusters = _tables(rows, numbers[: len(rows)])
    try:
        split = evidence_disjoint(queries, judgements, clusters)
    except InputError:
        return
    pool = split.queries.with_columns(training=pl.col("split") == "train").join(clusters, on="query_id")
    relevant = pool.join(split.judgements.filter(pl.col("relevance") > 0), on="query_id")
    for shared, frame in (("passage_id", relevant), ("cluster", pool)):
        assert frame.group_by(shared).agg(pl.col("training").n_unique())["training"].max() in (1, None)

    # Held-out questions are the published ones, and every question is kept or named as dropped.
    held_out = pl.col("split") != "train"
    assert split.queries.filter(held_out).equals(queries.filter(held_out))
    named = split.queries["query_id"].to_list() + split.dropped["query_id"].to_list()
    assert sorted(named) == sorted(queries["query_id"].to_list())
    assert set(split.judgements["query_id"]) <= set(split.queries["query_id"])
