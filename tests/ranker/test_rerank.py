"""Passages that a caller names, in the order of the ranker, and the reasons for the order."""

from __future__ import annotations

from datetime import date
from typing import Any

import numpy as np
import polars as pl
import pytest

from rulerank.bundle import RANKER
from rulerank.errors import InputError
from rulerank.features.completion import COMPANIONS
from rulerank.features.curve import probabilities
from rulerank.ranker import Ranker

QUESTION = "Who has to keep the register, and for how long?"


def test_reranked_candidates_keep_order_and_scores(ranker: Ranker) -> None:
    ranked = ranker.rank(QUESTION, 12, reasons=2)
    given = [each.passage_id for each in ranked[::-2]]
    again = ranker.rerank(QUESTION, given, reasons=2)
    assert [each.passage_id for each in again] == given[::-1]
    assert [each.index for each in again] == [5, 4, 3, 2, 1, 0]
    assert [each.rank for each in again] == [1, 2, 3, 4, 5, 6]
    assert [each.score for each in again] == [each.score for each in ranked[1::2]]
    assert repr([each.reasons for each in again]) == repr([each.reasons for each in ranked[1::2]])


def test_probability_of_reranked_falls_with_rank(ranker: Ranker) -> None:
    ids = [each.passage_id for each in ranker.rank(QUESTION, 50)]
    again = ranker.rerank(QUESTION, ids)
    stated = [each.probability for each in again]
    assert stated == sorted(stated, reverse=True)
    curve = ranker.bundle.models[ranker.ranking(QUESTION).leading].curve
    np.testing.assert_allclose(stated, probabilities(np.array([each.score for each in again]), curve))


def test_passage_that_no_generator_finds_is_scored(ranker: Ranker) -> None:
    found = {each.passage_id for each in ranker.rank(QUESTION, 10**6)}
    with_text = ranker.bundle.passages.filter(pl.col("text").str.strip_chars() != "")
    missed = [each for each in with_text["passage_id"] if each not in found][:2]
    assert missed
    again = ranker.rerank(QUESTION, missed)
    assert sorted(each.passage_id for each in again) == sorted(missed)
    assert np.isfinite([each.score for each in again]).all()


def test_text_stands_for_its_passage_whatever_its_white_space(ranker: Ranker) -> None:
    first, second = ranker.rank(QUESTION, 2)
    again = ranker.rerank(QUESTION, [f"  {second.text.replace(' ', chr(10) + ' ')}\t", first.passage_id])
    assert [each.passage_id for each in again] == [first.passage_id, second.passage_id]
    assert [each.index for each in again] == [1, 0]


def test_passages_may_come_from_any_iterable(ranker: Ranker) -> None:
    ids = [each.passage_id for each in ranker.rank(QUESTION, 4)]
    expected = ranker.rerank(QUESTION, ids)
    assert ranker.rerank(QUESTION, (each for each in ids)) == expected
    assert ranker.rerank(QUESTION, pl.Series(ids)) == expected
    assert ranker.rerank(QUESTION, np.array(ids)) == expected
    assert ranker.rerank(QUESTION, iter(())) == []


def test_text_that_passages_share_counts_as_the_best_of_them(ranker: Ranker) -> None:
    passages = ranker.bundle.passages.filter(pl.col("text").str.strip_chars() != "")
    text, ids = (
        passages.group_by("text", maintain_order=True)
        .agg("passage_id")
        .filter(pl.col("passage_id").list.len() > 1)
        .row(0)
    )
    (alone,) = ranker.rerank(QUESTION, [text])
    best = ranker.rerank(QUESTION, ids)[0]
    assert (alone.passage_id, alone.score) == (best.passage_id, best.score)


def test_passage_given_twice_comes_back_twice(ranker: Ranker) -> None:
    first = ranker.rank(QUESTION, 1)[0]
    again = ranker.rerank(QUESTION, [first.passage_id, first.text])
    assert [(each.index, each.rank, each.score) for each in again] == [
        (0, 1, first.score),
        (1, 2, first.score),
    ]


def test_fewer_are_returned_where_fewer_are_asked_for(ranker: Ranker) -> None:
    ids = [each.passage_id for each in ranker.rank(QUESTION, 5)]
    assert [each.passage_id for each in ranker.rerank(QUESTION, ids, 2)] == ids[:2]
    assert ranker.rerank(QUESTION, []) == []


