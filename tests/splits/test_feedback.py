"""Feedback joins the training questions and changes no held-out question."""

from __future__ import annotations

import polars as pl
import pytest

from rulerank.splits.feedback import HELD_OUT, barred_passages, join_feedback
from rulerank.splits.protocol import Split
from rulerank.tables import JUDGEMENTS, PASSAGES, QUERIES


def _queries(rows: dict[str, str], collection: str) -> pl.DataFrame:
    return pl.DataFrame(
        [(key, f"Question {key}?", split, collection, None, None) for key, split in rows.items()],
        schema=dict(QUERIES.columns),
        orient="row",
    )


def _judged(*rows: tuple[str, str, int]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=dict(JUDGEMENTS.columns), orient="row")


@pytest.fixture
def passages() -> pl.DataFrame:
    rows = [
        (key, key[0], key, "", "Text.", None, "rule", place, None, None)
        for place, key in enumerate(("a1", "a2", "b1", "b2"))
    ]
    return pl.DataFrame(rows, schema=dict(PASSAGES.columns), orient="row")


@pytest.fixture
def split() -> Split:
    dropped = pl.DataFrame(schema={"query_id": pl.String, "repeats": pl.String, "reason": pl.String})
    queries = _queries({"t": "train", "v": "validation", "x": "test"}, "own")
    return Split(
        queries, _judged(("t", "a1", 1), ("v", "a2", 1), ("v", "a1", 0), ("x", "b1", 2)), dropped, {}
    )


@pytest.mark.parametrize(
    ("protocol", "documents", "kept"),
    [
        ("published", (), {"f1", "f2", "f3", "f4"}),
        ("random", (), {"f1", "f2", "f3", "f4"}),
        ("evidence_disjoint", (), {"f1", "f4"}),
        ("document_disjoint", ("b",), {"f1", "f2"}),
    ],
)
def test_feedback_on_what_a_protocol_keeps_apart_is_dropped(
    split: Split, passages: pl.DataFrame, protocol: str, documents: tuple[str, ...], kept: set[str]
) -> None:
    given = _queries(dict.fromkeys(("f1", "f2", "f3", "f4"), "train"), "feedback")
    judged = _judged(("f1", "a1", 1), ("f1", "a2", 0), ("f2", "a2", 1), ("f3", "b1", 2), ("f4", "b2", 1))
    joined = join_feedback(split, given, judged, barred_passages(split, passages, protocol, documents))
    assert set(joined.queries["query_id"]) == {"t", "v", "x", *kept}
    assert set(joined.judgements["query_id"]) == {"t", "v", "x", *kept}
    assert joined.queries.filter(pl.col("split") != "train").equals(split.queries[1:])
    assert dict(joined.dropped.select("query_id", "reason").iter_rows()) == dict.fromkeys(
        {"f1", "f2", "f3", "f4"} - kept, HELD_OUT
    )
