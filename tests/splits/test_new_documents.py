from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulerank.splits.folds import fold_queries
from rulerank.splits.new_documents import serve_as_new
from rulerank.tables import FOLDS

ABOUT = [["a"], ["a"], ["a"], ["b"], ["b"], ["c"], ["a", "b"], ["c", "c"], ["d"]]
"""The documents of each question's relevant passages."""

NEW_TO = {"a": 3, "b": 4, "c": 5, "d": 4}
"""The fold to whose models a document is new; `d`, with least judgements, is dealt out last."""


def _served(
    about: list[list[str]],
    share: float,
    clusters: list[int] | None = None,
    split: str = "train",
    seed: int = 7,
) -> pl.DataFrame:
    ids = [f"q{place}" for place in range(len(about))]
    queries = pl.DataFrame({"query_id": ids, "split": [split] * len(ids), "text": ids})
    clustered = pl.DataFrame(
        {"query_id": ids, "cluster": clusters or list(range(len(ids)))},
        {"query_id": pl.String, "cluster": pl.Int32},
    )
    judged = [
        (query_id, f"{document}{place}", document)
        for query_id, documents in zip(ids, about, strict=True)
        for place, document in enumerate(documents)
    ]
    found = pl.DataFrame(
        judged, {"query_id": pl.String, "passage_id": pl.String, "document_id": pl.String}, orient="row"
    )
    judgements = found.select("query_id", "passage_id", relevance=pl.lit(1))
    passages = found.select("passage_id", "document_id").unique()
    folds = fold_queries(queries, clustered, 3, seed)
    return serve_as_new(folds, queries, judgements, passages, share, seed)


def test_question_as_new_is_served_by_models_that_learn_nothing_about_its_documents() -> None:
    served = _served(ABOUT, 1.0)
    assert served["as_new"].all()
    for documents, served_by in zip(ABOUT, served["served_by"], strict=True):
        assert served_by in {NEW_TO[document] for document in documents}


def test_question_is_hidden_from_its_fold_and_from_those_of_all_its_documents() -> None:
    served = _served(ABOUT, 0.0)
    assert served["served_by"].equals(served["fold"].alias("served_by"))
    assert not served["as_new"].any()
    assert [set(hidden) - {fold} for hidden, fold in served.select("hidden_from", "fold").rows()] == [
        {NEW_TO[document] for document in documents} for documents in ABOUT
    ]


@given(
    st.lists(st.lists(st.sampled_from("abcde"), min_size=1, max_size=3), min_size=2, max_size=30),
    st.floats(0, 1),
    st.integers(0, 5),
)
def test_leak_models_that_serve_a_question_learn_nothing_from_its_cluster(
    about: list[list[str]], share: float, seed: int
) -> None:
    clusters = [place // 2 for place in range(len(about))]
    served = _served(about, share, clusters, seed=seed)
    assert FOLDS.check(served, "folds")["query_id"].to_list() == [f"q{place}" for place in range(len(about))]
    by_cluster = served.group_by("cluster").agg(pl.col("served_by", "as_new").n_unique())
    assert by_cluster.select("served_by", "as_new").max().row(0) == (1, 1)
    for served_by, fold, hidden in served.select("served_by", "fold", "hidden_from").rows():
        assert {served_by, fold} <= set(hidden)


def test_share_of_the_questions_is_served_as_new_whatever_the_others_are() -> None:
    about = [["abcdefgh"[place % 8]] for place in range(2000)]
    served = _served(about, 0.3)
    assert served["as_new"].mean() == pytest.approx(0.3, abs=0.03)
    assert _served(about[:500], 0.3)["as_new"].equals(served["as_new"].head(500))
    assert not _served(about, 0.3, seed=8)["as_new"].equals(served["as_new"])


def test_document_that_nearly_every_question_is_about_is_hidden_from_no_model() -> None:
    served = _served([["a"]] * 9 + [["b"]], 1.0)
    assert served["served_by"].head(9).equals(served["fold"].alias("served_by").head(9))
    assert served["as_new"].all()
    assert served["served_by"][9] == 4


@pytest.mark.parametrize("split", ["validation", "test"])
def test_only_training_questions_are_treated_as_new(split: str) -> None:
    served = _served(ABOUT, 1.0, split=split)
    assert not served["as_new"].any()
    assert served["hidden_from"].to_list() == [[fold] for fold in served["fold"]]
