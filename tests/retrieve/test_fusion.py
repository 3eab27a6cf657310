from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulerank.arrays import FloatArray
from rulerank.retrieve.fusion import reciprocal_rank_fusion, weighted_sum

nan = np.nan
RANKS = st.lists(
    st.lists(st.one_of(st.integers(1, 200).map(float), st.just(nan)), min_size=4, max_size=4).map(
        lambda row: np.array([row], np.float32)
    ),
    min_size=1,
    max_size=4,
)


def test_fusion_is_the_sum_of_reciprocal_ranks() -> None:
    ranks = [np.array([[1, 2, nan]], np.float32), np.array([[3, nan, nan]], np.float32)]
    expected = np.array([[1 / 61 + 1 / 63, 1 / 62, 0]])
    assert reciprocal_rank_fusion(ranks) == pytest.approx(expected, abs=1e-8)
    assert reciprocal_rank_fusion(ranks, k=1) == pytest.approx(np.array([[1 / 2 + 1 / 4, 1 / 3, 0]]))


def test_passages_of_equal_ranks_tie() -> None:
    ranks = [np.array([[1, 2]], np.float32), np.array([[2, 1]], np.float32)]
    fused = reciprocal_rank_fusion(ranks)
    assert fused[0, 0] == fused[0, 1]


def test_passage_of_two_runs_beats_the_first_of_one() -> None:
    # 1 / (60 + 1) < 2 / (60 + 50): to agree is worth more than to be first once (Cormack et al., section 2).
    ranks = [np.array([[1, 50]], np.float32), np.array([[nan, 50]], np.float32)]
    fused = reciprocal_rank_fusion(ranks)
    assert fused[0, 1] > fused[0, 0]


@given(RANKS, st.randoms())
def test_order_of_the_runs_is_of_no_matter(ranks: list[FloatArray], random: object) -> None:
    shuffled = list(ranks)
    random.shuffle(shuffled)
    assert reciprocal_rank_fusion(shuffled) == pytest.approx(reciprocal_rank_fusion(ranks), abs=1e-7)


@given(RANKS, st.permutations(range(4)))
def test_passages_are_fused_each_by_itself(ranks: list[FloatArray], columns: list[int]) -> None:
    permuted = reciprocal_rank_fusion([rank[:, columns] for rank in ranks])
    assert np.array_equal(permuted, reciprocal_rank_fusion(ranks)[:, columns])


@given(RANKS, st.integers(1, 199))
def test_better_rank_never_scores_less(ranks: list[FloatArray], rank: int) -> None:
    better, worse = (np.full((1, 4), value, np.float32) for value in (rank, rank + 1))
    missing = np.full((1, 4), nan, np.float32)
    assert (reciprocal_rank_fusion([*ranks, better]) > reciprocal_rank_fusion([*ranks, worse])).all()
    assert (reciprocal_rank_fusion([*ranks, worse]) > reciprocal_rank_fusion([*ranks, missing])).all()


def test_fusion_leaves_the_ranks_as_they_are() -> None:
    ranks = [np.array([[1, nan]], np.float32)]
    reciprocal_rank_fusion(ranks)
    assert np.array_equal(ranks[0], np.array([[1, nan]], np.float32), equal_nan=True)


def test_weighted_sum_scales_each_run_within_its_question() -> None:
    dense = np.array([[0.2, 0.6, 0.4, -np.inf]], np.float32)
    bm25 = np.array([[10, 0, 5, -np.inf]], np.float32)
    fused = weighted_sum([dense, bm25], [0.65, 0.35])
    assert fused[0, :3] == pytest.approx([0.35, 0.65, 0.5])
    assert fused[0, 3] == -np.inf


def test_weighted_sum_of_equal_scores_counts_them_as_one() -> None:
    assert weighted_sum([np.full((1, 3), 4, np.float32)], [0.5]).tolist() == [[0.5, 0.5, 0.5]]
