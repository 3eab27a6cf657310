from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulerank.arrays import FloatArray
from rulerank.errors import SettingsError
from rulerank.retrieve.fusion import (
    Run,
    fusion,
    reciprocal_rank_fusion,
    reciprocal_rank_max,
    reciprocal_ranks,
    weighted_reciprocal_rank_fusion,
    weighted_sum,
)

nan = np.nan
NAMES = ("rrf", "wrrf", "rrm", "weighted_sum")
EACH = pytest.mark.parametrize("name", NAMES)
PASSAGES = 5

# Eighths are exact in float32, and few distinct values make many ties.
SCORES = st.one_of(st.just(nan), st.integers(-40, 40).map(lambda value: value / 8))
RUNS = st.lists(
    st.tuples(
        st.lists(SCORES, min_size=PASSAGES, max_size=PASSAGES).map(lambda row: _run(row)),
        st.sampled_from([0.0, 0.25, 1.0, 3.0]),
    ),
    min_size=1,
    max_size=4,
)


def _run(scores: Sequence[float]) -> Run:
    return Run(np.array([scores], np.float32))


def _fused(name: str, weighed: Sequence[tuple[Run, float]]) -> FloatArray:
    return fusion(name, [weight for _, weight in weighed])([run for run, _ in weighed])


def test_ranks_are_by_score_ties_in_column_order_and_missing_without() -> None:
    run = Run(np.array([[0.2, nan, 0.9, 0.2], [nan, nan, nan, nan], [1, 2, 3, -4]], np.float32))
    expected = [[2, nan, 1, 3], [nan, nan, nan, nan], [3, 2, 1, 4]]
    np.testing.assert_array_equal(run.ranks, np.array(expected, np.float32))


def test_rrf_is_the_sum_of_reciprocal_ranks() -> None:
    runs = [_run([9, 8, nan]), _run([nan, nan, 5])]
    assert reciprocal_rank_fusion(runs) == pytest.approx(np.array([[1 / 61, 1 / 62, 1 / 61]]), abs=1e-8)
    runs = [_run([9, 8, nan]), _run([1, nan, 2])]
    assert reciprocal_rank_fusion(runs, k=1) == pytest.approx(np.array([[1 / 2 + 1 / 3, 1 / 3, 1 / 2]]))


def test_weighted_rrf_weighs_each_run() -> None:
    runs = [_run([2, 1, nan]), _run([1, 2, nan])]
    fused = weighted_reciprocal_rank_fusion(runs, [1, 9])
    assert fused == pytest.approx(np.array([[1 / 61 + 9 / 62, 1 / 62 + 9 / 61, 0]]), abs=1e-7)


def test_rrm_is_the_greatest_reciprocal_rank() -> None:
    runs = [_run([3, 2, 1, nan]), _run([1, nan, 3, nan])]
    assert reciprocal_rank_max(runs) == pytest.approx(np.array([[1 / 61, 1 / 62, 1 / 61, 0]]), abs=1e-8)


def test_first_of_one_run_beats_the_second_of_all_by_rrm_and_not_by_rrf() -> None:
    runs = [_run([3, 2, 1]), _run([1, 2, 3])]
    maximum, total = reciprocal_rank_max(runs)[0], reciprocal_rank_fusion(runs)[0]
    assert maximum[0] > maximum[1]
    assert total[1] < total[0]
    runs = [_run([3, 2, nan]), _run([nan, 2, 3])]
    assert reciprocal_rank_max(runs)[0, 0] > reciprocal_rank_max(runs)[0, 1]
    assert reciprocal_rank_fusion(runs)[0, 0] < reciprocal_rank_fusion(runs)[0, 1]


def test_weighted_sum_scales_each_run_within_its_question() -> None:
    dense = _run([0.2, 0.6, 0.4, nan])
    bm25 = _run([10, 0, 5, nan])
    assert weighted_sum([dense, bm25], [0.65, 0.35])[0] == pytest.approx([0.35, 0.65, 0.5, 0])


def test_weighted_sum_of_equal_scores_counts_them_as_one() -> None:
    assert weighted_sum([_run([4, 4, nan])], [0.5]).tolist() == [[0.5, 0.5, 0]]


def test_weighted_sum_gives_a_passage_of_one_run_that_share_alone() -> None:
    fused = weighted_sum([_run([1, 0, nan]), _run([0, 0.5, 1])], [1, 2])
    assert fused.tolist() == [[1, 1, 2]]


@EACH
def test_questions_are_fused_each_by_itself(name: str) -> None:
    first, second = np.array([[1, 2, 3]], np.float32), np.array([[30, nan, 10]], np.float32)
    together = fusion(name, [1.0])([Run(np.concatenate([first, second]))])
    apart = [fusion(name, [1.0])([Run(scores)])[0] for scores in (first, second)]
    assert np.array_equal(together, np.stack(apart))


