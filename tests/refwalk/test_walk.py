"""The walk over six passages, worked out by hand.

The search finds 0, 1 and 2 first; passage 3 is a heading. From the seeds 0 and 1 citations lead to
4 (from both), to 3 and to 2. Ranks by view:

    passage   narrow   mid   wide   tier
    0              4     2      1      1
    1              1     4      3      5
    2              2     3      4
    4              3     1      2      3
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rulerank.arrays import FloatArray, IntArray
from rulerank.refwalk.anchor import Anchor
from rulerank.refwalk.walk import RefWalk
from rulerank.retrieve.fusion import fusion
from rulerank.settings import RefWalkSettings

FOUND = np.array([0.9, 0.8, 0.5, -np.inf, 0.1, 0.2], np.float32)
RANKS = {
    "narrow": {0: 4, 1: 1, 2: 2, 4: 3},
    "mid": {0: 2, 1: 4, 2: 3, 4: 1},
    "wide": {0: 1, 1: 3, 2: 4, 4: 2},
}


def _view(text: str) -> str:
    if "[Q]" in text:
        return "mid"
    return "wide" if text.startswith("[TOPIC]") else "narrow"


def _scorer(text: str, passages: IntArray) -> FloatArray:
    return np.array([-RANKS[_view(text)][passage] for passage in passages.tolist()], np.float32)


def _expand(seeds: IntArray, scores: FloatArray) -> tuple[IntArray, FloatArray]:
    cited = {0: [4], 1: [4, 3, 2]}
    pairs = [
        (passage, 0.7 * score)
        for seed, score in zip(seeds.tolist(), scores, strict=True)
        for passage in cited[seed]
    ]
    return np.array([passage for passage, _ in pairs]), np.array([score for _, score in pairs], np.float32)


WALK = RefWalk(
    anchors=lambda question: Anchor(topic=question.lower()),
    search=lambda text: FOUND,
    expand=_expand,
    scorer=_scorer,
    tiers=np.array([1, 5, np.nan, 1, 3, 2], np.float32),
    settings=RefWalkSettings(pool=3, seeds=2),
)


def test_pool_is_what_is_found_and_what_its_seeds_cite() -> None:
    pool = WALK.pool("Fees")
    assert pool.anchor == Anchor(topic="fees")
    assert pool.passages.tolist() == [0, 1, 2, 4]
    assert pool.by_citation.tolist() == [False, False, False, True]
    # 4 is reached from both seeds and keeps the greater, 0.7 x 0.9; 2 is cited with more than it was found.
    assert pool.gathering_scores == pytest.approx([0.9, 0.8, 0.56, 0.63])


def test_each_view_scores_the_whole_pool() -> None:
    runs = WALK.pool("Fees").runs
    assert list(runs) == ["narrow", "mid", "wide"]
    assert {view: run.ranks[0].tolist() for view, run in runs.items()} == {
        "narrow": [4, 1, 2, 3],
        "mid": [2, 4, 3, 1],
        "wide": [1, 3, 4, 2],
    }


def test_pool_is_gathered_with_the_mid_view() -> None:
    asked: list[str] = []

    def search(text: str) -> FloatArray:
        asked.append(text)
        return FOUND

    replace(WALK, search=search).pool("Fees")
    assert [_view(text) for text in asked] == ["mid"]


def test_fused_by_rrm_ties_go_by_the_mid_view_and_manuals_count_less() -> None:
    order, scores = WALK.order(WALK.pool("Fees"))
    assert scores == pytest.approx([1 / 61, 0.7 / 61, 1 / 62, 1 / 61])
    assert order.tolist() == [3, 0, 2, 1]


def test_fused_by_rrf() -> None:
    pool = WALK.pool("Fees")
    order, scores = WALK.order(pool, fusion("rrf", []))
    expected = [
        1 / 64 + 1 / 62 + 1 / 61,
        0.7 * (1 / 61 + 1 / 64 + 1 / 63),
        1 / 62 + 1 / 63 + 1 / 64,
        1 / 63 + 1 / 61 + 1 / 62,
    ]
    assert scores == pytest.approx(expected)
    assert order.tolist() == [3, 0, 2, 1]


def test_weights_are_those_of_the_views() -> None:
    walk = replace(WALK, settings=RefWalkSettings(pool=3, seeds=2, fusion="wrrf", weights=(1, 0, 0)))
    order, scores = walk.order(walk.pool("Fees"))
    assert scores == pytest.approx([1 / 64, 0.7 / 61, 1 / 62, 1 / 63])
    assert order.tolist() == [2, 3, 0, 1]


def test_tier_decay_of_one_leaves_the_scores() -> None:
    walk = replace(WALK, settings=RefWalkSettings(pool=3, seeds=2, tier_decay=1))
    order, scores = walk.order(walk.pool("Fees"))
    assert scores[1] == pytest.approx(1 / 61)
    assert order.tolist() == [3, 0, 1, 2]


def test_lower_low_tier_takes_more_passages_in() -> None:
    walk = replace(WALK, settings=RefWalkSettings(pool=3, seeds=2, low_tier=3))
    _, scores = walk.order(walk.pool("Fees"))
    assert scores == pytest.approx([1 / 61, 0.7 / 61, 1 / 62, 0.7 / 61])


def test_question_without_an_anchor_is_walked_under_its_own_words() -> None:
    walk = replace(WALK, anchors=lambda question: Anchor())
    pool = walk.pool("Fees")
    assert list(pool.runs) == ["narrow"]
    order, scores = walk.order(pool)
    assert scores == pytest.approx([1 / 64, 0.7 / 61, 1 / 62, 1 / 63])
    assert pool.passages[order].tolist() == [2, 4, 0, 1]


def test_without_seeds_nothing_is_expanded() -> None:
    walk = replace(
        WALK, expand=lambda seeds, scores: (seeds, scores), settings=RefWalkSettings(pool=3, seeds=0)
    )
    assert walk.pool("Fees").passages.tolist() == [0, 1, 2]


def test_pool_larger_than_the_corpus_leaves_headings_out() -> None:
    scorer = replace(
        WALK, scorer=lambda text, passages: -passages.astype(np.float32), settings=RefWalkSettings(seeds=2)
    )
    assert scorer.pool("Fees").passages.tolist() == [0, 1, 2, 4, 5]
