"""Frames of polars and pandas, in and out."""

from __future__ import annotations

import pickle
from datetime import date, datetime
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rulerank
from rulerank.bundle import ON_NEW_RULES, RANKER, WITHOUT_JUDGEMENT
from rulerank.errors import InputError
from rulerank.ranker import Ranker
from rulerank.ranker.frames import RANKED, to_frame

ASKED = {"query_id": ["a", "b"], "text": ["Who must keep the register?", "When is a report due?"]}


def test_frame_of_pandas_is_ranked_as_one_of_polars(ranker: Ranker) -> None:
    frame = pd.DataFrame(ASKED | {"note": [1, 2]})
    for found, expected in zip(ranker.runs(frame), ranker.runs(pl.DataFrame(ASKED)), strict=True):
        assert found.equals(expected)


@pytest.mark.parametrize(
    ("queries", "message"),
    [
        (pd.DataFrame({"query_id": ["a"]}), "expected column 'text'"),
        (pd.DataFrame({"query_id": ["a", "b"], "text": ["x", None]}), "found none for 'b'"),
        (pd.DataFrame({"query_id": [1], "text": ["x"]}), "queries: expected strings in query_id and text"),
        (pd.DataFrame({"query_id": ["a", "a"], "text": ["x", "y"]}), r"more than once\. Correct the frame\."),
        (
            pd.DataFrame({"query_id": ["a"], "text": ["\ud800"]}, dtype=object),
            "expected strings in query_id and text: .*utf",
        ),
        (
            pd.DataFrame([["a", "b", "x"]], columns=["query_id", "query_id", "text"]),
            "queries: expected one column query_id, found several",
        ),
        (
            pd.DataFrame([["a", "x"]], columns=pd.MultiIndex.from_tuples([("query_id", ""), ("text", "")])),
            "queries: expected columns with one name each, found several levels",
        ),
        ({"query_id": ["a"], "text": ["x"]}, "expected a frame of polars or pandas .*, found builtins.dict"),
        (None, "expected a frame of polars or pandas .*, found builtins.NoneType"),
    ],
)
def test_frame_that_holds_no_questions_is_refused(ranker: Ranker, queries: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        ranker.runs(queries)


@pytest.mark.parametrize("path", [None, 7, b"outputs/bundle"])
def test_bundle_without_a_path_is_refused(path: Any) -> None:
    with pytest.raises(InputError, match="path: expected the folder of an exported ranker, found"):
        rulerank.load(path)


def test_more_threads_than_help_are_refused(tmp_path: Any) -> None:
    with pytest.raises(InputError, match="threads: expected at most 256, found 5000"):
        rulerank.load(tmp_path, threads=5000)


@pytest.mark.parametrize("model", [RANKER, ON_NEW_RULES, WITHOUT_JUDGEMENT])
def test_scores_of_features_are_those_of_the_ranking(ranker: Ranker, model: str) -> None:
    (batch,) = ranker.bundle.described(ranker.bundle.queries(["a"], ASKED["text"][:1]))
    expected = ranker.bundle.tree_scores(model, batch.matrix)
    polars = ranker.bundle.features.frame(batch.matrix)
    shuffled = polars.select(ranker.features[::-1]).with_columns(pl.lit("a").alias("query_id"))
    for features in (batch.matrix, batch.matrix.tolist(), polars, shuffled, shuffled.to_pandas()):
        np.testing.assert_array_equal(ranker.score(features, model=model), expected)


@pytest.mark.parametrize(
    ("features", "message"),
    [
        (
            [[1.0, 2.0]],
            r"features: expected a matrix of \d+ columns, .* found builtins.list of shape \(1, 2\)",
        ),
        ([], "expected a matrix"),
        ("features", "features: expected numbers"),
        (None, "expected a matrix"),
        (pl.DataFrame({"bm25_score": [1.0]}), "expected the columns of Ranker.features, found no "),
        (pd.DataFrame({"bm25_score": [1.0]}), "expected the columns of Ranker.features, found no "),
    ],
)
def test_features_that_are_none_are_refused(ranker: Ranker, features: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        ranker.score(features)


@pytest.mark.parametrize("value", ["x", "1.5", b"1", 1 + 2j, date(2026, 1, 1), datetime(2026, 1, 1)])
def test_values_that_are_no_numbers_are_refused(ranker: Ranker, value: Any) -> None:
    frame = pd.DataFrame({name: [value] for name in ranker.features})
    for features in (frame, np.array([[value] * len(ranker.features)])):
        with pytest.raises(InputError, match=r"features: expected numbers in single precision, NaN .* found"):
            ranker.score(features)


def test_number_beyond_single_precision_is_refused(ranker: Ranker) -> None:
    with pytest.raises(InputError, match="features: expected numbers in single precision"):
        ranker.score(np.full((2, len(ranker.features)), 1e300))


def test_missing_value_may_be_none(ranker: Ranker) -> None:
    values = {name: [1.0, None] for name in ranker.features}
    expected = ranker.score(np.array([np.ones(len(values)), np.full(len(values), np.nan)]))
    for features in (pl.DataFrame(values), pd.DataFrame(values, dtype=object)):
        np.testing.assert_array_equal(ranker.score(features), expected)


def test_rankings_become_a_frame(ranker: Ranker) -> None:
    many = dict(zip(ASKED["query_id"], ranker.rank_many(ASKED["text"], 3, reasons=1), strict=True))
    frame = to_frame(many)
    assert frame.schema == RANKED
    assert frame["query_id"].to_list() == ["a", "a", "a", "b", "b", "b"]
    assert frame["passage_id"].to_list() == [each.passage_id for one in many.values() for each in one]
    assert frame["reasons"][0][0]["feature"] == many["a"][0].reasons[0].feature
    assert frame.to_pandas().shape == frame.shape
    assert to_frame({}).schema == RANKED


def test_masked_values_are_missing_ones(ranker: Ranker) -> None:
    zeros = np.zeros((1, len(ranker.features)))
    masked = np.ma.masked_array(zeros, mask=np.ones_like(zeros, bool))
    assert ranker.score(masked) == ranker.score(np.full_like(zeros, np.nan))
    with pytest.raises(InputError, match="expected numbers in single precision"):
        ranker.score(np.ma.masked_array(zeros.astype(str), mask=zeros == 0))


def test_a_ranker_is_not_pickled(ranker: Ranker) -> None:
    with pytest.raises(InputError, match="Load the folder in each process"):
        pickle.dumps(ranker)


def test_a_model_that_is_no_name_is_refused(ranker: Ranker) -> None:
    with pytest.raises(InputError, match="model: expected a model of this bundle"):
        ranker.rank("Who must rest?", model=np.array(["ranker", "x"]))  # type: ignore[arg-type]