@EACH
@given(RUNS, st.randoms())
def test_order_of_the_runs_is_of_no_matter(name: str, weighed: list[tuple[Run, float]], random) -> None:
    shuffled = list(weighed)
    random.shuffle(shuffled)
    assert _fused(name, shuffled) == pytest.approx(_fused(name, weighed), abs=1e-5)


@EACH
@given(RUNS, st.integers(0, 3), st.integers(0, PASSAGES - 1), st.integers(1, 80))
def test_better_score_in_one_run_never_lowers_the_fused_one(
    name: str, weighed: list[tuple[Run, float]], at: int, passage: int, rise: int
) -> None:
    at %= len(weighed)
    run, weight = weighed[at]
    scores = run.scores.copy()
    held = not np.isnan(scores[0, passage])
    scores[0, passage] = scores[0, passage] + rise / 8 if held else -100
    better = [*weighed[:at], (Run(scores), weight), *weighed[at + 1 :]]
    assert _fused(name, better)[0, passage] >= _fused(name, weighed)[0, passage] - 1e-6


@EACH
@given(RUNS)
def test_fused_scores_keep_their_bounds(name: str, weighed: list[tuple[Run, float]]) -> None:
    highest = {
        "rrf": len(weighed) / 61,
        "wrrf": sum(weight for _, weight in weighed) / 61,
        "rrm": 1 / 61,
        "weighted_sum": sum(weight for _, weight in weighed),
    }[name]
    fused = _fused(name, weighed)
    assert (fused >= 0).all()
    assert (fused <= highest + 1e-5).all()


@EACH
@given(RUNS)
def test_passage_of_no_run_scores_nothing(name: str, weighed: list[tuple[Run, float]]) -> None:
    nowhere = np.all([np.isnan(run.scores) for run, _ in weighed], axis=0)
    assert (_fused(name, weighed)[nowhere] == 0).all()


@EACH
@given(RUNS)
def test_run_that_holds_nothing_changes_nothing(name: str, weighed: list[tuple[Run, float]]) -> None:
    nothing = (_run([nan] * PASSAGES), 1.0)
    assert np.array_equal(_fused(name, [*weighed, nothing]), _fused(name, weighed))


@given(RUNS)
def test_rrf_is_weighted_rrf_with_equal_weights(weighed: list[tuple[Run, float]]) -> None:
    runs = [run for run, _ in weighed]
    weighted = weighted_reciprocal_rank_fusion(runs, [1.0] * len(runs))
    assert np.array_equal(weighted, reciprocal_rank_fusion(runs))


@EACH
def test_passages_that_two_runs_swap_tie(name: str) -> None:
    fused = fusion(name, [1.0, 1.0])([_run([2, 1]), _run([1, 2])])
    assert fused[0, 0] == fused[0, 1] > 0


@EACH
def test_fusion_leaves_the_runs_as_they_are(name: str) -> None:
    run = _run([1, nan])
    fusion(name, [1.0])([run])
    np.testing.assert_array_equal(run.scores, np.array([[1, nan]], np.float32))


@pytest.mark.parametrize("fuse", [weighted_sum, weighted_reciprocal_rank_fusion])
def test_weight_for_each_run_is_needed(fuse: Callable[..., FloatArray]) -> None:
    with pytest.raises(ValueError, match="zip"):
        fuse([_run([1, 2])], [1.0, 2.0])


def test_unknown_fusion_names_those_there_are() -> None:
    with pytest.raises(SettingsError, match="expected one of rrf, wrrf, rrm, weighted_sum, found 'borda'"):
        fusion("borda", [1.0])


def test_reciprocal_ranks_are_summed_pair_by_pair() -> None:
    ranks = [np.array([1, 2, nan], np.float32), np.array([nan, 1, nan], np.float32)]
    assert reciprocal_ranks(ranks).tolist() == pytest.approx([1 / 61, 1 / 62 + 1 / 61, 0])
    assert reciprocal_ranks(ranks, [2, 0.5], k=1).tolist() == pytest.approx([1, 2 / 3 + 0.25, 0])


@given(RUNS)
def test_reciprocal_ranks_of_runs_are_their_fusion(weighed: list[tuple[Run, float]]) -> None:
    runs, weights = [run for run, _ in weighed], [weight for _, weight in weighed]
    ranks = [run.ranks for run in runs]
    assert np.array_equal(reciprocal_ranks(ranks), reciprocal_rank_fusion(runs))
    assert np.array_equal(reciprocal_ranks(ranks, weights), weighted_reciprocal_rank_fusion(runs, weights))
