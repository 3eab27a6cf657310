"""Many questions at once, and many threads at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import date
from typing import Any

import polars as pl
import pytest

from rulerank.bundle import ON_NEW_RULES, WITHOUT_JUDGEMENT
from rulerank.errors import InputError
from rulerank.ranker import Ranker
from rulerank.ranker.order import even_size

QUESTIONS = [
    "Who has to keep the register, and for how long?",
    "When must an accident be reported?",
    "May a worker leave the site without telling anyone?",
    "谁保存登记册？",
    "When must an accident be reported?",
]


@pytest.mark.parametrize("model", ["ranker", ON_NEW_RULES, WITHOUT_JUDGEMENT])
def test_many_questions_are_ranked_as_each_alone(ranker: Ranker, model: str) -> None:
    many = ranker.rank_many(QUESTIONS, k=7, model=model)
    assert len(many) == len(QUESTIONS)
    for question, ranked in zip(QUESTIONS, many, strict=True):
        # To the last digit: a service may ask either way.
        assert ranked == ranker.rank(question, 7, reasons=0, model=model)
        assert [each.rank for each in ranked] == list(range(1, len(ranked) + 1))
    assert many[1] == many[4]


@pytest.mark.parametrize(
    ("questions", "workers", "size"),
    [(446, 1, 64), (446, 2, 56), (50, 2, 25), (5, 4, 2), (1, 8, 1), (0, 2, 1)],
)
def test_workers_share_the_questions_evenly(questions: int, workers: int, size: int) -> None:
    assert even_size(questions, 72, workers) == size


def test_no_question_gives_no_ranking(ranker: Ranker) -> None:
    assert ranker.rank_many([]) == []


def test_questions_of_a_column_are_ranked_as_those_of_a_list(ranker: Ranker) -> None:
    assert ranker.rank_many(pl.Series(QUESTIONS[:2]), k=2) == ranker.rank_many(QUESTIONS[:2], k=2)


def test_many_questions_have_reasons_where_they_are_asked_for(ranker: Ranker) -> None:
    ranked = ranker.rank_many(QUESTIONS[:2], k=2, reasons=2)
    assert [[len(each.reasons) for each in one] for one in ranked] == [[2, 2], [2, 2]]
    assert ranker.rank_many(QUESTIONS[:1], k=1)[0][0].reasons == ()


def test_day_counts_for_many_as_for_one(ranker: Ranker) -> None:
    day = date(1900, 1, 1)
    assert ranker.rank_many(QUESTIONS[:1], as_of=day)[0] == ranker.rank(QUESTIONS[0], as_of=day, reasons=0)


@pytest.mark.parametrize(
    ("questions", "message"),
    [
        ("Who?", "questions: expected a list or a column of questions, found str"),
        (["Who?", " "], r"questions\[1\]: expected a question, found blank text"),
        (["Who?", None], r"questions\[1\]: expected a question, found None"),
    ],
)
def test_question_at_fault_is_named(ranker: Ranker, questions: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        ranker.rank_many(questions)


def test_eight_threads_get_what_one_gets(ranker: Ranker) -> None:
    # A ranker that has not been used yet, so several threads make what is made on first use.
    shared, days = Ranker(ranker.bundle), [date(2020, 1, day) for day in range(1, 9)]

    def ask(place: int) -> tuple[str, ...]:
        question, day = QUESTIONS[place % len(QUESTIONS)], days[place % len(days)]
        ranked = shared.rank(question, as_of=day)
        again = shared.rerank(question, [each.text for each in ranked[:3]], as_of=day)
        answer = shared.answer(question, as_of=day)
        return repr(ranked), repr(again), repr(answer)

    places = list(range(8))
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(ask, places))
    shared = Ranker(ranker.bundle)
    assert together == [ask(place) for place in places]
