"""Training questions t0 (passages 0 and 1), t1 (2 and 3) and t2 (only 0), each in its own cluster."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from rulerank.features.completion import Completion
from rulerank.features.judgement_index import JudgementIndex, build_judgement_index
from rulerank.features.withheld import DOCUMENTS, Withheld, nothing_withheld, of_clusters
from rulerank.learn.ranker.completion import WEIGHTS, fit_completion
from rulerank.learn.ranker.multi_passage import MultiPassageNdcg
from rulerank.retrieve.quantized import QuantizedVectors

SETS = {"t0": [0, 1], "t1": [2, 3], "t2": [0]}
CURVE = {"slope": 1.0, "intercept": 0.0}
CERTAIN, HALF = 30.0, 0.0
"""Scores that mean a probability of 1 and of a half."""


def _index() -> JudgementIndex:
    judged = [(query, f"p{place}", 1) for query, places in SETS.items() for place in places]
    return build_judgement_index(
        pl.DataFrame(judged, schema=["query_id", "passage_id", "relevance"], orient="row"),
        pl.Series([f"p{place}" for place in range(6)]),
        list(SETS),
        np.arange(3),
        np.empty(0, np.int64),
        QuantizedVectors.of(np.empty((0, 2), np.float32)),
        np.zeros(6, np.int64),
        np.zeros(6, np.int64),
    )


def _added(scores: list[float], withheld: Withheld, weight: float = 2.0) -> list[float]:
    index, columns = _index(), np.arange(len(scores))
    judged = index.of_pairs(np.zeros(len(scores), np.int64), columns, withheld)
    return Completion(weight, CURVE).added(index, judged, np.array(scores)).tolist()


def test_a_passage_gains_what_its_companions_are_worth() -> None:
    found = _added([CERTAIN, -CERTAIN, HALF, -CERTAIN, CERTAIN], nothing_withheld([""]))
    assert found == pytest.approx([0, 2, 0, 1, 0], abs=1e-5)


def test_a_question_does_not_see_the_set_of_its_own_cluster() -> None:
    found = _added([CERTAIN, -CERTAIN, HALF, -CERTAIN], of_clusters(np.array([0])))
    assert found == pytest.approx([0, 0, 0, 1], abs=1e-5)


def test_nothing_is_added_without_candidates() -> None:
    assert _added([], nothing_withheld([""])) == []


@pytest.mark.parametrize(
    "said", [{"weight": float("nan"), "curve": CURVE}, {"weight": 1.0, "curve": {}}, {}, []]
)
def test_what_is_no_completion_is_refused(said: object) -> None:
    with pytest.raises((ValueError, KeyError, TypeError)):
        Completion.read(said)  # type: ignore[arg-type]


def test_a_completion_is_read_as_it_was_written() -> None:
    completion = Completion(1.5, CURVE)
    assert Completion.read(completion.as_json()) == completion


def _fitted(relevant: list[int], withheld: Withheld) -> tuple[Completion, np.ndarray]:
    """Fit on one question: passage 0 first, the irrelevant 4 before 1, its companion."""
    scored = pl.DataFrame(
        {"query_id": ["q"] * 6, "relevance": [int(place in relevant) for place in range(6)]}
    )
    scores = np.array([5.0, 0.0, -5.0, -5.0, 1.0, -5.0])
    judgements = pl.DataFrame(
        {"query_id": ["q"] * len(relevant), "passage_id": [f"p{p}" for p in relevant], "relevance": 1}
    )
    measure = MultiPassageNdcg.of(scored, withheld, judgements)
    return fit_completion(scores, np.arange(6), withheld, _index(), measure)


def test_the_weight_that_brings_companions_up_is_chosen() -> None:
    completion, scores = _fitted([0, 1], nothing_withheld(["q"]))
    assert completion.weight in WEIGHTS
    assert scores[1] > scores[4] > scores[2]


def test_the_weight_is_0_where_completion_does_not_help() -> None:
    completion, scores = _fitted([0, 4], nothing_withheld(["q"]))
    assert completion.weight == 0
    assert scores.tolist() == [5.0, 0.0, -5.0, -5.0, 1.0, -5.0]


def test_questions_with_one_relevant_passage_or_hidden_judgements_do_not_choose() -> None:
    assert _fitted([1], nothing_withheld(["q"]))[0].weight == 0
    hidden = replace(nothing_withheld(["q"]), levels=np.array([DOCUMENTS]))
    assert _fitted([0, 1], hidden)[0].weight == 0
