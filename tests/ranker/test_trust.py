"""Which of the models answers a question."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from rulerank.bundle import ON_NEW_RULES, RANKER, WITH_JUDGEMENT
from rulerank.features.trust import Limits, trusted
from rulerank.ranker import Ranker

QUESTIONS = {
    "a": "Who has to keep the register, and for how long?",
    "b": "When must an accident be reported?",
    "c": "May a worker leave the site without telling anyone?",
    "d": "the the the",
}
ALWAYS: Limits = {}
HALF: Limits = {"leaders_covered": (0, 1.1)}
NEVER: Limits = {"leaders_covered": (1.1, 1.1)}


def _with(ranker: Ranker, trust: Limits | None) -> Ranker:
    return Ranker(replace(ranker.bundle, trust=trust))


def _runs(ranker: Ranker) -> dict[str, pl.DataFrame]:
    table = pl.DataFrame({"query_id": list(QUESTIONS), "text": list(QUESTIONS.values())})
    runs, _ = ranker.runs(table)
    return {name: runs.filter(run=name).drop("run") for name in (RANKER, ON_NEW_RULES)}


def test_bundle_says_when_to_believe_judgements(ranker: Ranker) -> None:
    trust = ranker.bundle.trust
    assert trust is not None
    _, full = trust["leaders_judged"]
    assert trusted(np.array([[full, 1.0], [1.0, 0.5]]), trust).tolist() == [1, 0]


def test_without_a_least_share_judgements_are_always_believed(ranker: Ranker) -> None:
    always = _runs(_with(ranker, ALWAYS))[RANKER]
    assert _runs(_with(ranker, None))[RANKER].equals(always)
    assert not always.equals(_runs(_with(ranker, NEVER))[RANKER])


def test_questions_below_the_least_share_are_left_to_the_model_for_new_rules(ranker: Ranker) -> None:
    never = _runs(_with(ranker, NEVER))
    assert never[RANKER].equals(never[ON_NEW_RULES])
    for question in QUESTIONS.values():
        asked = _with(ranker, NEVER).rank(question, reasons=0)
        assert asked == ranker.rank(question, reasons=0, model=ON_NEW_RULES)


def test_each_question_of_a_batch_is_answered_by_its_own_model(ranker: Ranker) -> None:
    (batch,) = ranker.bundle.described(ranker.bundle.queries(list(QUESTIONS), list(QUESTIONS.values())))
    shares = batch.matrix[:, ranker.bundle.features.names.index("leaders_judged")]
    least = float(np.median(np.unique(shares)))
    middle = {"leaders_judged": (least, least)}
    some, always, never = (_runs(_with(ranker, each))[RANKER] for each in (middle, ALWAYS, NEVER))
    answering = set()
    for row, query in enumerate(QUESTIONS):
        own = shares[batch.pairs.rows == row]
        expected = always if own[0] >= least else never
        assert some.filter(query_id=query).equals(expected.filter(query_id=query))
        answering.add(bool(own[0] >= least))
    assert answering == {True, False}
    for query, found in zip(
        QUESTIONS, _with(ranker, middle).rank_many(list(QUESTIONS.values())), strict=True
    ):
        expected = some.filter(query_id=query).head(10)
        assert [passage.passage_id for passage in found] == expected["passage_id"].to_list()
        assert [passage.score for passage in found] == expected["score"].to_list()


def test_other_models_are_never_replaced(ranker: Ranker) -> None:
    never, always = (_runs(_with(ranker, each))[ON_NEW_RULES] for each in (NEVER, ALWAYS))
    assert never.equals(always)


def test_reasons_are_those_of_the_model_that_answers(ranker: Ranker) -> None:
    judgement = {each.name for each in ranker.bundle.features if each.group == "judgement"}
    named = [
        reason.feature
        for passage in _with(ranker, NEVER).rank(QUESTIONS["a"], reasons=1000)
        for reason in passage.reasons
        if reason.contribution
    ]
    assert named
    assert not judgement & set(named)


def test_a_question_between_the_limits_gets_the_mean_of_both_models(ranker: Ranker) -> None:
    for question in QUESTIONS.values():
        both = [
            {each.passage_id: each.score for each in ranker.rank(question, k=1000, model=model)}
            for model in (WITH_JUDGEMENT, ON_NEW_RULES)
        ]
        found = _with(ranker, HALF).rank(question, k=1000)
        assert {each.passage_id: each.score for each in found} == {
            passage: pytest.approx((both[0][passage] + both[1][passage]) / 2) for passage in both[0]
        }
        scores = [each.score for each in found]
        assert scores == sorted(scores, reverse=True)


def test_reasons_of_the_mean_are_the_means_of_the_reasons(ranker: Ranker) -> None:
    passage = ranker.rank(QUESTIONS["a"], k=1)[0].passage_id

    def reasons(ranker: Ranker, model: str) -> dict[str, float]:
        explanation = ranker.explain(QUESTIONS["a"], passage, model=model)
        return {each.feature: each.contribution for each in explanation.contributions}

    first, second = reasons(ranker, WITH_JUDGEMENT), reasons(ranker, ON_NEW_RULES)
    assert reasons(_with(ranker, HALF), RANKER) == {
        feature: pytest.approx((first[feature] + second[feature]) / 2, abs=1e-6) for feature in first
    }


@pytest.mark.parametrize("trust", [ALWAYS, HALF, NEVER])
def test_a_question_gets_the_same_scores_alone_and_in_a_batch(ranker: Ranker, trust: Limits) -> None:
    runs = _runs(_with(ranker, trust))[RANKER].filter(query_id="b").head(10)
    alone = _with(ranker, trust).rank(QUESTIONS["b"])
    assert [passage.passage_id for passage in alone] == runs["passage_id"].to_list()
    np.testing.assert_allclose([passage.score for passage in alone], runs["score"], atol=1e-5)