def test_passage_of_a_later_day_is_ranked_since_it_was_asked_for(ranker: Ranker) -> None:
    later = ranker.bundle.passages.filter(
        pl.col("effective_from").is_not_null(), pl.col("text").str.strip_chars() != ""
    )
    passage_id, day = later.select("passage_id", "effective_from").row(0)
    before = date(day.year - 1, 1, 1)
    assert passage_id not in {each.passage_id for each in ranker.rank(QUESTION, 10**6, as_of=before)}
    assert [each.passage_id for each in ranker.rerank(QUESTION, [passage_id], as_of=before)] == [passage_id]


@pytest.mark.parametrize(
    ("passages", "message"),
    [
        (
            ["nowhere"],
            r"passages\[0\]: expected the id or the text of a passage of this corpus, found 'nowhere'",
        ),
        ([""], r"passages\[0\]: expected the id or the text"),
        (["  \n"], r"passages\[0\]: expected the id or the text"),
        ([7], r"passages\[0\]: expected the id or the text of a passage of this corpus, found 7"),
        (["\ud800"], r"passages\[0\]: expected the id or the text"),
        ([["x"]], r"passages\[0\]: expected the id or the text"),
        ("nowhere", "passages: expected a list or a column of ids or texts, found str"),
        ({"nowhere": 1}, "passages: expected a list or a column of ids or texts, found dict"),
        (
            pl.DataFrame({"nowhere": [""]}),
            "passages: expected a list or a column of ids or texts, found DataFrame",
        ),
        (7, "passages: expected a list or a column of ids or texts, found int"),
        (["x" * 10**6], r"passages\[0\]: .{0,200}$"),
    ],
)
def test_passage_of_no_corpus_is_refused_by_name(ranker: Ranker, passages: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        ranker.rerank(QUESTION, passages)


def test_heading_is_refused(ranker: Ranker) -> None:
    heading = ranker.bundle.passages.filter(pl.col("text").str.strip_chars() == "")["passage_id"][0]
    with pytest.raises(InputError, match=rf"passages\[1\]: .* found the heading '{heading}'"):
        ranker.rerank(QUESTION, [ranker.rank(QUESTION, 1)[0].passage_id, heading])


def test_explanation_names_every_feature_as_the_reasons_do(ranker: Ranker) -> None:
    passage = ranker.rank(QUESTION, 4, reasons=10**3)[3]
    explained = ranker.explain(QUESTION, passage.passage_id)
    assert (explained.passage.rank, explained.passage.score) == (4, passage.score)
    assert repr(explained.contributions) == repr(passage.reasons)
    assert (explained.against, explained.differences) == (None, ())


def test_differences_are_those_of_the_contributions(ranker: Ranker) -> None:
    first, second = (each.passage_id for each in ranker.rank(QUESTION, 2))
    explained = ranker.explain(QUESTION, first, second)
    own, other = (
        {each.feature: each for each in ranker.explain(QUESTION, passage).contributions}
        for passage in (first, second)
    )
    assert explained.against is not None
    assert explained.against.passage_id == second
    assert {each.feature for each in explained.differences} == {*ranker.features, COMPANIONS}
    for each in explained.differences:
        apart = own[each.feature].contribution - other[each.feature].contribution
        assert each.contribution == pytest.approx(apart)
        np.testing.assert_equal(
            [each.value, each.other], [own[each.feature].value, other[each.feature].value]
        )
    sizes = [abs(each.contribution) for each in explained.differences]
    assert sizes == sorted(sizes, reverse=True)


def test_passage_to_explain_must_be_of_the_corpus(ranker: Ranker) -> None:
    first = ranker.rank(QUESTION, 1)[0]
    for arguments in (("nowhere",), (first.passage_id, "nowhere")):
        with pytest.raises(InputError, match="expected the id of a passage of this corpus, found 'nowhere'"):
            ranker.explain(QUESTION, *arguments)


def test_model_must_be_of_the_bundle(ranker: Ranker) -> None:
    first = ranker.rank(QUESTION, 1)[0].passage_id
    for ask in (ranker.rerank, ranker.explain):
        with pytest.raises(InputError, match="model: expected a model of this bundle"):
            ask(QUESTION, [first] if ask == ranker.rerank else first, model="best")
    assert ranker.rerank(QUESTION, [first], model=RANKER)
