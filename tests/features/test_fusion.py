from __future__ import annotations

import math

import numpy as np
import pytest

from rulerank.features.index import DESCRIBED
from rulerank.features.registry import registered
from rulerank.retrieve.dense import Dense
from rulerank.retrieve.embedded import Adapter, EmbeddedPassages
from tests.features.world import OFF


def test_scores_and_ranks_are_those_of_the_run(world) -> None:
    scores, ranks = (world.values(f"dense_{what}", "fees") for what in ("score", "rank"))
    for passage, score, rank in [
        ("act:2", 1, 1),
        ("act:2.1", 0.8, 2),  # three equal scores, in the order of the passages
        ("act:2.2", 0.8, 3),
        ("code:2.1", 0.8, 4),
        ("code:1", 0.6, 5),
        ("act:1.1", 0, 6),
    ]:
        assert (scores[passage], ranks[passage]) == (pytest.approx(score, abs=OFF), rank)


def test_ranks_count_candidates_only(world) -> None:
    assert world.values("dense_rank", "fees", depth=1) == {"act:2": 1, "act:2.1": 2}


def test_share_is_of_the_highest_candidate(world) -> None:
    found = world.values("bm25_share", "fees")
    # The passages have equal length. One holds both terms, which have equal idf; the other holds one.
    assert (found["act:2.1"], found["act:2.2"]) == pytest.approx((1, 0.5))
    assert world.values("dense_share", "pilot", depth=1) == pytest.approx(
        {"act:1.1": 0.96, "act:1.2": 1}, abs=OFF
    )
    assert math.isnan(world.values("bm25_share", "empty")["act:2"])


def test_rrf_score_is_the_sum_of_the_reciprocal_ranks(world) -> None:
    ranks = {run: world.values(f"{run}_rank", "pilot") for run in DESCRIBED}
    scores = {run: world.values(f"{run}_score", "pilot") for run in DESCRIBED}
    for passage, score in world.values("rrf_score", "pilot").items():
        holding = [run for run in DESCRIBED if run == "dense" or scores[run][passage] > 0]
        assert score == pytest.approx(sum(1 / (60 + ranks[run][passage]) for run in holding), abs=1e-7)


def test_rrf_score_leaves_out_the_runs_that_do_not_hold_the_passage(world) -> None:
    found = world.values("rrf_score", "pilot", depth=1)
    assert found == pytest.approx({"act:1.1": 2 / 61, "act:1.2": 1 / 61}, abs=1e-7)


def test_blend_weighs_scaled_scores(world) -> None:
    found = world.values("bm25_dense_blend", "fees")
    assert found["act:2.2"] == pytest.approx(0.3 * 0.5 + 0.7 * 0.8, abs=OFF)
    assert found["act:2.1"] == pytest.approx(0.3 + 0.7 * 0.8, abs=OFF)
    assert found["note:1"] == 0
    # All BM25 scores equal: each counts as the highest.
    assert world.values("bm25_dense_blend", "empty")["act:1.1"] == pytest.approx(0.3)


def test_dense_x_rrf_is_the_product(world) -> None:
    dense, fused, product = (world.values(f, "fees") for f in ("dense_score", "rrf_score", "dense_x_rrf"))
    assert product == pytest.approx({passage: dense[passage] * fused[passage] for passage in dense})
    assert product["code:1"] > 0


@pytest.mark.parametrize(
    ("passage", "bm25", "dense"),
    [("act:2.1", 1, 2), ("act:2", 2, 1), ("act:2.2", 3, 3), ("code:1.1", 4, 8), ("code:2.1", 10, 4)],
)
def test_rank_features_compare_bm25_and_dense(world, passage: str, bm25: int, dense: int) -> None:
    def value(feature: str) -> float:
        return world.values(feature, "fees")[passage]

    assert (value("bm25_rank"), value("dense_rank")) == (bm25, dense)
    assert value("rank_diff") == bm25 - dense
    assert value("rank_abs_diff") == abs(bm25 - dense)
    assert value("rank_min") == min(bm25, dense)
    assert value("rank_max") == max(bm25, dense)


def test_pretrained_score_knows_no_adapter(world) -> None:
    swap = np.zeros((4, 4), np.float32)
    swap[2, 0] = 1  # moves the question "fees" half way to the first axis
    plain = world.index.dense
    dense = Dense.of(
        EmbeddedPassages(plain.vectors.numbers()[plain.place], Adapter(swap, np.zeros_like(swap)), None),
        world.index.around.has_text,
    )
    adapted = world.with_index(generators={**world.index.generators, "dense": dense})
    assert adapted.values("pretrained_score", "fees") == world.values("dense_score", "fees")
    assert adapted.values("dense_score", "fees")["act:2"] == pytest.approx(1 / math.sqrt(2))


def test_pretrained_rank_and_gap_compare_the_candidates(world) -> None:
    scores, ranks, gaps = (world.values(f"pretrained_{what}", "fees") for what in ("score", "rank", "gap"))
    best = max(scores, key=lambda passage: scores[passage])
    assert (ranks[best], gaps[best]) == (1, 0)
    assert sorted(ranks.values()) == list(range(1, len(ranks) + 1))
    assert gaps["act:2.1"] == pytest.approx(scores["act:2.1"] - scores[best])


def test_every_run_has_its_three_features() -> None:
    names = set(registered().names)
    runs = (*DESCRIBED, "rrf")
    assert {f"{run}_{what}" for run in runs for what in ("score", "rank", "share")} <= names
