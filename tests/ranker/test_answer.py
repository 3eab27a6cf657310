from __future__ import annotations

from dataclasses import replace

import polars as pl

from rulerank.answer import keep
from rulerank.bundle import WITHOUT_JUDGEMENT
from rulerank.ranker import Ranker
from rulerank.tables import EDGES

QUESTION = "What must the master do, and who has to be told before the vessel enters the harbour?"


def _amended(ranker: Ranker, *pairs: tuple[str, str]) -> Ranker:
    """Return the same ranker over a corpus in which the first passage of each pair voids the second."""
    rows = [(upper, lower, "SUPERSEDES", "") for upper, lower in pairs]
    return Ranker(replace(ranker.bundle, edges=pl.DataFrame(rows, schema=dict(EDGES.columns), orient="row")))


def _kept(ranker: Ranker, **options: str) -> list[str]:
    ranked = ranker.rank(QUESTION, 30, **options)
    tail = ranker.bundle.tail_filter
    number = keep([passage.score for passage in ranked], tail.tau_min, tail.tau_delta)
    return [passage.passage_id for passage in ranked[:number]]


def test_answer_is_taken_from_the_head_of_the_ranking(ranker: Ranker) -> None:
    plain = _amended(ranker)
    answer = plain.answer(QUESTION, 30)
    assert [passage.passage_id for passage in answer.sources] == _kept(ranker)
    assert answer.bullets
    for bullet in answer.bullets:
        texts = [" ".join(answer.sources[number - 1].text.split()) for number in bullet.passages]
        assert all(bullet.text.split()[0] in text for text in texts)


def test_answer_can_be_taken_from_another_model(ranker: Ranker) -> None:
    answer = _amended(ranker).answer(QUESTION, 30, model=WITHOUT_JUDGEMENT)
    assert [passage.passage_id for passage in answer.sources] == _kept(ranker, model=WITHOUT_JUDGEMENT)


def test_voided_passage_is_never_a_source_without_what_voids_it(ranker: Ranker) -> None:
    first, *others = _kept(ranker)
    unranked = [each for each in ranker.bundle.passages["passage_id"] if each not in (first, *others)]
    answer = _amended(ranker, (unranked[1], unranked[0]), (unranked[0], first)).answer(QUESTION, 30)
    assert [passage.passage_id for passage in answer.sources] == [unranked[1], first, *others]


def test_superseder_that_is_not_in_the_corpus_is_left_out(ranker: Ranker) -> None:
    kept = _kept(ranker)
    answer = _amended(ranker, ("another:1", kept[0])).answer(QUESTION, 30)
    assert [passage.passage_id for passage in answer.sources] == kept


def test_no_voided_passage_is_quoted_without_what_voids_it(ranker: Ranker) -> None:
    voided = ranker.bundle.edges.filter(type="SUPERSEDES")["target_id"].unique(maintain_order=True)
    texts = ranker.bundle.passages.filter(pl.col("passage_id").is_in(voided.implode()))["text"]
    quoted_voided = 0
    for text in texts.head(20):
        answer = ranker.answer(text, 5)
        quoted = {answer.sources[number - 1] for bullet in answer.bullets for number in bullet.passages}
        ids = {passage.passage_id for passage in quoted}
        assert all(set(passage.voided_by) <= ids for passage in quoted)
        quoted_voided += sum(bool(passage.voided_by) for passage in quoted)
    assert quoted_voided
