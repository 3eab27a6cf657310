from __future__ import annotations

from dataclasses import replace
from datetime import date

import numpy as np
import polars as pl
import pytest

from rulerank.answer import ABSTENTION
from rulerank.errors import InputError
from rulerank.features.curve import probabilities
from rulerank.ranker import Ranker
from rulerank.tables import EDGES

QUESTION = "What must the master do, and who has to be told before the vessel enters the harbour?"
DAY = date(2026, 1, 1)


def _amended(ranker: Ranker, *pairs: tuple[str, str]) -> Ranker:
    """Return the same ranker over a corpus in which the first passage of each pair voids the second."""
    rows = [(upper, lower, "SUPERSEDES", "") for upper, lower in pairs]
    return Ranker(replace(ranker.bundle, edges=pl.DataFrame(rows, schema=dict(EDGES.columns), orient="row")))


def _sources(ranker: Ranker, kept: list[str]) -> list[str]:
    return [passage.passage_id for passage in ranker.answer_from(QUESTION, kept, DAY).sources]


def test_answer_cites_what_the_tail_filter_keeps(ranker: Ranker) -> None:
    plain = _amended(ranker)
    kept = plain.ranking(QUESTION, as_of=DAY).evidence_of(10)
    answer = plain.answer_from(QUESTION, kept, DAY)
    assert [passage.passage_id for passage in answer.sources] == kept
    for claim in answer.claims:
        texts = {passage.passage_id: passage.text for passage in answer.sources}
        assert all(texts[each.passage_id][each.start : each.end].strip() for each in claim.quotes)


def test_passages_that_are_no_list_or_unknown_are_refused(ranker: Ranker) -> None:
    known = ranker.rank(QUESTION, k=1)[0].passage_id
    for wrong, found in ((known, "a list of ids"), ([known, "nowhere"], "ids of passages of this corpus")):
        with pytest.raises(InputError, match=f"passage_ids: expected {found}"):
            ranker.answer_from(QUESTION, wrong, DAY)
        with pytest.raises(InputError, match=f"without: expected {found}"):
            ranker.answer(QUESTION, without=wrong)
    with pytest.raises(InputError, match="question"):
        ranker.answer_from(" ", [known], DAY)


def test_voided_passage_is_never_a_source_without_what_voids_it(ranker: Ranker) -> None:
    first, second, third, *_ = ranker.bundle.passages.filter(pl.col("text") != "")["passage_id"]
    amended = _amended(ranker, (third, second), (second, first))
    assert _sources(amended, [first]) == [third, second, first]
    assert _sources(amended, [third]) == [third, second, first]


def test_superseder_that_is_not_in_the_corpus_is_left_out(ranker: Ranker) -> None:
    first = ranker.bundle.passages.filter(pl.col("text") != "")["passage_id"][0]
    assert _sources(_amended(ranker, ("another:1", first)), [first]) == [first]


def test_no_voided_passage_is_cited_without_what_voids_it(ranker: Ranker) -> None:
    voided = ranker.bundle.edges.filter(type="SUPERSEDES")["target_id"].unique(maintain_order=True)
    assert voided.len()
    for passage_id in voided.head(20):
        answer = ranker.answer_from(QUESTION, [passage_id], DAY)
        shown = {passage.passage_id: passage for passage in answer.sources}
        assert answer.claims
        for claim in answer.claims:
            assert all(set(shown[each].voided_by) <= set(claim.passages) for each in claim.passages)


def test_answer_and_ranking_are_of_the_day(ranker: Ranker) -> None:
    begins = dict(ranker.bundle.passages.select("passage_id", "effective_from").iter_rows())
    early = date(2012, 1, 1)
    ranked = ranker.rank(QUESTION, 50, as_of=early)
    assert ranked
    assert all(begins[passage.passage_id] <= early for passage in ranked)
    assert not any(passage.voided_by for passage in ranked)
    changed = ranker.bundle.edges.filter(type="SUPERSEDES")["target_id"][0]
    (shown,) = ranker.evidence.shown([changed], DAY)
    (before,) = ranker.evidence.shown([changed], begins[changed])
    assert shown.voided_by
    assert not before.voided_by


def test_passages_that_are_still_to_come_change_nothing(ranker: Ranker) -> None:
    begins = dict(ranker.bundle.passages.select("passage_id", "effective_from").iter_rows())
    day = date(2015, 1, 1)
    coming = [each for each, since in begins.items() if since and since > day]
    today, without = ranker.ranking(QUESTION, as_of=day), ranker.ranking(QUESTION, without=coming)
    assert coming
    np.testing.assert_array_equal(today.rows, without.rows)
    np.testing.assert_array_equal(today.scores, without.scores)
    (many,) = ranker.rank_many([QUESTION], 10**4, as_of=day)
    assert [each.passage_id for each in many] == today.first(10**4)


def test_unlikely_question_is_declined_with_a_reason(ranker: Ranker) -> None:
    model = ranker.ranking(QUESTION).leading
    selection = ranker.bundle.selections[model]
    never = {name: replace(each, least=1.0) for name, each in ranker.bundle.selections.items()}
    always = {name: replace(each, least=0.0) for name, each in ranker.bundle.selections.items()}
    declined = Ranker(replace(ranker.bundle, selections=never)).answer(QUESTION)
    assert declined.text.splitlines()[0] == ABSTENTION
    assert declined.abstained_because
    assert Ranker(replace(ranker.bundle, selections=always)).answer(QUESTION).claims
    assert 0 < selection.least < 1


def test_question_before_any_rule_began_is_declined_for_that_reason(ranker: Ranker) -> None:
    declined = ranker.answer(QUESTION, as_of=date(1066, 1, 1))
    assert declined.abstained_because == "No passage that was found is in force."


def test_probability_on_a_short_list_is_from_the_score_alone(ranker: Ranker) -> None:
    # Of so few passages, the sums over the list are far from those that were learned from.
    kept = ranker.ranking(QUESTION).first(5)
    others = [each for each in ranker.bundle.passages["passage_id"] if each not in kept]
    few = ranker.ranking(QUESTION, without=others)
    curve = ranker.bundle.models[few.leading].curve
    assert 0 < len(few.rows) <= 5
    np.testing.assert_array_equal(few.probability, probabilities(few.scores, curve))


def test_passages_that_are_not_to_be_found_are_not(ranker: Ranker) -> None:
    best = [passage.passage_id for passage in ranker.rank(QUESTION, 5)]
    assert not set(best) & set(ranker.ranking(QUESTION, without=best).first(200))


def test_answer_refuses_what_rank_refuses(ranker: Ranker) -> None:
    for arguments in (
        {"question": " "},
        {"question": QUESTION, "k": 0},
        {"question": QUESTION, "model": "x"},
    ):
        with pytest.raises(InputError):
            ranker.answer(**arguments)
