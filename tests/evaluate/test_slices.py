from __future__ import annotations

import polars as pl
import pytest

from rulerank.evaluate.measures import MEASURES
from rulerank.evaluate.slices import by_slice, query_facts

QUERIES = pl.DataFrame(
    {
        "query_id": ["t1", "t2", "a", "b", "c", "silent", "unjudged"],
        "text": ["one", None, "who keeps it", "when", "by  which\nday now", None, "why"],
        "split": ["train", "train", "validation", "validation", "test", "test", "test"],
        "collection": ["main"] * 7,
        "level": [None, None, "L1", "L2", None, None, None],
    }
)
JUDGEMENTS = pl.DataFrame(
    [
        ("t1", "p1", 1),
        ("t2", "p2", 2),
        ("t2", "p4", 0),
        ("a", "p1", 1),
        ("a", "p2", 1),
        ("b", "p1", 1),
        ("b", "p3", 2),
        ("b", "p5", 0),
        ("c", "p4", 1),
        ("silent", "p1", 1),
    ],
    schema={"query_id": pl.String, "passage_id": pl.String, "relevance": pl.Int8},
    orient="row",
)
PASSAGES = pl.DataFrame(
    {"passage_id": ["p1", "p2", "p3", "p4", "p5"], "document_id": ["A", "A", "B", "B", "C"]}
)


def facts(count: int = 6, **columns: object) -> pl.DataFrame:
    given = {
        "query_id": [f"q{place}" for place in range(count)],
        "level": [None] * count,
        "relevant": [1] * count,
        "words": [9] * count,
        "documents": [1] * count,
        "evidence": ["seen"] * count,
    }
    return pl.DataFrame(given | columns, schema_overrides={"level": pl.String})


def scores(frame: pl.DataFrame, run: str = "ranker") -> pl.DataFrame:
    values = [place / 10 for place in range(frame.height)]
    return pl.DataFrame(
        {"run": [run] * frame.height, "query_id": frame["query_id"], **dict.fromkeys(MEASURES, values)}
    )


def test_query_facts_count_words_passages_and_documents() -> None:
    made = query_facts(QUERIES, JUDGEMENTS, PASSAGES)
    assert made.select("query_id", "relevant", "words", "documents").rows() == [
        ("a", 2, 3, 1),
        ("b", 2, 1, 2),
        ("c", 1, 4, 1),
    ]


def test_query_facts_list_the_relevant_passages_by_id() -> None:
    judged = dict(
        query_facts(QUERIES, JUDGEMENTS.reverse(), PASSAGES).select("query_id", "judged").iter_rows()
    )
    assert judged["a"] == [{"passage_id": "p1", "relevance": 1}, {"passage_id": "p2", "relevance": 1}]
    assert judged["b"] == [{"passage_id": "p1", "relevance": 1}, {"passage_id": "p3", "relevance": 2}]


def test_query_facts_say_whether_training_showed_the_evidence() -> None:
    # p4 was judged in training, but as unrelated.
    made = query_facts(QUERIES, JUDGEMENTS, PASSAGES)
    assert dict(made.select("query_id", "evidence").iter_rows()) == {
        "a": "seen",
        "b": "partly",
        "c": "unjudged",
    }
    beside = PASSAGES.with_columns(document_id=pl.col("document_id").replace("B", "A"))
    made = query_facts(QUERIES, JUDGEMENTS, beside)
    assert dict(made.select("query_id", "evidence").iter_rows())["c"] == "unseen"


def test_by_slice_averages_each_slice_and_run() -> None:
    given = facts(3, documents=[1, 2, 3])
    table = by_slice(pl.concat([scores(given), scores(given, "bm25")]), given)["documents"]
    assert table.columns == ["documents", "run", "queries", *MEASURES]
    assert table.select("documents", "run", "queries").rows() == [
        ("one", "ranker", 1),
        ("one", "bm25", 1),
        ("several", "ranker", 2),
        ("several", "bm25", 2),
    ]
    assert table["nDCG@10"].to_list() == pytest.approx([0.0, 0.0, 0.15, 0.15])


def test_by_slice_puts_many_relevant_passages_into_one_slice() -> None:
    given = facts(6, relevant=[5, 2, 12, 4, 1, 3])
    table = by_slice(scores(given), given)["relevant"]
    assert table.select("relevant", "queries").rows() == [("1", 1), ("2", 1), ("3", 1), ("4+", 3)]


def test_by_slice_cuts_words_into_thirds_with_their_limits() -> None:
    given = facts(6, words=[30, 10, 20, 11, 21, 31])
    table = by_slice(scores(given), given)["words"]
    assert table.select("words", "queries").rows() == [("up to 11", 2), ("12 to 21", 2), ("more than 21", 2)]


def test_by_slice_orders_evidence_from_seen_to_unjudged() -> None:
    given = facts(5, evidence=["unjudged", "unseen", "partly", "seen", "unseen"])
    assert by_slice(scores(given), given)["evidence"]["evidence"].to_list() == [
        "seen",
        "partly",
        "unseen",
        "unjudged",
    ]


def test_by_slice_leaves_questions_without_a_level_out_of_the_levels() -> None:
    given = facts(4, level=["L2", None, "L1", "L2"])
    table = by_slice(scores(given), given)["level"]
    assert table.select("level", "queries").rows() == [("L1", 1), ("L2", 2)]


def test_by_slice_leaves_out_what_does_not_divide_the_questions() -> None:
    given = facts(3)
    assert by_slice(scores(given), given) == {}
    assert by_slice(scores(given).head(0), given.head(0)) == {}


def test_by_slice_takes_the_thirds_among_the_questions_measured() -> None:
    given = facts(6, words=[1, 2, 3, 100, 200, 300])
    table = by_slice(scores(given).head(3), given)["words"]
    assert table["words"].to_list() == ["up to 1", "2", "more than 2"]
