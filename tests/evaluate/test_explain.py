from __future__ import annotations

from dataclasses import replace
from datetime import date

import numpy as np
import polars as pl
import pytest

from rulerank.bundle import RANKER
from rulerank.evaluate.explain import (
    Described,
    calibration_part,
    permutation_importance,
    shap_table,
    total_scores,
)
from rulerank.features.registry import registered
from rulerank.features.standing import Standing
from rulerank.ranker import Ranker

FEATURES = registered().named(["unigram_hits", "bigram_hits", "rrf_score"])
QUERIES, PASSAGES = 40, 15


@pytest.fixture
def described() -> Described:
    """Questions whose relevant passage is highest in the first column; the other columns are noise."""
    generator = np.random.default_rng(0)
    matrix = generator.random((QUERIES * PASSAGES, 3), dtype=np.float32)
    matrix[::PASSAGES, 0] += 1
    pairs = pl.DataFrame(
        {
            "query_id": [f"q{query}" for query in range(QUERIES) for _ in range(PASSAGES)],
            "passage_id": [f"p{passage}" for _ in range(QUERIES) for passage in range(PASSAGES)],
        }
    )
    judgements = pairs[::PASSAGES].with_columns(relevance=pl.lit(1, pl.Int8))
    return Described(pairs, matrix, judgements)


def test_ranks_start_at_one_in_each_question(described: Described) -> None:
    ranks = described.ranks(described.matrix[:, 0]).to_list()
    assert ranks[::PASSAGES] == [1] * QUERIES
    assert sorted(ranks[:PASSAGES]) == list(range(1, PASSAGES + 1))


def test_permutation_finds_the_feature_that_the_ranker_uses(described: Described) -> None:
    gains = np.array([3.0, 1.0, 0.0])
    importance, groups = permutation_importance(
        described, FEATURES, lambda matrix: matrix[:, 0], gains, repeats=2, seed=1
    )
    drops = dict(importance.select("feature", "permutation").iter_rows())
    assert drops["unigram_hits"] > 0.3
    assert drops["bigram_hits"] == drops["rrf_score"] == 0
    assert importance["gain"].to_list() == [0.75, 0.25, 0]
    assert groups.select("group", "features", "gain").rows() == [("lexical", 2, 1), ("fusion", 1, 0)]
    assert groups["permutation"][0] > 0.3


def test_permutation_does_not_try_a_feature_that_no_tree_uses(described: Described) -> None:
    asked = []

    def predict(matrix: np.ndarray) -> np.ndarray:
        asked.append(matrix)
        return matrix[:, 0]

    permutation_importance(described, FEATURES, predict, np.array([1.0, 0.0, 0.0]), repeats=1, seed=1)
    # The matrix unchanged, with the feature shuffled, and with its group shuffled.
    assert len(asked) == 3
    assert np.array_equal(asked[0], described.matrix)


def test_columns_of_a_group_are_shuffled_together(described: Described) -> None:
    def predict(matrix: np.ndarray) -> np.ndarray:
        seen.append(matrix)
        return matrix[:, 0]

    seen: list[np.ndarray] = []
    permutation_importance(described, FEATURES, predict, np.ones(3), repeats=1, seed=1)
    together = seen[-1]
    assert not np.array_equal(together[:, :2], described.matrix[:, :2])
    assert {tuple(row) for row in together[:, :2]} == {tuple(row) for row in described.matrix[:, :2]}


def test_shap_table_says_how_much_and_which_way() -> None:
    shares = np.array([[1.0, -0.1, 0.0], [2.0, 0.3, 0.0], [-3.0, 0.1, 0.0]])
    values = np.array([[5.0, np.nan, 1.0], [9.0, 1.0, 1.0], [1.0, 4.0, 1.0]])
    table = shap_table(shares, values, FEATURES)
    assert table["feature"].to_list() == ["unigram_hits", "bigram_hits", "rrf_score"]
    assert table["share"].to_list() == pytest.approx([2.0, 0.5 / 3, 0.0])
    assert table["direction"].to_list() == [pytest.approx(1.0), pytest.approx(-1.0), None]


def test_total_scores_are_those_by_which_candidates_are_ranked(ranker: Ranker, answered: str) -> None:
    model = ranker.bundle.models[RANKER]
    standing = Standing(tuple(model.features.names[:2]), np.array([2.0, -1.0]), 0.5)
    models = {**ranker.bundle.models, RANKER: replace(model, standing=standing)}
    bundle = replace(ranker.bundle, models=models, trust=None)
    ranking = Ranker(bundle).ranking(answered, as_of=date(2100, 1, 1))
    first = ranking.first(1)[0]
    judged = pl.DataFrame(
        {"query_id": ["q"], "passage_id": [first], "relevance": [2]}, schema_overrides={"relevance": pl.Int8}
    )
    asked = pl.DataFrame({"query_id": ["q"], "text": [answered]})
    scored = total_scores(bundle, RANKER, asked, judged, threads=1)
    assert sorted(scored["score"], reverse=True) == ranking.scores.tolist()
    assert scored.filter(pl.col("relevance") > 0).select("query_id", "passage_id", "relevance").rows() == [
        ("q", first, 2)
    ]


def test_calibration_is_of_the_total_scores() -> None:
    scored = pl.DataFrame(
        {
            "query_id": ["q", "q", "r", "r"],
            "passage_id": ["a", "b", "a", "b"],
            "score": [0.0, np.log(9), 0.0, np.log(9)],
            "relevance": [1, 1, 0, 2],
        }
    )
    part = calibration_part(scored, {"slope": 1.0, "intercept": 0.0}, "sample")
    table = part.tables["calibration.csv"]
    assert table["probability"].to_list() == pytest.approx([0.5, 0.9])
    assert table.select("relevant", "pairs").rows() == [(0.5, 2), (1.0, 2)]
