"""Questions whose relevant passage stands out by one feature; the trees know it only for some of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from rulerank.features.registry import registered
from rulerank.features.standing import OF_PASSAGES, Standing
from rulerank.learn.ranker.standing import FACTORS, StandingExamples, fit_standing

QUESTIONS, CANDIDATES = 60, 5
NAMES = ("bigram_hits", "dense_score", "pr")


@pytest.fixture(scope="module")
def rows() -> pl.DataFrame:
    generator, size = np.random.default_rng(4), QUESTIONS * CANDIDATES
    relevance = np.zeros((QUESTIONS, CANDIDATES), np.int8)
    relevance[:, 0] = 1
    relevance = relevance.ravel()
    return pl.DataFrame(
        {
            "query_id": np.repeat([f"q{number:02}" for number in range(QUESTIONS)], CANDIDATES),
            "relevance": relevance,
            "fold": np.repeat(np.arange(QUESTIONS) % 3, CANDIDATES).astype(np.int8),
            "score": generator.normal(size=size) + relevance,
            "bigram_hits": generator.normal(size=size).astype(np.float32) + 2 * relevance,
            "dense_score": generator.normal(size=size).astype(np.float32),
            "pr": generator.normal(size=size).astype(np.float32) + 9 * relevance,
        }
    )


def _examples(rows: pl.DataFrame) -> StandingExamples:
    return StandingExamples.of(rows.lazy(), rows, registered().named(list(NAMES)), 3.0)


def test_what_tells_relevant_candidates_from_the_others_has_weight(rows: pl.DataFrame) -> None:
    standing, scores = fit_standing(_examples(rows), 1)
    assert standing.full.names == ("bigram_hits", "dense_score")
    telling, silent = standing.full.weights
    assert telling > 5 * abs(silent)
    assert standing.full.factor > 0
    first = scores.reshape(QUESTIONS, CANDIDATES).argmax(axis=1) == 0
    assert first.mean() > (rows["score"].to_numpy().reshape(QUESTIONS, -1).argmax(axis=1) == 0).mean()


def test_facts_of_passages_are_left_out() -> None:
    groups = {each.group for each in registered()}
    assert set(OF_PASSAGES) < groups


def test_loss_is_least_at_the_weights_that_are_found(rows: pl.DataFrame) -> None:
    one = rows.with_columns(fold=pl.when(pl.col("query_id") == "q00").then(1).otherwise(0).cast(pl.Int8))
    stood = _examples(one)
    found = fit_standing(stood, 3)[0].without[1]
    learned = np.repeat(stood.folds != 1, stood.sizes)

    def loss(factor: float, weights: np.ndarray) -> float:
        scores = stood.ranked(Standing(found.names, weights, factor), learned).reshape(QUESTIONS - 1, -1)
        chance = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
        return float(-np.log(chance[:, 0]).sum() + 3 * (weights**2).sum())

    least = loss(found.factor, found.weights)
    for step in (0.02, -0.02):
        assert least < loss(found.factor + step, found.weights)
        for place in (0, 1):
            other = found.weights.copy()
            other[place] += step
            assert least < loss(found.factor, other)


def test_blocks_of_questions_give_what_all_together_give(
    rows: pl.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    uneven = rows.filter((pl.col("relevance") > 0) | (pl.int_range(pl.len()) % 7 != 3))
    whole, _ = fit_standing(_examples(uneven), 1)
    for block in (1, 11):
        monkeypatch.setattr("rulerank.learn.ranker.standing.BLOCK", block)
        parts, _ = fit_standing(_examples(uneven), 1)
        assert parts.full.weights == pytest.approx(whole.full.weights, abs=1e-3)
        assert parts.full.factor == pytest.approx(whole.full.factor, abs=1e-3)


def test_order_of_trees_is_never_reversed(rows: pl.DataFrame) -> None:
    misled = rows.with_columns(score=-pl.col("score"))
    standing, _ = fit_standing(_examples(misled), 100)
    assert [each.factor for each in (standing.full, *standing.without.values())] == [0.0] * 4


def test_trees_that_know_everything_do_not_count_without_end(rows: pl.DataFrame) -> None:
    knowing = rows.with_columns(score=pl.col("relevance").cast(pl.Float64) / 1000)
    standing, _ = fit_standing(_examples(knowing), 1)
    assert [each.factor for each in (standing.full, *standing.without.values())] == [FACTORS[1]] * 4


def test_the_heavier_the_penalty_the_smaller_the_weights(rows: pl.DataFrame) -> None:
    stood = _examples(rows)
    sizes = [np.abs(fit_standing(stood, each)[0].full.weights).sum() for each in (1, 100, 10_000)]
    assert sizes[0] > sizes[1] > sizes[2]
    assert sizes[2] < 0.05


def test_questions_with_several_relevant_passages_weigh_more(rows: pl.DataFrame) -> None:
    second = (pl.int_range(pl.len()).over("query_id") == 1) & (pl.col("query_id") < "q02")
    several = rows.with_columns(relevance=pl.when(second).then(1).otherwise("relevance"))
    stood = _examples(several)
    assert stood.weights.tolist() == [3.0, 3.0] + [1.0] * (QUESTIONS - 2)
    thrice = pl.concat([several, *(several.filter(pl.col("query_id") < "q02") for _ in range(2))])
    thrice = thrice.with_columns(query_id=pl.int_range(pl.len()).floordiv(CANDIDATES).cast(pl.String))
    repeated = replace(_examples(thrice), weights=np.ones(QUESTIONS + 4))
    found, expected = (fit_standing(each, 3)[0].without[2].weights for each in (stood, repeated))
    np.testing.assert_allclose(found, expected, atol=1e-3)


def test_what_serves_a_question_has_not_seen_its_judgements(rows: pl.DataFrame) -> None:
    stood = _examples(rows)
    standing, scores = fit_standing(stood, 3)
    own = np.repeat(stood.folds == 1, stood.sizes)
    turned = replace(stood, relevance=np.where(own, np.roll(stood.relevance, 1), stood.relevance))
    other, _ = fit_standing(turned, 3)
    assert other.without[1].as_json() == standing.without[1].as_json()
    assert other.without[0].as_json() != standing.without[0].as_json()
    np.testing.assert_allclose(scores[own], stood.ranked(standing.without[1], own))


def test_questions_from_training_are_served_by_the_mean(rows: pl.DataFrame) -> None:
    standing, _ = fit_standing(_examples(rows), 3)
    assert sorted(standing.without) == [0, 1, 2]
    each = list(standing.without.values())
    np.testing.assert_allclose(standing.full.weights, np.mean([one.weights for one in each], axis=0))
    assert standing.full.factor == pytest.approx(np.mean([one.factor for one in each]))
