from __future__ import annotations

from datetime import date, datetime

import numpy as np
import pandas as pd
import polars as pl
import pytest

from rulerank.errors import InputError
from rulerank.ranker.checks import (
    require_at_least,
    require_day,
    require_questions,
    require_texts,
    require_weights,
)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"query_id": ["a", "a"], "text": ["x", "y"]}, "found ('a',) more than once"),
        ({"query_id": ["a"]}, "expected column 'text'"),
        ({"query_id": [1], "text": ["x"]}, "column 'query_id': expected String, found Int64"),
        ({"query_id": ["a", "b"], "text": ["x", None]}, "every question needs its text, found none for 'b'"),
        ({"query_id": ["a", "b"], "text": [" ", "x"]}, "every question needs its text, found none for 'a'"),
    ],
)
def test_questions_that_cannot_be_ranked_are_refused(columns: dict[str, list[object]], message: str) -> None:
    with pytest.raises(InputError) as raised:
        require_questions(pl.DataFrame(columns))
    assert str(raised.value).startswith("queries: ")
    assert message in str(raised.value)


def test_questions_may_have_further_columns() -> None:
    require_questions(pl.DataFrame({"text": ["x"], "query_id": ["a"], "split": ["test"]}))


def test_number_of_numpy_is_a_whole_number() -> None:
    require_at_least("k", 1, np.int64(1))
    with pytest.raises(InputError, match=r"k: expected a whole number, found 1\.5"):
        require_at_least("k", 1, np.float64(1.5).item())
    with pytest.raises(InputError, match="k: expected a whole number, found True"):
        require_at_least("k", 1, True)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([0.5, 2], r"dense_weights\[1\]: expected a number from 0 to 1, found 2"),
        ([float("nan")], r"dense_weights\[0\]: expected a number from 0 to 1, found nan"),
        (["a"], r"dense_weights\[0\]: expected a number from 0 to 1, found 'a'"),
        ([True], r"dense_weights\[0\]: expected a number from 0 to 1, found True"),
        (0.5, "dense_weights: expected a list of numbers, found 0.5"),
        ("0.5", "dense_weights: expected a list of numbers, found '0.5'"),
    ],
)
def test_weights_are_numbers_from_0_to_1(weights: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        require_weights("dense_weights", weights)
    require_weights("dense_weights", (0, 0.5, np.float32(1)))


@pytest.mark.parametrize("given", ["2024-05-01", 20240501, datetime(2024, 5, 1, 9), True])
def test_day_is_a_date_and_nothing_like_one(given: object) -> None:
    with pytest.raises(InputError, match=r"as_of: expected a datetime\.date, found .*Give a day"):
        require_day(given)


def test_day_is_today_where_none_is_given() -> None:
    assert require_day(date(2024, 5, 1)) == date(2024, 5, 1)
    assert require_day(None) == date.today()


@pytest.mark.parametrize(
    "questions",
    [
        ["Who?", "When?"],
        ("Who?", "When?"),
        pl.Series(["Who?", "When?"]),
        pd.Series(["Who?", "When?"]),
        np.array(["Who?", "When?"]),
        (each for each in ["Who?", "When?"]),
        {"Who?": 1, "When?": 2}.keys(),
    ],
)
def test_questions_may_be_any_list_or_column(questions: object) -> None:
    assert require_texts("questions", questions) == ["Who?", "When?"]


@pytest.mark.parametrize(
    ("questions", "kind"),
    [
        ("Who?", "str"),
        (b"Who?", "bytes"),
        ({"Who?": 1}, "dict"),
        (pl.DataFrame({"text": ["Who?"]}), "DataFrame"),
        (pd.DataFrame({"text": ["Who?"]}), "DataFrame"),
        (7, "int"),
        (None, "NoneType"),
    ],
)
def test_what_is_no_list_of_questions_is_refused(questions: object, kind: str) -> None:
    with pytest.raises(InputError) as error:
        require_texts("questions", questions)
    assert str(error.value) == (
        f"questions: expected a list or a column of questions, found {kind}. Give one."
    )


def test_question_at_fault_is_named_by_its_place() -> None:
    with pytest.raises(InputError) as error:
        require_texts("questions", pl.Series(["Who?", None]))
    assert str(error.value) == "questions[1]: expected a question, found None. Ask in plain words."
