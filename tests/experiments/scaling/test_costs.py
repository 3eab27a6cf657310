from pathlib import Path

import numpy as np
import polars as pl

from experiments.scaling.costs import NOISE, copies, extraction_cost, with_peak
from rulerank.learn.ranker.groups import Groups
from rulerank.ranker import Ranker

GROUPS = Groups(
    np.array([[1, np.nan], [2, np.nan], [4, 3]], np.float32), np.array([0, 1, 1]), np.array([2, 1])
)


def test_copies_repeat_labels_and_sizes_with_a_little_noise() -> None:
    twice = copies(GROUPS, 2, seed=7)
    assert twice.labels.tolist() == [0, 1, 1, 0, 1, 1]
    assert twice.sizes.tolist() == [2, 1, 2, 1]
    values = np.tile(GROUPS.matrix[:, 0], 2)
    noise = twice.matrix[:, 0] - values
    assert (noise != 0).all()
    assert np.abs(noise).max() < 6 * NOISE * GROUPS.matrix[:, 0].std()
    assert not np.array_equal(noise[:3], noise[3:])


def test_copies_keep_missing_values_and_lone_ones() -> None:
    np.testing.assert_array_equal(copies(GROUPS, 2, seed=7).matrix[:, 1], [np.nan, np.nan, 3] * 2)


def test_fewer_copies_are_the_first_ones_of_more() -> None:
    np.testing.assert_array_equal(copies(GROUPS, 1, seed=7).matrix, copies(GROUPS, 4, seed=7).matrix[:3])


def test_seed_decides_the_noise() -> None:
    one, other = (copies(GROUPS, 1, seed=seed).matrix[:, 0] for seed in (7, 8))
    assert not np.array_equal(one, other)


def test_peak_memory_of_the_process_stands_beside_the_figures() -> None:
    figures = with_peak(dict, pairs=3.0)
    assert figures["pairs"] == 3.0
    assert 10 < figures["peak_memory_mib"] < 10_000


def test_extraction_describes_every_candidate_of_every_copy(bundle: Path, ranker: Ranker) -> None:
    questions = pl.DataFrame({"query_id": ["a", "b"], "text": ["Who pays the berth fee?", "When is it due?"]})
    _, candidates = ranker.runs(questions)
    figures = extraction_cost(bundle, questions, 3, threads=2)
    assert figures["pairs"] == 3 * candidates.height
    assert figures["seconds"] > 0
