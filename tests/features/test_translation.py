"""Translation features of the harbour, by hand."""

from __future__ import annotations

import pytest

from tests.features.world import World


def test_the_score_finds_a_passage_that_says_the_question_in_other_words(world: World) -> None:
    fees = world.values("translation_score", "fees")
    # Without a common word but "fee", which also says "zebra".
    assert fees["act:2.2"] > 0
    without = world.with_index(translation=None)
    with pytest.raises(ValueError, match="leave out the group `translation`"):
        without.values("translation_score", "fees")


def test_the_rank_and_the_gap_follow_the_score(world: World) -> None:
    score, rank, gap = (world.values(f"translation_{name}", "pilot") for name in ("score", "rank", "gap"))
    best = max(score, key=score.__getitem__)
    assert rank[best] == 1
    assert sorted(rank.values()) == list(range(1, len(rank) + 1))
    for passage, value in score.items():
        assert gap[passage] == pytest.approx(value - score[best], abs=1e-6)
    # "master" is half of "pilot", and "A pilot must hold a licence" says all of it.
    assert best == "act:1.1"
    assert score["act:1.2"] > score["code:2"] > 0


def test_a_question_without_terms_scores_nothing(world: World) -> None:
    assert set(world.values("translation_score", "empty").values()) == {0}
