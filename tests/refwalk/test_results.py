from __future__ import annotations

from datetime import date

import numpy as np
import pytest

from rulerank.ranker import Ranker
from rulerank.refwalk.build import build_refwalk
from rulerank.refwalk.results import RefWalkResult, result_of
from rulerank.refwalk.rules import rule_anchor
from rulerank.settings import RefWalkSettings

QUESTION = "Must the tug operator keep a log for two years if the tug is hired out?"


def _result(ranker: Ranker, k: int, as_of: date = date(2026, 1, 1)) -> RefWalkResult:
    walk = build_refwalk(ranker, rule_anchor, RefWalkSettings())
    return result_of(ranker.evidence, walk, walk.pool(QUESTION), k, as_of)


def test_result_over_a_bundle_is_best_first_and_the_same_twice(ranker: Ranker) -> None:
    first, second = _result(ranker, 10), _result(ranker, 10)
    # NaN, the probability that RefWalk does not have, is unequal to itself.
    assert repr(first) == repr(second)
    assert first.anchor.actor == "tug operator"
    assert [passage.rank for passage in first.passages] == list(range(1, 11))
    scores = [passage.score for passage in first.passages]
    assert scores == sorted(scores, reverse=True)
    # By RRM a score reflects the best rank, or at least 0.7 of it.
    for passage, ranks in zip(first.passages, first.view_ranks, strict=True):
        assert 0.7 / (60 + min(ranks.values())) <= passage.score * (1 + 1e-5)


def test_passages_are_those_of_the_ranker_without_a_probability(ranker: Ranker) -> None:
    result = _result(ranker, 200)
    assert len(result.passages) == len(result.view_ranks) == len(result.by_citation)
    found = ranker.rank(QUESTION, 10**3, reasons=0, as_of=date(2026, 1, 1))
    ranked = {passage.passage_id: passage for passage in found}
    common = [passage for passage in result.passages if passage.passage_id in ranked]
    assert common
    for passage in common:
        other = ranked[passage.passage_id]
        assert (passage.place, passage.text, passage.voided_by) == (other.place, other.text, other.voided_by)
        assert np.isnan(passage.probability)


def test_passages_by_citation_alone_are_beyond_the_searched_ones(ranker: Ranker) -> None:
    result = _result(ranker, 1000)
    assert result.by_citation.count(False) == RefWalkSettings().pool
    assert result.by_citation.count(True) > 0


def test_passages_are_shown_as_on_the_day(ranker: Ranker) -> None:
    since = ranker.bundle.passages.select("passage_id", "effective_from")
    first = since["effective_from"].drop_nulls().min()
    assert isinstance(first, date)
    later = set(since.filter(since["effective_from"] > first)["passage_id"])
    now, then = _result(ranker, 1000).passages, _result(ranker, 1000, first).passages
    assert later & {passage.passage_id for passage in now}
    kept = [passage.passage_id for passage in now if passage.passage_id not in later]
    assert [passage.passage_id for passage in then] == kept
    assert not any(set(passage.voided_by) & later for passage in then)
    assert any(set(passage.voided_by) & later for passage in now)


def test_fewer_passages_are_the_first_of_more(ranker: Ranker) -> None:
    assert repr(_result(ranker, 3).passages) == repr(_result(ranker, 10).passages[:3])
    assert _result(ranker, 3).passages[0].score == pytest.approx(_result(ranker, 1).passages[0].score)
